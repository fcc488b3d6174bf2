import { statement } from '../database/statements/statement.js';
import { storeEventsSql } from '../events/event-rows.js';

/* Endpoints that have been deleted meanwhile get none. */
export const addEvents = statement({
  name: 'add-events',
  params: {
    ids: 'uuid[]',
    eventIds: 'uuid[]',
    endpointIds: 'uuid[]',
    accountIds: 'uuid[]',
    modes: 'text[]',
    types: 'text[]',
    messageIds: 'uuid[]',
    bodies: 'text[]',
    traceparents: 'text[]',
    areFeed: 'bool[]',
  },
  columns: { endpointId: 'uuid', dueMs: 'float8' },
  text: `
  with input as (
    select t.*, e.disabled_at is not null as is_off
    from unnest(:ids::uuid[], :eventIds::uuid[], :endpointIds::uuid[], :accountIds::uuid[],
      :modes::text[], :types::text[], :messageIds::uuid[], :bodies::text[], :traceparents::text[], :areFeed::boolean[])
      as t (id, event_id, endpoint_id, account_id, mode, type, message_id, body, traceparent, is_feed)
    left join webhook_endpoints e on e.id = t.endpoint_id and not t.is_feed
    where t.is_feed or e.id is not null
  ), ${storeEventsSql('input')}
  select distinct endpoint_id as "endpointId",
    floor(extract(epoch from now()) * 1000)::float8 as "dueMs"
  from input where not is_off and not is_feed`,
});
