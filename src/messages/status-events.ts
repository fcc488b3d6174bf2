/** Statuses that callers hear of by webhook, in the order in which they hear of them. */
const toldStatuses = ['unconfirmed', 'sent', 'delivered', 'read', 'failed'] as const;

const list = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

/** The same as `failureView`, for the database: the event is written with the change itself. */
const failureJson = (error: string) => `
  case when ${error}->>'platformCode' is null
    then json_build_object('code', ${error}->'code', 'message', ${error}->'message',
      'retryable', ${error}->'retryable', 'reason', ${error}->'reason')
    else json_build_object('code', ${error}->'code', 'message', ${error}->'message',
      'retryable', ${error}->'retryable', 'whatsapp_error_code', ${error}->'platformCode',
      'whatsapp_error_message', ${error}->'platformMessage') end`;

/**
 * Expressions that write an event and its delivery for each status that a message has entered, where
 * its key has a webhook that wants status events. They are part of the statement of the change, so
 * that there is no change without its event, and none twice: a message enters each status at most
 * once, whoever notices it. Keys without a webhook cost a look into a small index.
 *
 * An endpoint that is switched off gets its deliveries as failed, to be recovered later.
 *
 * The expression `told` (id, api_key_id, is_off) says whose endpoint has something to get.
 * @param steps an expression with one row for each status to tell: the columns of `toldColumns`,
 * where `status` is that status. A message may have several; they are told in the order of their rank.
 */
export const tellCallersSql = (steps: string) => `
  told as materialized (
    select c.*, new_id() as event_id, new_id() as delivery_id,
      k.webhook_disabled_at is not null as is_off
    from ${steps} c join api_keys k on k.id = c.api_key_id and k.webhook_url is not null
    where c.status in (${list(toldStatuses)})
      and (k.webhook_events is null or 'message.status' = any (k.webhook_events))
    order by c.id, array_position(array[${list(toldStatuses)}], c.status)
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

/** The columns of a message that `tellCallersSql` needs, from the table `m`. */
export const toldColumns = `m.id, m.account_id, m.api_key_id, m.mode, m.recipient, m.reference,
      m.platform_message_id, m.status, m.error, m.origin, m.changes, m.traceparent`;

/** Whose endpoint has something to get because of the row `c`; null when nobody's. */
export const endpointToWake = `(select t.api_key_id from told t where t.id = c.id and not t.is_off limit 1)`;
