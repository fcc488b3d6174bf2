import { Injectable } from '@nestjs/common';
import { HotStatements } from '../database/hot-statements.js';

/** Where reading an endpoint's events goes on: everything due before it is in hand or settled. */
export interface ReadMark {
  /** Milliseconds of PostgreSQL's clock, rounded down. */
  readonly dueMs: number;
  /** The same with all its digits. */
  readonly dueAt: string;
  readonly seq: string;
}

/** The start of an endpoint's events. */
export const firstMark: ReadMark = { dueMs: 0, dueAt: '-infinity', seq: '0' };

/** The mark from which everything is read that is due from a moment on. */
export function markAt(dueMs: number): ReadMark {
  return { dueMs, dueAt: new Date(dueMs).toISOString(), seq: '0' };
}

/** What to read of one endpoint. */
export interface EventRead {
  readonly endpointId: string;
  readonly after: ReadMark;
  readonly limit: number;
}

/** An event that is due at an endpoint. */
export interface OpenEvent {
  readonly id: string;
  /** The same at every endpoint and every attempt. */
  readonly eventId: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly type: string;
  /** Attempts made so far, and how many of them before the last redelivery. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  readonly body: string;
  /** The trace of the message that it is about; null where that is not traced. */
  readonly traceparent: string | null;
  readonly mark: ReadMark;
}

interface OpenEventRow extends Omit<OpenEvent, 'mark'>, ReadMark {}

const readStatement = {
  name: 'read-open-events',
  text: `
  select o.id, o.event_id as "eventId", o.endpoint_id as "endpointId", o.account_id as "accountId", o.type,
    o.attempts, o.attempts_before as "attemptsBefore", o.body, o.traceparent,
    floor(extract(epoch from o.due_at) * 1000)::float8 as "dueMs", o.due_at::text as "dueAt",
    o.seq::text as seq
  from unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::int[])
      with ordinality as e (endpoint_id, due_at, seq, room, position)
  cross join lateral (
    select * from open_events w
    where w.endpoint_id = e.endpoint_id and (w.due_at, w.seq) > (e.due_at, e.seq)
      and w.due_at <= now() and w.id <> all ($5::uuid[])
    order by w.due_at, w.seq limit e.room
  ) o
  order by e.position, o.due_at, o.seq`,
};

/** From one endpoint to the next along the index, however many events lie between. */
export const endpointsWithEvents = `
  with recursive endpoint as (
    (select endpoint_id from open_events order by endpoint_id limit 1)
    union all
    select (select o.endpoint_id from open_events o where o.endpoint_id > e.endpoint_id
            order by o.endpoint_id limit 1)
    from endpoint e where e.endpoint_id is not null
  )`;

const scanStatement = {
  name: 'scan-open-events',
  text: `
  ${endpointsWithEvents}
  select e.endpoint_id as "endpointId", extract(epoch from o.due_at - now())::float8 * 1000 as "dueInMs"
  from endpoint e cross join lateral (
    select due_at from open_events where endpoint_id = e.endpoint_id order by due_at limit 1) o
  where e.endpoint_id is not null
    and not exists (select from endpoint_leases l where l.endpoint_id = e.endpoint_id
      and l.until > clock_timestamp() and l.until < clock_timestamp() + interval '4 seconds')`,
};

/** Reads events that are due. */
@Injectable()
export class OpenEvents {
  constructor(private readonly statements: HotStatements) {}

  /**
   * The next events of endpoints, each in the order in which they are due.
   * @param inHand events that this process had when it asked. They are left out even if they are settled
   * by the time of the answer, so no event is delivered again because a read began before it was settled.
   */
  async read(reads: readonly EventRead[], inHand: readonly string[]): Promise<OpenEvent[]> {
    const rows = await this.statements.run<OpenEventRow>(readStatement, [
      reads.map(({ endpointId }) => endpointId),
      reads.map(({ after }) => after.dueAt),
      reads.map(({ after }) => after.seq),
      reads.map(({ limit }) => limit),
      inHand,
    ]);
    return rows.map(({ dueMs, dueAt, seq, ...event }) => ({
      ...event,
      mark: { dueMs, dueAt, seq },
    }));
  }

  /** Endpoints that no worker has, and when the first of their events is due, from now; below 0 it is. */
  unowned(): Promise<{ endpointId: string; dueInMs: number }[]> {
    return this.statements.run(scanStatement, []);
  }
}
