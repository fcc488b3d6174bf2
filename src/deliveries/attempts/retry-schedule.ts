const jitter = 0.2;

/** `Retry-After` is honoured up to this, or up to twice the wait of the schedule where that is longer. */
const retryAfterMaxSeconds = 3_600;

/**
 * How long a delivery waits before its next try, in milliseconds; null when its tries are used up.
 * @param tries made so far in this round, at least 1.
 * @param schedule seconds before each further try.
 * @param retryAfterSeconds what the receiver asked for, or null.
 * @param random from 0 to 1; a parameter so that tests can fix it.
 */
export function retryDelayMs(
  tries: number,
  schedule: readonly number[],
  retryAfterSeconds: number | null,
  random: number = Math.random(),
): number | null {
  const step = schedule[tries - 1];
  if (step === undefined) return null;
  const wait = step * (1 - jitter + 2 * jitter * random);
  const asked = Math.min(retryAfterSeconds ?? 0, Math.max(retryAfterMaxSeconds, 2 * step));
  return Math.round(Math.max(wait, asked) * 1_000);
}

/**
 * `Retry-After` in seconds from now: a number of seconds or an HTTP date; null when it is neither.
 * @param nowMs a parameter so that tests can fix it.
 */
export function parseRetryAfter(value: unknown, nowMs: number = Date.now()): number | null {
  if (typeof value !== 'string') return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = /^[A-Za-z]{3},/.test(value.trim()) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}
