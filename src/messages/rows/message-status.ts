/** Every state of a message, in the order in which it may move. */
export const messageStatuses = [
  'scheduled',
  'queued',
  'sending',
  'unconfirmed',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
] as const;

export type MessageStatus = (typeof messageStatuses)[number];

/** Who noticed a change: our API, our worker, the platform's answer, its webhook, or recovery. */
export type ChangeSource = 'api' | 'worker' | 'platform' | 'webhook' | 'recovery';

/** What a platform status webhook can say of a message. */
export type ReportedStatus = 'sent' | 'delivered' | 'read' | 'failed';

const rank: Record<Exclude<MessageStatus, 'scheduled' | 'failed' | 'cancelled'>, number> = {
  queued: 0,
  sending: 1,
  unconfirmed: 2,
  sent: 3,
  delivered: 4,
  read: 5,
};

/**
 * Where a platform report moves a message, or null when it changes nothing. Statuses move only
 * forward, in whatever order reports come; `failed` yields to a later proof of delivery, and a
 * proof of delivery does not yield to `failed`.
 */
export function statusAfterReport(
  current: MessageStatus,
  report: ReportedStatus,
): MessageStatus | null {
  // A worker never had it.
  if (current === 'scheduled' || current === 'cancelled') return null;
  if (current === 'failed') return report === 'delivered' || report === 'read' ? report : null;
  if (report === 'failed') return rank[current] >= rank.delivered ? null : 'failed';
  return rank[report] > rank[current] ? report : null;
}

/** How the worker's attempt ended, as it is written to the row. */
export type SettledStatus = 'sent' | 'failed' | 'queued' | 'unconfirmed';

/**
 * What the result of an attempt makes of a row that is in `current` and still at that attempt.
 * A result that comes after the lease was declared over counts as proof, but never leads to
 * another attempt: the caller may already have the answer.
 */
export function statusAfterAttempt(current: MessageStatus, settled: SettledStatus): MessageStatus {
  switch (current) {
    case 'sending':
      return settled;
    case 'unconfirmed':
      return settled === 'queued' ? 'failed' : settled;
    case 'scheduled':
    case 'queued':
    case 'sent':
    case 'delivered':
    case 'read':
    case 'failed':
    case 'cancelled':
      return current;
  }
}

/** Whether a person may have a message in this state sent again. */
export const mayBeSentAgain = (status: MessageStatus): boolean =>
  status === 'unconfirmed' || status === 'failed';

/** Whether only a report of WhatsApp can still change the message. */
export function isConcluded(status: MessageStatus): boolean {
  return status !== 'scheduled' && status !== 'queued' && status !== 'sending';
}
