import type { Mode } from '../access/mode.js';
import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import type { EndpointFormat } from '../endpoints/endpoint.entity.js';

export const findKnownEndpoint = statement({
  name: 'find-known-endpoint',
  params: { id: 'uuid', accountId: 'uuid?', apiKeyId: 'uuid?' },
  columns: {
    id: 'uuid',
    api_key_id: 'uuid',
    account_id: 'uuid',
    key_name: 'text',
    mode: as<Mode>('text'),
    url: 'text?',
    format: as<EndpointFormat>('text'),
    off: 'bool',
    revoked: 'bool',
  },
  text: `
  select e.id, e.api_key_id, e.account_id, k.name as key_name, e.mode, e.url, e.format,
    e.disabled_at is not null as off, k.revoked_at is not null as revoked
  from webhook_endpoints e join api_keys k on k.id = e.api_key_id
  where e.id = :id and e.deleted_at is null and (:accountId::uuid is null or e.account_id = :accountId)
    and (:apiKeyId::uuid is null or e.api_key_id = :apiKeyId)`,
});

export const findTestedAccount = statement({
  name: 'find-tested-account',
  params: { id: 'uuid' },
  columns: { business_account_id: 'text', phone_number_id: 'text', display_phone_number: 'text' },
  text: 'select business_account_id, phone_number_id, display_phone_number from accounts where id = :id',
});

/*
 * The last attempt of a finished event is in its columns, the ones before it are in the log. Nearly always the
 * last of those has failed; after a redelivery it may be a success.
 */
export const findHealth = statement({
  name: 'find-health-of-endpoint',
  params: { endpointId: 'uuid', firstId: 'uuid', limit: 'int8', dueMax: 'int8' },
  columns: {
    succeeded: 'int4',
    retried: 'int4',
    failed: 'int4',
    waiting: 'int4',
    waiting_of_day: 'int4',
    median_ms: 'int4?',
    last_success_at: 'timestamptz?',
    oldest_waiting_at: 'timestamptz?',
    failure_at: 'timestamptz?',
    failure_error: 'text?',
    failure_status: 'int4?',
  },
  text: `
  with newest as (
    (select id, 'open' as status, attempts, null::timestamptz as last_at, null::int as last_ms,
       null::int as last_status, null::text as error, log
     from open_events where endpoint_id = :endpointId limit :limit)
    union all
    (select id, status, attempts, last_at, last_ms, last_status, error, log from done_events
     where endpoint_id = :endpointId and id >= :firstId order by id desc limit :limit)
  ), failures as (
    select last_at as at, error, last_status as status_code from newest
    where status = 'failed' and last_at is not null
    union all
    select (a.attempt ->> 'at')::timestamptz, a.attempt ->> 'error', (a.attempt ->> 'status_code')::int
    from newest n, lateral (
      select case when n.log -> -1 ->> 'error' is not null then n.log -> -1 else (
        select t.attempt from jsonb_array_elements(n.log) with ordinality as t (attempt, at)
        where t.attempt ->> 'error' is not null order by t.at desc limit 1
      ) end as attempt
    ) a
    where n.log is not null and a.attempt is not null
  ), failure as (
    select * from failures where at > now() - interval '1 day' order by at desc limit 1
  ), due as (
    select created_at from open_events where endpoint_id = :endpointId and due_at <= now()
    order by due_at, seq limit :dueMax
  )
  select h.*, (select min(created_at) from due) as oldest_waiting_at,
    f.at as failure_at, f.error as failure_error, f.status_code as failure_status
  from (
    select count(*) filter (where status = 'succeeded')::int as succeeded,
      count(*) filter (where attempts > 1 and id >= :firstId)::int as retried,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'open')::int as waiting,
      count(*) filter (where status = 'open' and id >= :firstId)::int as waiting_of_day,
      (percentile_cont(0.5) within group (order by last_ms)
        filter (where status = 'succeeded'))::int as median_ms,
      max(last_at) filter (where status = 'succeeded') as last_success_at
    from newest
  ) h left join failure f on true`,
});
