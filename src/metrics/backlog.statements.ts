import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { endpointsWithEvents } from '../events/endpoint-events.statements.js';

/** The most events that are counted for one endpoint. */
const countedMax = 100_000;

/** What waits. Every part reads a partial index that holds only what is waiting. */
export const countWaiting = statement({
  name: 'count-waiting',
  columns: {
    scheduled: 'int4',
    queued: 'int4',
    sending: 'int4',
    unconfirmed: 'int4',
    queue_age: 'float8',
    deliveries: 'int4',
    delivery_age: 'float8',
    notifications: 'int4',
    notification_age: 'float8',
    alerts: as<Record<string, number>>('json'),
    holds: as<Record<string, number>>('json'),
  },
  text: `
  ${endpointsWithEvents}
  select
    (select count(*)::int from scheduled_messages where not withdrawn) as scheduled,
    (select count(*)::int from messages where status = 'queued') as queued,
    (select count(*)::int from messages where status = 'sending') as sending,
    (select count(*)::int from messages where status = 'unconfirmed') as unconfirmed,
    (select coalesce(greatest(0, extract(epoch from now() - min(next_attempt_at))), 0)::float8
       from messages where status = 'queued' and (mode = 'test'
         or account_id not in (select id from accounts where hold_kind is not null))) as queue_age,
    d.deliveries, d.delivery_age, n.notifications, n.notification_age,
    (select coalesce(json_object_agg(kind, open), '{}') from (
       select kind, count(*) as open from alerts where resolved_at is null group by kind) a) as alerts,
    (select coalesce(json_object_agg(hold_kind, held), '{}') from (
       select hold_kind, count(*) as held from accounts where hold_kind is not null
       group by hold_kind) h) as holds
  from
    (select coalesce(sum(due), 0)::int as deliveries,
       coalesce(greatest(0, extract(epoch from now() - min(oldest))), 0)::float8 as delivery_age
     from endpoint e cross join lateral (
       select count(*) as due, min(due_at) as oldest from (
         select o.due_at from open_events o
         where o.endpoint_id = e.endpoint_id and o.due_at <= now()
         order by o.due_at limit ${countedMax}) counted) c
     where e.endpoint_id is not null) d,
    (select count(*)::int as notifications,
       coalesce(greatest(0, extract(epoch from now() - min(next_attempt_at))), 0)::float8
         as notification_age
     from platform_notifications where next_attempt_at <= now()) n`,
});
