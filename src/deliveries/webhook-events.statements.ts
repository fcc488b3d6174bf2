import { InputRows } from '../database/statements/input-rows.js';
import { statement } from '../database/statements/statement.js';
import { storeEventsSql } from '../events/event-rows.js';

export const eventInput = new InputRows({
  id: 'uuid',
  eventId: 'uuid',
  endpointId: 'uuid',
  accountId: 'uuid',
  mode: 'text',
  type: 'text',
  messageId: 'uuid',
  body: 'text',
  traceparent: 'text',
  isFeed: 'bool',
});

/* Endpoints that have been deleted meanwhile get none. */
export const addEvents = statement({
  name: 'add-events',
  params: eventInput.params,
  columns: { endpointId: 'uuid', dueMs: 'float8' },
  text: `
  with input as (
    select t.*, e.disabled_at is not null as is_off
    from ${eventInput.sql}
    left join webhook_endpoints e on e.id = t.endpoint_id and not t.is_feed
    where t.is_feed or e.id is not null
  ), ${storeEventsSql('input')}
  select distinct endpoint_id as "endpointId",
    floor(extract(epoch from now()) * 1000)::float8 as "dueMs"
  from input where not is_off and not is_feed`,
});
