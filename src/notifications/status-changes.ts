import { isUUID } from 'class-validator';
import type { StatusChanged } from '#libs/whatsapp';
import { phoneOf } from '../contacts/contact.js';
import type { MessageFailure } from '../messages/message.js';
import { platformFailure } from '../messages/platform-failure.js';
import type { ReportedStatus } from '../messages/rows/message-status.js';
import type { StatusReport } from '../messages/rows/status-reports.js';
import type { RoutedEvent } from './routed-event.js';

/** Other statuses (played, deleted …) change nothing. */
const reported: readonly ReportedStatus[] = ['sent', 'delivered', 'read', 'failed'];

const unexplained: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'WhatsApp reports that the message failed and does not say why.',
  retryable: true,
  platformCode: null,
  platformMessage: null,
  reason: 'unknown',
};

/** What a status event reports about a message, or null if it is of a kind that does not concern us. */
export function reportOf({
  event,
  account,
  mode,
}: Pick<RoutedEvent<StatusChanged>, 'event' | 'account' | 'mode'>): StatusReport | null {
  const status = reported.find((known) => known === event.status);
  if (!status) return null;
  const { callbackData } = event;
  const [error] = event.errors;
  return {
    accountId: account.id,
    accountVersion: account.version ?? null,
    mode,
    messageId: callbackData !== null && isUUID(callbackData) ? callbackData : null,
    platformMessageId: event.platformMessageId,
    phone: event.participantId === null ? phoneOf(event.recipientId) : null,
    status,
    at: event.occurredAt,
    failure: status === 'failed' ? (error ? platformFailure(error, 0) : unexplained) : null,
    pricing: event.pricing,
  };
}
