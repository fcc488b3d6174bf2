import { statement } from '../database/statements/statement.js';
import { eventColumns } from '../events/event-rows.js';

/** A row's earlier attempts with the last one, which a finished row keeps in columns. */
export const wholeLog = `case when d.last_at is null then d.log else coalesce(d.log, '[]') ||
  jsonb_build_object('number', d.attempts, 'at', d.last_at, 'duration_ms', d.last_ms,
    'url', d.last_url, 'status_code', d.last_status, 'response', d.last_response, 'error', d.error) end`;

/** A row back on its way: same event, same bytes, the whole schedule from the start. */
const reopenSql = `
  insert into open_events (${eventColumns}, attempts, attempts_before, log, created_at)
  select ${eventColumns}, d.attempts, d.attempts, ${wholeLog}, d.created_at
  from back d order by d.id
  on conflict (id) do nothing`;

/* A redelivery makes no copy: the row moves back. An event that is still on its way becomes due at once. */
export const redeliverEvent = statement({
  name: 'redeliver-event',
  params: { id: 'uuid' },
  text: `
  with back as (
    delete from done_events where id = :id returning *
  ), reopened as (${reopenSql})
  update open_events set due_at = now(), attempts_before = attempts, error = null where id = :id`,
});

export const recoverEvents = statement({
  name: 'recover-events',
  params: { endpointId: 'uuid', since: 'timestamptz', limit: 'int8', after: 'uuid' },
  columns: { count: 'int4', last: 'text?' },
  text: `
  with failed as (
    select id from done_events
    where endpoint_id = :endpointId and status = 'failed' and created_at >= :since and id > :after
    order by id limit :limit for update skip locked
  ), back as (
    delete from done_events d using failed f where d.id = f.id returning d.*
  ), reopened as (${reopenSql})
  select count(*)::int as count, max(id::text) as last from back`,
});
