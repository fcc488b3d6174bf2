import type { Mode } from '../../access/mode.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';

export const findAnsweredMessages = statement({
  name: 'find-answered-messages',
  params: {
    positions: 'int4[]',
    accountIds: 'uuid[]',
    modes: 'text[]',
    platformMessageIds: 'text[]',
  },
  columns: {
    position: 'int4',
    id: 'uuid',
    api_key_id: 'uuid',
    mode: as<Mode>('text'),
    reference: 'text?',
    traceparent: 'text?',
    /** Of a template, as it is now; null for other messages. */
    category: 'text?',
  },
  text: `
  select distinct on (t.position) t.position, m.id, m.api_key_id, m.mode, m.reference,
    m.traceparent, case when m.type = 'template' then coalesce(own.category, 'MARKETING') end as category
  from unnest(:positions::int[], :accountIds::uuid[], :modes::text[], :platformMessageIds::text[])
    as t (position, account_id, mode, platform_message_id)
  join messages m on m.platform_message_id = t.platform_message_id
    and m.account_id = t.account_id and (t.mode is null or m.mode = t.mode)
  left join templates own on m.type = 'template' and own.account_id = m.account_id and own.mode = m.mode
    and own.name = m.payload->'template'->>'name'
    and own.language = m.payload->'template'->'language'->>'code'
  order by t.position, m.id`,
});

export const findEarlyAnswers = statement({
  name: 'find-early-answers',
  params: { positions: 'int4[]', accountIds: 'uuid[]', recipients: 'text[]', userIds: 'text[]' },
  columns: { position: 'int4' },
  text: `
  select t.position
  from unnest(:positions::int[], :accountIds::uuid[], :recipients::text[], :userIds::text[])
    as t (position, account_id, recipient, user_id)
  where exists (select 1 from messages m where m.account_id = t.account_id
    and (m.recipient = t.recipient or m.to_user_id = t.user_id) and m.status in ('sending', 'unconfirmed')
    and m.platform_message_id is null and m.created_at > now() - interval '15 minutes')`,
});
