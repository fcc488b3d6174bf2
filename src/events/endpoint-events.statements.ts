import { statement } from '../database/statements/statement.js';
import { eventColumns } from './event-rows.js';

/** Ends all events that wait for an endpoint. */
export const giveUpWaiting = statement({
  name: 'give-up-waiting-events',
  params: { endpointId: 'uuid', error: 'text' },
  text: `
  with waiting as (
    select id from open_events where endpoint_id = :endpointId order by id for update
  ), given_up as (
    delete from open_events o using waiting w where o.id = w.id returning o.*
  )
  insert into done_events (${eventColumns}, status, attempts, error, log, created_at)
  select ${eventColumns}, 'failed', attempts, :error, log, created_at from given_up`,
});

/** The endpoint starts without failures. @returns those that it had, and whose it is */
export const forgetFailures = statement({
  name: 'forget-failures',
  params: { endpointId: 'uuid' },
  columns: {
    failures: 'int4',
    since: 'timestamptz',
    seconds: 'float8',
    accountId: 'uuid',
    name: 'text',
    apiKeyId: 'uuid',
    keyName: 'text',
  },
  text: `
  with forgotten as (
    delete from webhook_failures where endpoint_id = :endpointId returning *
  )
  select f.failures, f.since, extract(epoch from clock_timestamp() - f.since)::float8 as seconds,
    e.account_id as "accountId", e.name, k.id as "apiKeyId", k.name as "keyName"
  from forgotten f join webhook_endpoints e on e.id = f.endpoint_id join api_keys k on k.id = e.api_key_id`,
});

/** From one endpoint to the next along the index, however many events lie between. */
export const endpointsWithEvents = `
  with recursive endpoint as (
    (select endpoint_id from open_events order by endpoint_id limit 1)
    union all
    select (select o.endpoint_id from open_events o where o.endpoint_id > e.endpoint_id
            order by o.endpoint_id limit 1)
    from endpoint e where e.endpoint_id is not null
  )`;
