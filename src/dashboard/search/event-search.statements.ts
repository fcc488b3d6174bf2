import type { Mode } from '../../access/mode.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';

const columns = 'd.id, d.event_id, d.endpoint_id, d.account_id, d.mode, d.type, d.created_at';

const isWanted = `d.account_id = any (:accountIds::uuid[])
  and (d.id = :eventId or (d.event_id = :eventId and d.id >= :eventFirstId and d.id < :eventEndId))`;

/** Deliveries by their own id or that of their event. */
export const findDeliveriesOfEvent = statement({
  name: 'find-deliveries-of-event',
  params: {
    accountIds: 'uuid[]',
    eventId: 'uuid',
    eventFirstId: 'uuid',
    eventEndId: 'uuid',
    limit: 'int8',
  },
  columns: {
    id: 'uuid',
    event_id: 'uuid',
    account_id: 'uuid',
    mode: as<Mode>('text'),
    type: 'text',
    created_at: 'timestamptz',
    status: 'text',
    endpoint_name: 'text?',
  },
  text: `
  select f.id, f.event_id, f.account_id, f.mode, f.type, f.created_at, f.status, e.name as endpoint_name
  from (select ${columns}, case when d.attempts > d.attempts_before then 'Retrying' else 'Pending' end as status
      from open_events d where ${isWanted}
    union all select ${columns}, initcap(d.status) from done_events d where ${isWanted}) f
  left join webhook_endpoints e on e.id = f.endpoint_id
  order by f.id desc limit :limit`,
});
