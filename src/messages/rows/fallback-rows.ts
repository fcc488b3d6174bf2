import { maySendTemplatesSql } from '../../access/key-state.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';

/** A fallback may follow a refusal that comes within this time of the message. */
const refusalMaxAge = `interval '1 hour'`;

/** How long a fallback may be tried if no caller waits for it. */
const backgroundGiveUp = `interval '15 minutes'`;

/**
 * An expression that finds, for refusals of the expression `input` (id, failure) because of a closed window, the messages
 * that have a fallback: `fall` (id, fallback_id, reason), where the reason says why none is made.
 */
export const fallSql = `
  fall as materialized (
    select m.id, uuidv7() as fallback_id,
      case when coalesce(m.sent_at, clock_timestamp()) < clock_timestamp() - ${refusalMaxAge}
          or m.expires_at <= clock_timestamp() then 'too_late'
        when not exists (select from api_keys k join accounts a on a.id = k.account_id
          where k.id = m.api_key_id and a.active and ${maySendTemplatesSql}) then 'key_not_allowed'
        when not exists (select from templates t
          where t.account_id = m.account_id and t.mode = m.mode and t.status = 'APPROVED'
            and t.deleted_at is null and t.name = m.fallback->'template'->>'name'
            and t.language = m.fallback->'template'->'language'->>'code') then 'template_not_approved'
        when (select ${optOutOf('o')} from (select 'template' as type, m.fallback as payload,
            m.account_id, m.mode, m.recipient, m.to_user_id) o) is not null then 'opted_out'
        end as reason
    from input i cross join lateral (select * from messages where id = i.id) m
    where i.failure @> '{"isWindowClosed": true}' and m.fallback is not null
  )`;

/** Whether the row `m` is replaced by its fallback, once. @param becomesFailed whether it fails just now. */
const isReplaced = (becomesFailed: string) => `
  (${becomesFailed}) and f.fallback_id is not null and f.reason is null and m.fallback_message_id is null`;

/** What a message that fails has in `fallback_message_id` and in `error`; `f` is its row of `fall`, if any. */
export const fallenColumns = (becomesFailed: string) => ({
  fallbackMessageId: `case when ${isReplaced(becomesFailed)} then f.fallback_id else m.fallback_message_id end`,
  failure: `i.failure || case when f.id is null then '{}'::jsonb
    when ${isReplaced(becomesFailed)} then jsonb_build_object('fallbackMessageId', f.fallback_id)
    else jsonb_build_object('fallbackReason', f.reason) end`,
});

/** What `insertFallbacksSql` needs of the rows `m` that an UPDATE returns. */
export const fallenReturning = `m.fallback, m.waiting, m.give_up_at, m.expires_at, m.fallback_message_id,
      m.fallback_message_id is distinct from old.fallback_message_id as is_replaced`;

/**
 * Expressions that store the fallbacks of the replaced rows of an expression. They are part of the statement that fails
 * the messages, so there is no replaced message without its fallback, and no fallback twice.
 */
export const insertFallbacksSql = (changed: string) => `
  fallbacks as (
    insert into messages (id, account_id, api_key_id, mode, type, recipient, to_user_id, reference,
      payload, waiting, origin, next_attempt_at, give_up_at, created_at, traceparent, sent_as,
      fallback_for, expires_at)
    select c.fallback_message_id, c.account_id, c.api_key_id, c.mode, 'template', c.recipient,
      c.to_user_id, c.reference,
      (c.fallback::jsonb || jsonb_build_object('biz_opaque_callback_data', c.fallback_message_id))::json,
      c.waiting and c.give_up_at > now(), c.origin, now(),
      least(c.expires_at,
        case when c.waiting and c.give_up_at > now() then c.give_up_at else now() + ${backgroundGiveUp} end),
      now(), c.traceparent, 'fallback', c.id, c.expires_at
    from ${changed} c where c.is_replaced order by c.fallback_message_id
  )`;
