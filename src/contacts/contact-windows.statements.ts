import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { contactOf } from './contact-of-message.js';

/**
 * The window of the recipient of a message, as a query with the columns of `ContactWindow`. `row` is the name of the
 * message's row: it has `account_id`, `mode`, `recipient` and `to_user_id`.
 *
 * Once notifications have come for 24 hours, an account knows of every message in the window. Some may still be
 * on their way while notifications wait, and for an hour after the API was away.
 */
export const windowOf = (row: string) => `
  select c.last_inbound_at as "lastInboundAt", c.last_inbound_at + interval '24 hours' as "expiresAt",
    case when c.last_inbound_at + interval '24 hours' > now() then 'open'
      when exists (select from account_notifications n
          where n.account_id = ${row}.account_id and n.mode = ${row}.mode
            and n.since <= now() - interval '24 hours' and n.history = database_history())
        and not exists (select from api_presence where returned_at > now() - interval '1 hour')
        and not exists (select from platform_notifications p
          where p.next_attempt_at is not null and p.received_at < now() - interval '60 seconds'
            and (p.account_ids is null or ${row}.account_id = any (p.account_ids))
            and (p.mode is null or p.mode = ${row}.mode))
      then 'closed' else 'unknown' end as state
  from (values (1)) one left join contacts c on c.id = ${contactOf(row)}`;

export const findContactWindow = statement({
  name: 'find-contact-window',
  params: { accountId: 'uuid', mode: 'text', phone: 'text?', userId: 'text?' },
  columns: {
    lastInboundAt: 'timestamptz?',
    /** When it closes, or closed; null where no message of the user is known. */
    expiresAt: 'timestamptz?',
    /** `unknown` where the user may have written without our knowledge. */
    state: as<'open' | 'closed' | 'unknown'>('text'),
  },
  text: `
  select w.* from (select :accountId::uuid as account_id, :mode::text as mode, :phone::text as recipient,
    :userId::text as to_user_id) m cross join lateral (${windowOf('m')}) w`,
});
