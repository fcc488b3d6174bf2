import type { Attempt, MessageDetails } from '../api/types.ts';
import { meaningOf } from '../parts/failure-meanings.ts';
import { duration } from '../parts/times.ts';

const outcomes: Readonly<Record<string, string>> = {
  accepted: 'Accepted',
  ambiguous: 'No clear answer · WhatsApp may have it',
  not_written: 'Nothing reached WhatsApp',
  refused: 'Refused',
};

/** What came of an attempt, and when it was tried again, or that it will be. */
export function attemptWords(
  attempt: Attempt,
  next: Attempt | undefined,
  { type, status }: Pick<MessageDetails, 'type' | 'status'>,
): string {
  const meaning =
    attempt.error_code === null
      ? (outcomes[attempt.outcome] ?? attempt.outcome.replaceAll('_', ' '))
      : meaningOf(String(attempt.error_code), type);
  const [what] = meaning.split(' · ', 1);
  if (!next) return status === 'queued' ? `${what} · waits for another try` : meaning;
  const endMs = Date.parse(attempt.started_at) + attempt.duration_ms;
  const waitedMs = Math.max(0, Date.parse(next.started_at) - endMs);
  return `${what} · tried again after ${duration(waitedMs)}`;
}
