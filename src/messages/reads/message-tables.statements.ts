import type { MessageStatus } from '../rows/message-status.js';

/** What reads need of the table of all messages that were accepted or released. */
const fromMessages = `
  select id, account_id, api_key_id, mode, type, status, receipt, recipient, to_user_id, reference,
    resent_from, sent_as, fallback_for, platform_message_id, held, pricing, error, payload, address,
    created_at, send_at, queued_at, expires_at, sent_at, delivered_at, read_at, failed_at, campaign_id
  from messages`;

/** The same of those that wait for their time. */
const fromScheduled = `
  select id, account_id, api_key_id, mode, type, 'scheduled'::text, null::text, recipient, to_user_id, reference,
    null::uuid, sent_as, null::uuid, null::text, false, null::jsonb, null::jsonb, payload, null::text,
    created_at, send_at, null::timestamptz, expires_at, null::timestamptz, null::timestamptz,
    null::timestamptz, null::timestamptz, null::uuid
  from scheduled_messages where not withdrawn`;

/** Every message, scheduled or not, as a table expression. */
export const allMessages = `(${fromMessages} union all ${fromScheduled})`;

/** The table expression for messages in these statuses; absent: in any. */
export function messagesIn(statuses?: readonly MessageStatus[]): string {
  if (!statuses?.includes('scheduled')) return statuses ? `(${fromMessages})` : allMessages;
  return statuses.every((status) => status === 'scheduled')
    ? // The names of the columns are those of the first part.
      `(${fromMessages} where false union all ${fromScheduled})`
    : allMessages;
}
