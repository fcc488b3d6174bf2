import { keyTroubles } from '../../access/key-state.js';
import { windowOf } from '../../contacts/contact-windows.statements.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { statement } from '../../database/statements/statement.js';
import { concludedColumns } from './message-conclusions.statements.js';
import { moveScheduledSql } from './scheduled-rows.statements.js';

/** What may have changed since a message was accepted, and what it means for the caller. */
export const refusals = {
  key_deleted: 'The API key that sent it is deleted.',
  key_revoked: 'The API key that sent it is revoked.',
  key_suspended: 'The API key that sent it is suspended.',
  key_expired: 'The API key that sent it has expired.',
  key_inactive: 'The API key that sent it is switched off.',
  account_not_active: 'The account is not active.',
  expired: 'It could not be sent in time.',
  template_not_approved: 'The template is not approved any more.',
  mapping_broken: 'The variable mapping no longer fits the template.',
  media_expired: 'WhatsApp no longer has the uploaded file.',
  opted_out: 'The recipient has opted out of such messages.',
  window_closed: 'The recipient has not written within 24 hours.',
} as const;

type Refusal = keyof typeof refusals;

/** Numbers with scheduled messages: goes from one to the next along the index, however many rows lie between. */
const scheduledNumbersSql = `
    (select account_id, mode from scheduled_messages order by 1, 2 limit 1)
    union all
    select next.account_id, next.mode from scheduled q cross join lateral (
      select s.account_id, s.mode from scheduled_messages s
      where (s.account_id, s.mode) > (q.account_id, q.mode)
      order by 1, 2 limit 1
    ) next`;

/** If less time than this is left, a message might arrive after the window has closed. */
const windowMargin = `interval '30 seconds'`;

const given = (conditions: Readonly<Record<Refusal, string>>) =>
  Object.entries(conditions)
    .map(([reason, condition]) => `when ${condition} then '${reason}'`)
    .join('\n        ');

/** Why the row `e` may not be sent now; null where it may. The first that holds is told. */
const refusalSql = `case ${given({
  key_deleted: 'k.id is null',
  key_revoked: keyTroubles.revoked,
  key_suspended: keyTroubles.suspended,
  key_expired: keyTroubles.expired,
  key_inactive: keyTroubles.inactive,
  account_not_active: 'not a.active',
  expired: 'e.expires_at <= now()',
  template_not_approved: `e.type = 'template' and (t.status is distinct from 'APPROVED' or t.deleted_at is not null)`,
  mapping_broken: `e.type = 'template' and e.needs_mapping and (p.template_id is null or p.broken_reason is not null)`,
  media_expired: `not e.is_replaced and e.media_until <= now()`,
  opted_out: `${optOutOf('e')} is not null`,
  window_closed: `e.needs_window and e.window_state = 'closed'`,
})} end`;

/**
 * Due messages of numbers that have room, the oldest first, and those that could not be released in time. What is
 * due and may not be sent fails.
 */
export const releaseScheduledMessages = statement({
  name: 'release-scheduled-messages',
  params: { limit: 'int8', failures: 'jsonb' },
  columns: concludedColumns,
  text: `
  with recursive scheduled as (${scheduledNumbersSql}), rooms as materialized (
    select q.account_id, q.mode, take_release_room(q.account_id, q.mode) as room from scheduled q
    where exists (select from scheduled_messages s
      where s.account_id = q.account_id and s.mode = q.mode and s.send_at <= now())
  ), late as materialized (
    select id from scheduled_messages where expires_at <= now()
    order by expires_at limit :limit for update skip locked
  ), due as materialized (
    select d.id from rooms r cross join lateral (
      select s.id from scheduled_messages s
      where s.account_id = r.account_id and s.mode = r.mode and s.send_at <= now()
        and s.expires_at > now()
      order by s.send_at, s.id limit r.room for update skip locked
    ) d limit :limit - (select count(*) from late)
  ), looked as materialized (
    select s.id, s.account_id, s.api_key_id, s.mode, s.recipient, s.to_user_id, s.expires_at,
      s.needs_mapping, s.needs_window, s.media_until, w.state as window_state, r.is_replaced,
      case when r.is_replaced then 'template' else s.type end as type,
      case when r.is_replaced then s.fallback else s.payload end as payload
    from scheduled_messages s
    left join lateral (${windowOf('s')}) w on s.fallback is not null or s.needs_window
    cross join lateral (select s.fallback is not null and (w.state = 'closed'
      or w.state = 'open' and w."expiresAt" < now() + ${windowMargin}) as is_replaced) r
    where s.id = any (array(select id from due union all select id from late))
  ), ${moveScheduledSql(
    `
    select e.id, case when r.reason is null then 'queued' else 'failed' end as status,
      :failures::jsonb -> r.reason as error, coalesce(e.is_replaced, false) as is_replaced
    from looked e
    left join api_keys k on k.id = e.api_key_id
    join accounts a on a.id = e.account_id
    left join templates t on e.type = 'template' and t.account_id = e.account_id and t.mode = e.mode
      and t.name = e.payload->'template'->>'name'
      and t.language = e.payload->'template'->'language'->>'code'
    left join template_mappings p on p.api_key_id = e.api_key_id and p.template_id = t.id
    cross join lateral (select ${refusalSql} as reason) r`,
    'worker',
  )}`,
});
