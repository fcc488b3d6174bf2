import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `condition` answers something true, and returns it.
 *
 * @returns the answer, or undefined when `timeoutMs` passed first.
 * @throws the signal's reason when `signal` is aborted.
 */
export async function until(condition, { timeoutMs, everyMs = 50, signal }) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() >= deadline) return undefined;
    await pause(everyMs, undefined, { signal });
  }
}
