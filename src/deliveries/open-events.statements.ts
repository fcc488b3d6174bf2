import { statement } from '../database/statements/statement.js';
import { endpointsWithEvents } from '../events/endpoint-events.statements.js';

export const readOpenEvents = statement({
  name: 'read-open-events',
  params: {
    endpointIds: 'uuid[]',
    dueAfter: 'timestamptz[]',
    afterSeqs: 'int8[]',
    limits: 'int4[]',
    inHand: 'uuid[]',
  },
  columns: {
    id: 'uuid',
    /** The same at every endpoint and every attempt. */
    eventId: 'uuid',
    endpointId: 'uuid',
    accountId: 'uuid',
    type: 'text',
    /** Attempts made so far, and how many of them before the last redelivery. */
    attempts: 'int2',
    attemptsBefore: 'int2',
    body: 'text',
    /** The trace of the message that it is about; null where that is not traced. */
    traceparent: 'text?',
    dueMs: 'float8',
    dueAt: 'text',
    seq: 'text',
  },
  text: `
  select o.id, o.event_id as "eventId", o.endpoint_id as "endpointId", o.account_id as "accountId", o.type,
    o.attempts, o.attempts_before as "attemptsBefore", o.body, o.traceparent,
    floor(extract(epoch from o.due_at) * 1000)::float8 as "dueMs", o.due_at::text as "dueAt",
    o.seq::text as seq
  from unnest(:endpointIds::uuid[], :dueAfter::timestamptz[], :afterSeqs::bigint[], :limits::int[])
      with ordinality as e (endpoint_id, due_at, seq, room, position)
  cross join lateral (
    select * from open_events w
    where w.endpoint_id = e.endpoint_id and (w.due_at, w.seq) > (e.due_at, e.seq)
      and w.due_at <= now() and w.id <> all (:inHand::uuid[])
    order by w.due_at, w.seq limit e.room
  ) o
  order by e.position, o.due_at, o.seq`,
});

export const scanOpenEvents = statement({
  name: 'scan-open-events',
  columns: { endpointId: 'uuid', dueInMs: 'float8' },
  text: `
  ${endpointsWithEvents}
  select e.endpoint_id as "endpointId", extract(epoch from o.due_at - now())::float8 * 1000 as "dueInMs"
  from endpoint e cross join lateral (
    select due_at from open_events where endpoint_id = e.endpoint_id order by due_at limit 1) o
  where e.endpoint_id is not null
    and not exists (select from endpoint_leases l where l.endpoint_id = e.endpoint_id
      and l.until > clock_timestamp() and l.until < clock_timestamp() + interval '4 seconds')`,
});
