import { isUUID } from 'class-validator';
import type { StatusChanged } from '#libs/whatsapp';
import type { MessageFailure } from '../../messages/message.js';
import type { ReportedStatus } from '../../messages/message-status.js';
import { platformFailure } from '../../messages/platform-failure.js';
import type { StatusReport } from '../../messages/status-reports.js';
import type { RoutedEvent } from './routed-event.js';

/** In the order in which they come about; other statuses (played, deleted …) change nothing. */
const order: readonly ReportedStatus[] = ['sent', 'delivered', 'read', 'failed'];

const unexplained: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'WhatsApp reports that the message failed and does not say why.',
  retryable: true,
  platformCode: null,
  platformMessage: null,
  reason: 'unknown',
};

/** What a status event says of a message, or null when it is of no kind that concerns us. */
export function reportOf({
  event,
  account,
  mode,
}: RoutedEvent<StatusChanged>): StatusReport | null {
  const status = order.find((known) => known === event.status);
  if (!status) return null;
  const { callbackData } = event;
  const [error] = event.errors;
  return {
    accountId: account.id,
    mode,
    messageId: callbackData !== null && isUUID(callbackData) ? callbackData : null,
    platformMessageId: event.platformMessageId,
    status,
    at: event.occurredAt,
    failure: status === 'failed' ? (error ? platformFailure(error, 0) : unexplained) : null,
    pricing: event.pricing,
  };
}

/**
 * Splits statuses so that no part has two of one message: each part is one statement. What came
 * about first comes first, as far as one batch can tell.
 */
export function inRounds(
  statuses: readonly RoutedEvent<StatusChanged>[],
): RoutedEvent<StatusChanged>[][] {
  const rank = ({ event }: RoutedEvent<StatusChanged>) =>
    order.findIndex((status) => status === event.status);
  const rounds: RoutedEvent<StatusChanged>[][] = [];
  const counts = new Map<string, number>();
  for (const status of statuses.toSorted((a, b) => rank(a) - rank(b))) {
    const message = `${status.account.id} ${status.event.platformMessageId}`;
    const round = counts.get(message) ?? 0;
    counts.set(message, round + 1);
    const part = rounds[round];
    if (part) part.push(status);
    else rounds.push([status]);
  }
  return rounds;
}
