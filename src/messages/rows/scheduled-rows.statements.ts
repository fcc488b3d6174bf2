import { statement } from '../../database/statements/statement.js';
import { concludedSql } from './message-conclusions.statements.js';
import { statusEntries } from './message-history.js';
import type { ChangeSource } from './message-status.js';
import { insertStatusEventsSql, toldColumns } from './status-events.js';

/** How long a released message may be tried if its recipient's number has trouble. */
const giveUpAfter = `interval '15 minutes'`;

/**
 * Expressions that move scheduled messages into the table of all others, and a query that answers what was moved. One
 * statement deletes the row here and inserts it there, so each message is always in exactly one of the tables. The
 * idempotency key is kept for another 24 hours.
 * @param chosen a query for the rows to move, locked: `id`, the `status` that they get, the `error` of those that fail,
 * and `is_replaced` where the fallback takes the place of the message.
 * @param answer the query, of `changed`; default: `ConcludedMessage`s.
 */
export const moveScheduledSql = (
  chosen: string,
  source: ChangeSource,
  answer = `${concludedSql('c.error')} order by c.id`,
) => `
  chosen as materialized (${chosen}), moved as (
    delete from scheduled_messages s using chosen c
    where s.id = c.id and s.id = any (array(select id from chosen))
    returning s.*, c.status, c.error, c.is_replaced
  ), kept as (
    update idempotency_keys i set expires_at = now() + interval '24 hours' from moved v
    where i.api_key_id = v.api_key_id and i.route = v.route and i.key = v.key and i.message_id = v.id
  ), changed as (
    insert into messages as m (id, account_id, api_key_id, mode, type, recipient, to_user_id, reference,
      payload, waiting, traceparent, status, attempt, error, next_attempt_at, give_up_at, expires_at,
      created_at, send_at, queued_at, failed_at, log, sent_as, fallback)
    select v.id, v.account_id, v.api_key_id, v.mode, case when v.is_replaced then 'template' else v.type end,
      v.recipient, v.to_user_id, v.reference,
      case when v.is_replaced
        then (v.fallback::jsonb || jsonb_build_object('biz_opaque_callback_data', v.id))::json
        else v.payload end,
      false, v.traceparent, v.status, case when v.status = 'unconfirmed' then 1 else 0 end, v.error, now(), least(v.expires_at, now() + ${giveUpAfter}),
      v.expires_at, v.created_at, v.send_at, case when v.status = 'queued' then now() end,
      case when v.status = 'failed' then now() end,
      case when v.status <> 'queued'
        then ${statusEntries({ status: 'v.status', at: 'now()', source })} end,
      case when v.is_replaced then 'fallback' else v.sent_as end,
      case when not v.is_replaced then v.fallback end
    from moved v where not v.withdrawn order by v.id
    returning ${toldColumns}
  ), ${insertStatusEventsSql('changed')}
  ${answer}`;

export const postponeMessage = statement({
  name: 'postpone-message',
  params: { id: 'uuid', sendAt: 'timestamptz' },
  columns: { id: 'uuid' },
  text: `
  update scheduled_messages set send_at = :sendAt::timestamptz,
    expires_at = coalesce(:sendAt::timestamptz + make_interval(secs => expires_in), expires_at)
  where id = :id and not withdrawn and (expires_in is not null
    or expires_at between :sendAt::timestamptz + interval '30 seconds' and :sendAt::timestamptz + interval '24 hours')
  returning id`,
});

export const findScheduledExpiry = statement({
  name: 'find-scheduled-expiry',
  params: { id: 'uuid' },
  columns: { expires_at: 'timestamptz' },
  text: 'select expires_at from scheduled_messages where id = :id and not withdrawn',
});
