/** Statuses that callers are told of by webhook. */
export const toldStatuses = ['unconfirmed', 'sent', 'delivered', 'read', 'failed'] as const;

/** The same as `failureView`, for the database: the event is written with the change itself. */
const failureJson = (error: string) => `
  case when ${error}->>'platformCode' is null
    then json_build_object('code', ${error}->'code', 'message', ${error}->'message',
      'retryable', ${error}->'retryable', 'reason', ${error}->'reason')
    else json_build_object('code', ${error}->'code', 'message', ${error}->'message',
      'retryable', ${error}->'retryable', 'whatsapp_error_code', ${error}->'platformCode',
      'whatsapp_error_message', ${error}->'platformMessage') end`;

/**
 * Expressions that write an event and its delivery for each changed row whose key has a webhook that
 * wants status events. They stand in the statement of the change, so that there is no change without
 * its event, and none twice: a message enters each status at most once, whoever notices it. Keys
 * without a webhook cost a look into a small index.
 *
 * An endpoint that is switched off gets its deliveries as failed, to be recovered later.
 *
 * The expression `told` (id, api_key_id, is_off) tells whose endpoint has something to get.
 * @param changed an expression with the message's columns, and `before`, its status until now.
 */
export const tellCallersSql = (changed: string) => `
  told as materialized (
    select c.*, new_id() as event_id, new_id() as delivery_id,
      k.webhook_disabled_at is not null as is_off
    from ${changed} c join api_keys k on k.id = c.api_key_id and k.webhook_url is not null
    where c.before <> c.status and c.status in (${toldStatuses.map((status) => `'${status}'`).join(', ')})
      and (k.webhook_events is null or 'message.status' = any (k.webhook_events))
  ), told_events as (
    insert into webhook_events (id, account_id, mode, type, body, traceparent)
    select t.event_id, t.account_id, t.mode, 'message.status', json_build_object(
      'event', 'message.status',
      'timestamp', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', json_build_object(
        'message_id', t.id, 'platform_message_id', t.platform_message_id, 'to', t.recipient,
        'reference', t.reference, 'status', t.status,
        'error', case when t.status = 'failed' then (${failureJson('t.error')}) end))::text,
      t.traceparent
    from told t
  ), told_deliveries as (
    insert into webhook_deliveries (id, event_id, account_id, api_key_id, mode, type, message_id,
      status, next_attempt_at, error, finished_at)
    select t.delivery_id, t.event_id, t.account_id, t.api_key_id, t.mode, 'message.status', t.id,
      case when t.is_off then 'failed' else 'pending' end,
      case when t.is_off then null else now() end,
      case when t.is_off then 'endpoint_off' end, case when t.is_off then now() end
    from told t
  )`;

/** The columns of a changed message that `tellCallersSql` needs, from the table `m`. */
export const toldColumns = `m.id, m.account_id, m.api_key_id, m.mode, m.recipient, m.reference,
      m.platform_message_id, m.status, m.error, m.origin, m.changes, m.traceparent`;

/** Whose endpoint has something to get because of the row `c`; null when nobody's. */
export const endpointToWake = `(select t.api_key_id from told t where t.id = c.id and not t.is_off)`;
