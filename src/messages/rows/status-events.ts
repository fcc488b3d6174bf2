import { contactOf } from '../../contacts/contact-of-message.js';
import { isoTime, storeEventsSql } from '../../events/event-rows.js';
import { toldStatuses } from '../../events/event-types.js';
import { hearersSql } from '../../events/hearers.js';

const list = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

/** Whether the endpoint `e` has asked for the status of the row `c`. */
const wantsStatus = `(e.statuses is null or c.status = any (e.statuses))
    -- News for endpoints that say what they want: others may not know the status.
    and (c.status <> 'cancelled' or e.events is not null)`;

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

/** An event of a row of `told`. */
const toldEvent = `uuidv7(), event_id, endpoint_id, account_id, mode, 'message.status', id, body,
      traceparent`;

/** A campaign may tell of failures only, or of nothing. */
const isTold = `(s.campaign_id is null or exists (select from campaigns g where g.id = s.campaign_id
        and (g.message_events = 'all' or g.message_events = 'failed' and s.status = 'failed')))`;

/** When the row `c` changed, as the message shows it. */
const changedAt = `case c.status when 'sent' then c.sent_at when 'failed' then c.failed_at end`;

/**
 * Expressions that write an event for each status that a message has entered, for everyone who hears of it.
 * They are part of the statement that makes the change, so there is no change without its events, and no event
 * twice: a message enters each status at most once. All get the same id and the same bytes. Revoked keys get no
 * events; suspended and inactive ones do.
 *
 * The expression `told` (id, endpoint_id, is_off, is_feed) says who has something to get.
 * @param steps an expression with one row for each status to tell: the columns of `toldColumns`,
 * where `status` is that status. A message may have several; they are reported in the order of their rank.
 * @param occurredAt when the platform says that the status of the row `c` came about; may be null.
 */
export const insertStatusEventsSql = (steps: string, occurredAt = 'null::timestamptz') => `
  told as materialized (
    select c.*, h.endpoint_id, h.is_off, h.is_feed, json_build_object(
      'event', 'message.status',
      'timestamp', ${isoTime('c.told_at')},
      'data', json_build_object(
        'message_id', c.id, 'platform_message_id', c.platform_message_id, 'to', c.recipient,
        'to_user_id', c.to_user_id, 'contact_id', ${contactOf('c')}, 'reference', c.reference, 'status', c.status,
        'occurred_at', ${isoTime(`coalesce(${occurredAt}, ${changedAt}, c.told_at)`)},
        'held', c.held and c.status = 'sent',
        'error', case when c.status = 'failed' then (${failureJson('c.error')}) end))::text as body
    from (
      select s.*, uuidv7() as event_id, clock_timestamp() as told_at from ${steps} s
      where s.status in (${list(toldStatuses)}) and ${isTold}
    ) c cross join lateral (${hearersSql('message.status', 'c', wantsStatus)}) h
    order by c.id, array_position(array[${list(toldStatuses)}], c.status)
  ), ${storeEventsSql('told', toldEvent)}`;

/** The columns of a message that `insertStatusEventsSql` needs, from the rows `m`. */
export const toldColumnsWith = (
  status: string,
) => `m.id, m.account_id, m.api_key_id, m.mode, m.recipient, m.to_user_id, m.reference,
      m.platform_message_id, ${status}, m.held, m.sent_at, m.failed_at, m.error, m.origin,
      m.traceparent, m.fallback_for, m.campaign_id`;

export const toldColumns = toldColumnsWith('m.status');

/** The endpoints that have something to get because of the row `c`, each an `EventHint`; null when there are none. */
export const endpointsToWake = `
  (select json_agg(json_build_object('endpointId', t.endpoint_id,
     'dueMs', floor(extract(epoch from now()) * 1000)::bigint))
   from told t where t.id = c.id and not t.is_off and not t.is_feed)`;
