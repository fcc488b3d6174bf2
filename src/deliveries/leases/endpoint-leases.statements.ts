import { hearsOwnSql } from '../../access/key-state.js';
import { as, type RowOf } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';
import type { EndpointFormat } from '../../endpoints/endpoint.entity.js';
import { defaultMaxInFlight } from '../../endpoints/endpoint-limits.js';
import { withheldSql } from '../../events/hearers.js';

/** How long a lease lasts by PostgreSQL's clock. It is renewed each second. */
export const leaseMs = 3_000;

/** A lease that ends impossibly late is left over from another clock. */
const isOver = (lease: string) => `(${lease}.until <= clock_timestamp()
  or ${lease}.until > clock_timestamp() + interval '${leaseMs + 1_000} milliseconds')`;

const target = `case when ${hearsOwnSql} then e.url end as url,
  coalesce(e.disabled_at is not null, false) as "isOff", coalesce(e.format, 'parley') as format,
  coalesce(e.max_in_flight, ${defaultMaxInFlight}) as "maxInFlight",
  array_remove(array[e.secret,
    case when e.previous_expires_at > now() then e.previous_secret end,
    case when e.older_expires_at > now() then e.older_secret end],
    null) as "sealedSecrets",
  ${withheldSql} as withheld,
  f.endpoint_id is not null as "isFailing"`;

const targetColumns = {
  /** Null if it has no address any more, if its key is revoked, or if it is gone. */
  url: 'text?',
  isOff: 'bool',
  /** How its requests are signed. */
  format: as<EndpointFormat>('text'),
  /** Attempts at once, at most. */
  maxInFlight: 'int4',
  /** More than one only during a rotation. */
  sealedSecrets: 'text[]',
  /** Types of events that its key may not read. */
  withheld: 'text[]',
  /** Whether its last attempt failed. */
  isFailing: 'bool',
} as const;

/** Where an endpoint's events go, as it is when the lease is taken or renewed. */
export type EndpointTarget = RowOf<typeof targetColumns>;

const withTarget = (id: string) => `left join webhook_endpoints e on e.id = ${id}
  left join api_keys k on k.id = e.api_key_id
  left join webhook_failures f on f.endpoint_id = ${id}`;

const newEnd = `clock_timestamp() + interval '${leaseMs} milliseconds'`;

/* Only ids without a living lease are inserted: a refused upsert would lock the row all the same. */
export const takeEndpoints = statement({
  name: 'take-endpoints',
  params: { endpointIds: 'uuid[]' },
  columns: {
    endpointId: 'uuid',
    /** Null: another worker has the lease. */
    term: 'uuid?',
    /** Events that the worker before still has under way, and for how long. */
    busy: 'uuid[]?',
    busyMs: 'int4?',
    /** Where it was refused: for how long the other worker has it. */
    refusedMs: 'int4?',
    ...targetColumns,
  },
  text: `
  with wanted as (
    select t.id, l.until, l.endpoint_id is null or ${isOver('l')} as is_free
    from unnest(:endpointIds::uuid[]) as t (id) left join endpoint_leases l on l.endpoint_id = t.id
  ), taken as (
    insert into endpoint_leases as l (endpoint_id, term, until)
    select id, gen_random_uuid(), ${newEnd} from wanted where is_free order by id
    on conflict (endpoint_id) do update set term = excluded.term, until = excluded.until
      where ${isOver('l')}
    returning l.endpoint_id, l.term, l.busy,
      (extract(epoch from l.busy_until - clock_timestamp()) * 1000)::int as busy_ms
  )
  select w.id as "endpointId", t.term,
    case when t.busy_ms > 0 then t.busy end as busy, greatest(t.busy_ms, 0) as "busyMs",
    case when t.term is null then greatest(0, least(${leaseMs},
      extract(epoch from w.until - clock_timestamp()) * 1000))::int end as "refusedMs", ${target}
  from wanted w left join taken t on t.endpoint_id = w.id ${withTarget('w.id')}`,
});

export const renewEndpoints = statement({
  name: 'renew-endpoints',
  params: { endpointIds: 'uuid[]', terms: 'uuid[]' },
  columns: {
    endpointId: 'uuid',
    ...targetColumns,
    /** Since when a retry is due, also one of another worker; by PostgreSQL's clock. Null if none has become due. */
    retryDueMs: 'float8?',
  },
  text: `
  with renewed as (
    update endpoint_leases l set until = ${newEnd}
    from unnest(:endpointIds::uuid[], :terms::uuid[]) as t (id, term)
    where l.endpoint_id = t.id and l.endpoint_id = any (:endpointIds::uuid[]) and l.term = t.term
    returning l.endpoint_id
  )
  select r.endpoint_id as "endpointId", ${target},
    (select floor(extract(epoch from min(o.due_at)) * 1000)::float8 from open_events o
     where o.endpoint_id = r.endpoint_id and o.attempts > 0
       and o.due_at between clock_timestamp() - interval '${leaseMs} milliseconds' and clock_timestamp())
      as "retryDueMs"
  from renewed r ${withTarget('r.endpoint_id')}`,
});

export const releaseEndpoints = statement({
  name: 'release-endpoints',
  params: { endpointIds: 'uuid[]', terms: 'uuid[]', busy: 'text[]', busyMs: 'numeric' },
  columns: { dueInMs: 'float8?' },
  text: `
  update endpoint_leases l set until = '-infinity', busy = t.busy::uuid[],
    busy_until = clock_timestamp() + make_interval(secs => :busyMs / 1000.0)
  from unnest(:endpointIds::uuid[], :terms::uuid[], :busy::text[]) as t (id, term, busy)
  where l.endpoint_id = t.id and l.endpoint_id = any (:endpointIds::uuid[]) and l.term = t.term
  returning (select extract(epoch from min(o.due_at) - clock_timestamp())::float8 * 1000
    from open_events o where o.endpoint_id = l.endpoint_id) as "dueInMs"`,
});

/* Leases that are given back end at -infinity. These have expired: their workers are dead, or were cut off. */
export const findLapsedLeases = statement({
  name: 'find-lapsed-leases',
  columns: { endpointId: 'uuid' },
  text: `
  select l.endpoint_id as "endpointId" from endpoint_leases l
  where l.until > '-infinity' and ${isOver('l')}`,
});
