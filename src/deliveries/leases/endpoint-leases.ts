import { Injectable } from '@nestjs/common';
import { hearsOwnSql } from '../../access/key-state.js';
import { HotStatements } from '../../database/hot-statements.js';
import type { EndpointFormat } from '../../endpoints/endpoint.entity.js';
import { defaultMaxInFlight } from '../../endpoints/endpoint-limits.js';
import { withheldSql } from '../../events/hearers.js';

/** How long a lease lasts by PostgreSQL's clock. It is renewed each second. */
export const leaseMs = 3_000;

/** Where an endpoint's events go, as it is when the lease is taken or renewed. */
export interface EndpointTarget {
  /** Null if it has no address any more, if its key is revoked, or if it is gone. */
  readonly url: string | null;
  readonly isOff: boolean;
  /** How its requests are signed. */
  readonly format: EndpointFormat;
  /** Sealed; more than one only during a rotation. */
  readonly sealedSecrets: readonly string[];
  /** Types of events that its key may not read. */
  readonly withheld: readonly string[];
  /** Attempts at once, at most. */
  readonly maxInFlight: number;
  /** Whether its last attempt failed. */
  readonly isFailing: boolean;
}

/** A lease that was asked for. */
export interface LeaseAnswer extends EndpointTarget {
  readonly endpointId: string;
  /** Null: another worker has the lease. */
  readonly term: string | null;
  /** Events that the worker before still has under way, and for how long. */
  readonly busy: readonly string[] | null;
  readonly busyMs: number | null;
  /** Where it was refused: for how long the other worker has it. */
  readonly refusedMs: number | null;
}

/** A lease that goes on. */
export interface RenewedLease extends EndpointTarget {
  readonly endpointId: string;
  /** Since when a retry is due, also one of another worker; by PostgreSQL's clock. Null if none has become due. */
  readonly retryDueMs: number | null;
}

/** A lease of this worker. */
export interface HeldLease {
  readonly endpointId: string;
  readonly term: string;
}

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

const withTarget = (id: string) => `left join webhook_endpoints e on e.id = ${id}
  left join api_keys k on k.id = e.api_key_id
  left join webhook_failures f on f.endpoint_id = ${id}`;

const newEnd = `clock_timestamp() + interval '${leaseMs} milliseconds'`;

/* Only ids without a living lease are inserted: a refused upsert would lock the row all the same. */
const takeStatement = {
  name: 'take-endpoints',
  text: `
  with wanted as (
    select t.id, l.until, l.endpoint_id is null or ${isOver('l')} as is_free
    from unnest($1::uuid[]) as t (id) left join endpoint_leases l on l.endpoint_id = t.id
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
};

const renewStatement = {
  name: 'renew-endpoints',
  text: `
  with renewed as (
    update endpoint_leases l set until = ${newEnd}
    from unnest($1::uuid[], $2::uuid[]) as t (id, term)
    where l.endpoint_id = t.id and l.endpoint_id = any ($1::uuid[]) and l.term = t.term
    returning l.endpoint_id
  )
  select r.endpoint_id as "endpointId", ${target},
    (select floor(extract(epoch from min(o.due_at)) * 1000)::float8 from open_events o
     where o.endpoint_id = r.endpoint_id and o.attempts > 0
       and o.due_at between clock_timestamp() - interval '${leaseMs} milliseconds' and clock_timestamp())
      as "retryDueMs"
  from renewed r ${withTarget('r.endpoint_id')}`,
};

const releaseStatement = {
  name: 'release-endpoints',
  text: `
  update endpoint_leases l set until = '-infinity', busy = t.busy::uuid[],
    busy_until = clock_timestamp() + make_interval(secs => $4 / 1000.0)
  from unnest($1::uuid[], $2::uuid[], $3::text[]) as t (id, term, busy)
  where l.endpoint_id = t.id and l.endpoint_id = any ($1::uuid[]) and l.term = t.term
  returning (select extract(epoch from min(o.due_at) - clock_timestamp())::float8 * 1000
    from open_events o where o.endpoint_id = l.endpoint_id) as "dueInMs"`,
};

/* Leases that are given back end at -infinity. These have expired: their workers are dead, or were cut off. */
const lapsedStatement = {
  name: 'find-lapsed-leases',
  text: `
  select l.endpoint_id as "endpointId" from endpoint_leases l
  where l.until > '-infinity' and ${isOver('l')}`,
};

/**
 * Which worker delivers to which endpoint. One worker owns an endpoint for a few seconds at a time,
 * so events are read without being written to, and one bound holds for all attempts at it. A lease
 * gets a random term when it is taken: a worker that was paused finds a different term and has lost it.
 */
@Injectable()
export class EndpointLeases {
  constructor(private readonly statements: HotStatements) {}

  /** Takes the endpoints that no other worker has. */
  takeLeases(endpointIds: readonly string[]): Promise<LeaseAnswer[]> {
    return this.statements.run(takeStatement, [endpointIds.toSorted()]);
  }

  /** Endpoints whose worker has lost them without giving them back. */
  async lapsed(): Promise<string[]> {
    const rows = await this.statements.run<{ endpointId: string }>(lapsedStatement, []);
    return rows.map(({ endpointId }) => endpointId);
  }

  /** @returns the leases that are still ours, with their targets as they are now. */
  renew(leases: readonly HeldLease[]): Promise<RenewedLease[]> {
    const sorted = byEndpoint(leases);
    return this.statements.run(renewStatement, [
      sorted.map(({ endpointId }) => endpointId),
      sorted.map(({ term }) => term),
    ]);
  }

  /**
   * Gives leases back.
   * @param busyOf the events of an endpoint that are still under way here.
   * @param busyMs for how long the next worker must leave them alone.
   * @returns when the next of their events is due, from now, below 0 if it is; null if there is none.
   */
  async release(
    leases: readonly HeldLease[],
    busyOf: (endpointId: string) => readonly string[],
    busyMs: number,
  ): Promise<number | null> {
    const sorted = byEndpoint(leases);
    const rows = await this.statements.run<{ dueInMs: number | null }>(releaseStatement, [
      sorted.map(({ endpointId }) => endpointId),
      sorted.map(({ term }) => term),
      sorted.map(({ endpointId }) => `{${busyOf(endpointId).join(',')}}`),
      busyMs,
    ]);
    const waiting = rows.flatMap(({ dueInMs }) => dueInMs ?? []);
    return waiting.length > 0 ? Math.min(...waiting) : null;
  }
}

function byEndpoint(leases: readonly HeldLease[]): HeldLease[] {
  return leases.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
}
