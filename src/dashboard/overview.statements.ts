import { hearsOwnSql, inUseSql } from '../access/key-state.js';
import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { healthSql, offAtSql } from '../endpoints/endpoint-health.js';
import { isResent } from '../messages/message.js';
import { allMessages } from '../messages/reads/message-tables.statements.js';

const scopeParams = { accountId: 'uuid?', mode: 'text?' } as const;

const sinceParams = { accountId: 'uuid?', firstId: 'uuid', mode: 'text?' } as const;

export const countKeys = statement({
  name: 'count-keys',
  params: { accountId: 'uuid?' },
  columns: { total_keys: 'int4', active_keys: 'int4' },
  text: `
  select count(*)::int as total_keys, (count(*) filter (where ${inUseSql}))::int as active_keys
  from api_keys k where (:accountId::uuid is null or k.account_id = :accountId)`,
});

export const countTemplates = statement({
  name: 'count-templates',
  params: { accountId: 'uuid?' },
  columns: { templates_configured: 'int4', templates_approved: 'int4', templates_mapped: 'int4' },
  text: `
  select (select count(*)::int from template_mappings m join api_keys k on k.id = m.api_key_id
      where :accountId::uuid is null or k.account_id = :accountId) as templates_configured,
    count(distinct (t.account_id, t.name, t.language))::int as templates_approved,
    (count(distinct (t.account_id, t.name, t.language)) filter (where exists (
      select from template_mappings where template_id = t.id and broken_reason is null)))::int
      as templates_mapped
  from templates t where t.deleted_at is null and t.status = 'APPROVED'
    and (:accountId::uuid is null or t.account_id = :accountId)`,
});

export const listBrokenMappings = statement({
  name: 'list-broken-mappings',
  params: scopeParams,
  columns: {
    api_key_id: 'uuid',
    api_key_name: 'text',
    template_id: 'uuid',
    template_name: 'text',
    language: 'text',
    reason: 'text',
    since: 'timestamptz',
  },
  text: `
  select k.id as api_key_id, k.name as api_key_name, t.id as template_id,
    t.name as template_name, t.language, m.broken_reason as reason, m.updated_at as since
  from template_mappings m join api_keys k on k.id = m.api_key_id
    join templates t on t.id = m.template_id
  where m.broken_reason is not null and k.revoked_at is null
    and (:accountId::uuid is null or k.account_id = :accountId) and (:mode::text is null or k.mode = :mode)
  order by k.name, t.name, t.language limit 20`,
});

export const listFailingEndpoints = statement({
  name: 'list-failing-endpoints',
  params: { accountId: 'uuid?', limit: 'int8', mode: 'text?' },
  columns: {
    endpoint_id: 'uuid',
    endpoint_name: 'text',
    api_key_id: 'uuid',
    api_key_name: 'text',
    account_id: 'uuid',
    url: 'text',
    disabled_at: 'timestamptz?',
    reason: 'text?',
    failures: 'int4',
    since: 'timestamptz',
    off_at: 'timestamptz?',
  },
  text: `
  select e.id as endpoint_id, e.name as endpoint_name, k.id as api_key_id,
    k.name as api_key_name, e.account_id, e.url, e.disabled_at, e.disabled_reason as reason,
    case when e.disabled_at is null then f.failures else 0 end as failures,
    coalesce(e.disabled_at, f.since) as since,
    case when e.disabled_at is null then ${offAtSql} end as off_at
  from webhook_endpoints e join api_keys k on k.id = e.api_key_id
    left join webhook_failures f on f.endpoint_id = e.id
  where ${healthSql} <> 'healthy' and e.url is not null and ${hearsOwnSql}
    and (:accountId::uuid is null or e.account_id = :accountId) and (:mode::text is null or e.mode = :mode)
  order by coalesce(e.disabled_at, f.since), e.id limit :limit`,
});

/* Each endpoint is read in open_events_due from now on, where only events stand whose next try is later. */
export const listBacklogs = statement({
  name: 'list-backlogs-of-endpoints',
  params: { accountId: 'uuid?', countMax: 'int8', least: 'int4', limit: 'int8', mode: 'text?' },
  columns: {
    endpoint_id: 'uuid',
    endpoint_name: 'text',
    api_key_id: 'uuid',
    api_key_name: 'text',
    account_id: 'uuid',
    events: 'int4',
    since: 'timestamptz',
    last_try_at: 'timestamptz',
  },
  text: `
  select e.id as endpoint_id, e.name as endpoint_name, k.id as api_key_id, k.name as api_key_name,
    e.account_id, b.events, b.since, b.last_try_at
  from webhook_endpoints e join api_keys k on k.id = e.api_key_id
    left join webhook_failures f on f.endpoint_id = e.id
    cross join lateral (
      select count(*)::int as events, min(created_at) as since, max(due_at) as last_try_at
      from (
        select created_at, due_at from open_events
        where endpoint_id = e.id and due_at > now() and attempts > attempts_before
        limit :countMax
      ) later
    ) b
  where ${healthSql} = 'healthy' and e.url is not null and ${hearsOwnSql} and b.events >= :least
    and (:accountId::uuid is null or e.account_id = :accountId) and (:mode::text is null or e.mode = :mode)
  order by b.events desc, e.id limit :limit`,
});

export const countMessagesByStatus = statement({
  name: 'count-messages-by-status',
  params: sinceParams,
  columns: { status: 'text', count: 'int4', fallbacks: 'int4' },
  text: `
  select coalesce(receipt, status) as status, count(*)::int as count,
    (count(*) filter (where sent_as = 'fallback'))::int as fallbacks
  from ${allMessages} m where id >= :firstId and (:accountId::uuid is null or account_id = :accountId)
    and (:mode::text is null or mode = :mode) group by 1`,
});

export const countFailuresByCode = statement({
  name: 'count-failures-by-code',
  params: sinceParams,
  columns: { code: 'text', count: 'int4' },
  text: `
  select coalesce(error->>'platformCode', error->>'reason', 'unknown') as code,
    count(*)::int as count
  from messages
  where id >= :firstId and status = 'failed' and (:accountId::uuid is null or account_id = :accountId)
    and (:mode::text is null or mode = :mode)
  group by 1 order by 2 desc, 1`,
});

export const countQueue = statement({
  name: 'count-queue',
  params: scopeParams,
  columns: {
    queued: 'int4',
    oldest_age_seconds: 'int4',
    unconfirmed: 'int4',
    unconfirmed_since: 'timestamptz?',
    unconfirmed_not_resent: as<{ count: number; since: Date | null }>('json'),
  },
  text: `
  select q.queued, q.oldest_age_seconds, u.unconfirmed, u.unconfirmed_since, u.unconfirmed_not_resent from
    (select count(*)::int as queued,
       coalesce(greatest(0, extract(epoch from now() - min(coalesce(queued_at, created_at))))::int, 0)
         as oldest_age_seconds
     from messages where status = 'queued' and (:accountId::uuid is null or account_id = :accountId)
       and (:mode::text is null or mode = :mode)) q,
    (select count(*)::int as unconfirmed, min(coalesce(queued_at, created_at)) as unconfirmed_since,
       json_build_object('count', count(*) filter (where not ${isResent('m')}),
         'since', min(coalesce(queued_at, created_at)) filter (where not ${isResent('m')})) as unconfirmed_not_resent
     from messages m where status = 'unconfirmed' and (:accountId::uuid is null or account_id = :accountId)
       and (:mode::text is null or mode = :mode)) u`,
});
