import { hearsOwnSql } from '../../access/key-state.js';
import type { Mode } from '../../access/mode.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';
import type { EndpointFormat } from '../../endpoints/endpoint.entity.js';
import { type EndpointHealth, healthSql, offAtSql } from '../../endpoints/endpoint-health.js';

/* In the order of the letters, which is that of the need: disabled, failing, healthy. */
export const listStandings = statement({
  name: 'list-standings-of-endpoints',
  params: { accountId: 'uuid?', limit: 'int8', mode: 'text?' },
  columns: {
    endpoint_id: 'uuid',
    endpoint_name: 'text',
    api_key_id: 'uuid',
    api_key_name: 'text',
    account_id: 'uuid',
    mode: as<Mode>('text'),
    url: 'text',
    format: as<EndpointFormat>('text'),
    disabled_reason: 'text?',
    failing_since: 'timestamptz?',
    health: as<EndpointHealth>('text'),
    since: 'timestamptz?',
    off_at: 'timestamptz?',
  },
  text: `
  select e.id as endpoint_id, e.name as endpoint_name, k.id as api_key_id, k.name as api_key_name,
    e.account_id, e.mode, e.url, e.format, e.disabled_reason, f.since as failing_since,
    h.health, case h.health when 'disabled' then e.disabled_at when 'failing' then f.since end as since,
    case h.health when 'failing' then ${offAtSql} end as off_at
  from webhook_endpoints e join api_keys k on k.id = e.api_key_id
    left join webhook_failures f on f.endpoint_id = e.id
    cross join lateral (select ${healthSql} as health) h
  where e.url is not null and ${hearsOwnSql} and (:accountId::uuid is null or e.account_id = :accountId)
    and (:mode::text is null or e.mode = :mode)
  order by h.health, k.name, e.id <> k.id, e.name, e.id
  limit :limit`,
});

/*
 * Each part reads a bounded number of rows from done_events_endpoint (endpoint_id, id), the newest first. A healthy
 * endpoint is read once: what it missed is counted in the sample. The last success of one without success in the
 * sample is looked for before its trouble.
 */
export const countFigures = statement({
  name: 'count-figures-of-endpoints',
  params: {
    ids: 'uuid[]',
    missedSince: 'timestamptz[]',
    missedFrom: 'uuid[]',
    troubleFrom: 'uuid[]',
    areSick: 'bool[]',
    firstId: 'uuid',
    sampleMax: 'int8',
    missedMax: 'int8',
  },
  columns: {
    endpoint_id: 'uuid',
    finished: 'int4',
    succeeded: 'int4',
    retrying: 'int4',
    waiting: 'int4',
    median_ms: 'int4?',
    last_success_at: 'timestamptz?',
    missed: 'int4',
    looked_at: 'int4',
  },
  text: `
  select e.id as endpoint_id, s.finished, s.succeeded, w.retrying, w.waiting, s.median_ms,
    coalesce(s.last_success_at, b.last_success_at) as last_success_at,
    coalesce(m.missed, s.missed) as missed, coalesce(m.looked_at, s.finished) as looked_at
  from unnest(:ids::uuid[], :missedSince::timestamptz[], :missedFrom::uuid[], :troubleFrom::uuid[],
      :areSick::boolean[])
    as e (id, missed_since, missed_from, trouble_from, is_sick)
  cross join lateral (
    select count(*)::int as finished,
      (count(*) filter (where status = 'succeeded'))::int as succeeded,
      (count(*) filter (where status = 'failed'))::int as missed,
      (percentile_cont(0.5) within group (order by last_ms)
        filter (where status = 'succeeded'))::int as median_ms,
      max(last_at) filter (where status = 'succeeded') as last_success_at
    from (
      select status, last_ms, last_at from done_events
      where endpoint_id = e.id and id >= :firstId order by id desc limit :sampleMax
    ) newest
  ) s
  cross join lateral (
    select (count(*) filter (where attempts > attempts_before))::int as retrying,
      (count(*) filter (where attempts = attempts_before))::int as waiting
    from (select attempts, attempts_before from open_events where endpoint_id = e.id limit :missedMax) waiting
  ) w
  left join lateral (
    select (count(*) filter (where status = 'failed' and created_at >= e.missed_since))::int as missed,
      count(*)::int as looked_at
    from (
      select status, created_at from done_events
      where endpoint_id = e.id and id >= e.missed_from order by id desc limit :missedMax
    ) troubled
  ) m on e.is_sick
  left join lateral (
    select max(last_at) filter (where status = 'succeeded') as last_success_at
    from (
      select status, last_at from done_events
      where endpoint_id = e.id and id < e.trouble_from order by id desc limit :sampleMax
    ) before
  ) b on s.last_success_at is null`,
});
