import type { Attempt, MessageDetails } from '../api/types.ts';
import { knownTextOf } from '../parts/failure-meanings.ts';
import { platformText } from '../parts/platform-text.ts';
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
    (attempt.error_code !== null &&
      (knownTextOf(String(attempt.error_code), type)?.meaning ?? answerText(attempt.detail))) ||
    (outcomes[attempt.outcome] ?? attempt.outcome.replaceAll('_', ' '));
  const [what] = meaning.split(' · ', 1);
  if (!next) return status === 'queued' ? `${what} · waits for another try` : meaning;
  const endMs = Date.parse(attempt.started_at) + attempt.duration_ms;
  const waitedMs = Math.max(0, Date.parse(next.started_at) - endMs);
  return `${what} · tried again after ${duration(waitedMs)}`;
}

/** The text of WhatsApp in its answer; null where there is none. */
function answerText(answer: string | null): string | null {
  try {
    const { error } = JSON.parse(answer ?? '{}') as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? platformText(error.message) : null;
  } catch {
    // A long answer is kept without its end.
    return null;
  }
}
