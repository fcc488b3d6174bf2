/** The columns that an event has from the start and keeps when it moves from one table to the other. */
export const eventColumns =
  'id, event_id, endpoint_id, account_id, mode, type, message_id, body, traceparent';

/** For the database: a time as the body of an event has it, as `toISOString` writes it. */
export const isoTime = (time: string) =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Expressions that store an event for each row of `from`, as part of the caller's statement. Where the
 * endpoint is switched off (`is_off`) it is stored as failed, to be recovered later; where `is_feed`, it goes
 * into the feed of the key that `endpoint_id` is then.
 * @param values what each of `eventColumns` is.
 */
export const storeEventsSql = (from: string, values = eventColumns) => `
  open as (
    insert into open_events (${eventColumns}) select ${values} from ${from} where not is_off and not is_feed
  ), missed as (
    insert into done_events (${eventColumns}, status, attempts, error, created_at)
    select ${values}, 'failed', 0, 'endpoint_off', now() from ${from} where is_off
  ), fed as (
    insert into feed_events (id, api_key_id, type, body)
    select event_id, endpoint_id, type, body from (select ${values} from ${from} where is_feed) as f (${eventColumns})
  )`;
