import { InputRows } from '../database/statements/input-rows.js';
import { statement } from '../database/statements/statement.js';
import { eventColumns } from '../events/event-rows.js';

const attemptTypes = {
  id: 'uuid',
  startedAt: 'timestamptz',
  durationMs: 'int4',
  statusCode: 'int4',
  response: 'text',
  url: 'text',
} as const;

export const deliveredInput = new InputRows({ ...attemptTypes, number: 'int2' });

/*
 * A late success, from before a redelivery was requested, does not count: its number
 * is not above the attempts made before. An event that is delivered twice stays delivered.
 */
export const finishEvents = statement({
  name: 'finish-events',
  params: deliveredInput.params,
  text: `
  with input as (
    select * from ${deliveredInput.sql}
  ), delivered as (
    delete from open_events o using input i
    where o.id = i.id and o.id = any (:ids::uuid[]) and i.number > o.attempts_before
    returning o.*, i.started_at, i.duration_ms, i.status_code, i.response, i.url
  )
  insert into done_events as d (${eventColumns}, status, attempts, log, last_at, last_ms, last_status,
    last_response, last_url, created_at)
  select ${eventColumns}, 'succeeded', attempts + 1, log, started_at, duration_ms, status_code, response,
    url, created_at
  from delivered
  on conflict (id) do nothing`,
});

/** Earlier attempts, with the one of `i` at the end, and the oldest left out after the 40th. */
const extendedLog = `
  case when jsonb_array_length(coalesce(o.log, '[]')) >= 40 then o.log - 0 else coalesce(o.log, '[]') end
    || jsonb_build_object('number', o.attempts + 1, 'at', i.started_at, 'duration_ms', i.duration_ms,
      'url', i.url, 'status_code', i.status_code, 'response', i.response, 'error', i.error)`;

/* Counts the row's own tries: a redelivery may have been requested in the meantime. */
const givesUp = `(i.is_final or o.attempts + 1 - o.attempts_before >= :triesMax)`;

export const failedInput = new InputRows({
  ...attemptTypes,
  endpointId: 'uuid',
  error: 'text',
  retryInMs: 'int4',
  isFinal: 'bool',
});

export const failEvents = statement({
  name: 'fail-events',
  params: { ...failedInput.params, triesMax: 'int4' },
  columns: { id: 'uuid', dueMs: 'float8?', failures: 'int4', failingHours: 'float8' },
  text: `
  with input as (
    select * from ${failedInput.sql}
  ), locked as materialized (
    select o.id, ${givesUp} as is_over from input i join open_events o on o.id = i.id
    where o.id = any (:ids::uuid[]) order by o.id for update of o
  ), given_up as (
    delete from open_events o using locked l, input i
    where o.id = l.id and o.id = any (:ids::uuid[]) and i.id = o.id and l.is_over
    returning o.*, i.started_at, i.duration_ms, i.status_code, i.response, i.url, i.error as reason
  ), kept as (
    insert into done_events (${eventColumns}, status, attempts, error, log, last_at, last_ms, last_status,
      last_response, last_url, created_at)
    select ${eventColumns}, 'failed', attempts + 1, reason, log, started_at, duration_ms, status_code,
      response, url, created_at
    from given_up
    on conflict (id) do nothing
  ), put_off as (
    update open_events o set attempts = o.attempts + 1, error = i.error, log = ${extendedLog},
      due_at = clock_timestamp() + make_interval(secs => i.retry_in_ms / 1000.0)
    from locked l, input i
    where o.id = l.id and o.id = any (:ids::uuid[]) and i.id = o.id and not l.is_over
    returning o.id, o.due_at
  ), failing as (
    insert into webhook_failures as f (endpoint_id, failures, since)
    select i.endpoint_id, count(*), min(i.started_at) from input i
    group by i.endpoint_id order by i.endpoint_id
    on conflict (endpoint_id) do update set failures = f.failures + excluded.failures
    returning f.endpoint_id, f.failures, f.since
  )
  select i.id, floor(extract(epoch from p.due_at) * 1000)::float8 as "dueMs",
    f.failures, extract(epoch from now() - f.since)::float8 / 3600 as "failingHours"
  from input i join failing f on f.endpoint_id = i.endpoint_id left join put_off p on p.id = i.id`,
});

/*
 * What waits for an endpoint that is off, revoked or gone, the oldest first. It checks the endpoint again,
 * since a worker's knowledge of it may be a moment old.
 */
export const giveUpEvents = statement({
  name: 'give-up-events',
  params: { endpointId: 'uuid', limit: 'int8' },
  columns: { isUnusable: 'bool', count: 'int4' },
  text: `
  with endpoint as (
    select case when k.revoked_at is not null then 'key_revoked'
      when w.url is null then 'no_endpoint'
      when w.disabled_at is not null then 'endpoint_off' end as reason
    from (select :endpointId::uuid as id) e left join webhook_endpoints w on w.id = e.id
      left join api_keys k on k.id = w.api_key_id
  ), waiting as (
    select o.id from open_events o, endpoint e
    where o.endpoint_id = :endpointId and e.reason is not null order by o.due_at, o.seq limit :limit
    for update of o skip locked
  ), given_up as (
    delete from open_events o using waiting w where o.id = w.id returning o.*
  ), kept as (
    insert into done_events (${eventColumns}, status, attempts, error, log, created_at)
    select ${eventColumns}, 'failed', attempts, (select reason from endpoint), log, created_at from given_up
    on conflict (id) do nothing
  )
  select reason is not null as "isUnusable", (select count(*)::int from given_up) as count
  from endpoint`,
});

/*
 * An event that its endpoint may no longer get: no attempt is made, and it says nothing about the endpoint. The
 * statement reads the permissions again: the worker knows them as of its last lease.
 */
export const withholdEvent = statement({
  name: 'withhold-event',
  params: { id: 'uuid', permission: 'text' },
  columns: { id: 'uuid' },
  text: `
  with withheld as (
    delete from open_events o using webhook_endpoints e, api_keys k
    where o.id = :id and e.id = o.endpoint_id and k.id = e.api_key_id and e.id <> k.id
      and :permission::text <> all (k.permissions)
    returning o.*
  ), done as (
    insert into done_events (${eventColumns}, status, attempts, error, log, created_at)
    select ${eventColumns}, 'failed', attempts, 'permission_missing', log, created_at from withheld
    on conflict (id) do nothing
  )
  select id from withheld`,
});
