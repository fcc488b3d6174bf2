import { contactOf } from '../../contacts/contact-of-message.js';
import { storeEventsSql } from '../../events/event-rows.js';

/** Statuses that webhooks report, in the order in which they report them. */
export const toldStatuses = ['unconfirmed', 'sent', 'delivered', 'read', 'failed'] as const;

const list = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

/** The same as `failureView`, for the database: the event is written with the change itself. */
const failureJson = (error: string) => `
  jsonb_build_object('code', ${error}->'code', 'message', ${error}->'message',
    'retryable', ${error}->'retryable')
  || case when ${error}->>'platformCode' is null
    then jsonb_build_object('reason', ${error}->'reason')
    else jsonb_build_object('whatsapp_error_code', ${error}->'platformCode',
      'whatsapp_error_message', ${error}->'platformMessage') end
  || jsonb_strip_nulls(jsonb_build_object('fallback_message_id', ${error}->'fallbackMessageId',
    'fallback_reason', ${error}->'fallbackReason'))`;

const isoTime = (time: string) =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** An event of a row of `told`. */
const toldEvent = `uuidv7(), uuidv7(), api_key_id, account_id, mode, 'message.status', id, body,
      traceparent`;

/** When the row `c` changed, as the message shows it. */
const changedAt = `case c.status when 'sent' then c.sent_at when 'failed' then c.failed_at end`;

/**
 * Expressions that write an event for each status that a message has entered, where its key has a
 * webhook that wants status events. They are part of the statement that makes the change, so there is
 * no change without its event, and no event twice: a message enters each status at most once. Keys
 * without a webhook cost a look into a small index. Revoked keys get no events; suspended and inactive
 * ones do.
 *
 * The expression `told` (id, api_key_id, is_off) says whose endpoint has something to get.
 * @param steps an expression with one row for each status to tell: the columns of `toldColumns`,
 * where `status` is that status. A message may have several; they are reported in the order of their rank.
 * @param occurredAt when the platform says that the status of the row `c` came about; may be null.
 */
export const insertStatusEventsSql = (steps: string, occurredAt = 'null::timestamptz') => `
  told as materialized (
    select c.*, k.webhook_disabled_at is not null as is_off, json_build_object(
      'event', 'message.status',
      'timestamp', ${isoTime('clock_timestamp()')},
      'data', json_build_object(
        'message_id', c.id, 'platform_message_id', c.platform_message_id, 'to', c.recipient,
        'to_user_id', c.to_user_id, 'contact_id', ${contactOf('c')}, 'reference', c.reference, 'status', c.status,
        'occurred_at', ${isoTime(`coalesce(${occurredAt}, ${changedAt}, clock_timestamp())`)},
        'held', c.held and c.status = 'sent',
        'error', case when c.status = 'failed' then (${failureJson('c.error')}) end))::text as body
    from ${steps} c join api_keys k
      on k.id = c.api_key_id and k.webhook_url is not null and k.revoked_at is null
    where c.status in (${list(toldStatuses)})
      and (k.webhook_events is null or 'message.status' = any (k.webhook_events))
    order by c.id, array_position(array[${list(toldStatuses)}], c.status)
  ), ${storeEventsSql('told', toldEvent)}`;

/** The columns of a message that `insertStatusEventsSql` needs, from the table `m`. */
export const toldColumns = `m.id, m.account_id, m.api_key_id, m.mode, m.recipient, m.to_user_id, m.reference,
      m.platform_message_id, m.status, m.held, m.sent_at, m.failed_at, m.error, m.origin,
      m.traceparent, m.fallback_for`;

/** The endpoint that has something to get because of the row `c`, an `EventHint`; null when there is none. */
export const endpointToWake = `
  (select json_build_object('endpointId', t.api_key_id,
     'dueMs', floor(extract(epoch from now()) * 1000)::bigint)
   from told t where t.id = c.id and not t.is_off limit 1)`;
