import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `condition` answers something true, and returns it.
 *
 * @returns the answer, or undefined when `timeoutMs` passed first.
 * @throws the signal's reason when `signal` is aborted.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  {
    timeoutMs,
    everyMs = 50,
    signal,
  }: { timeoutMs: number; everyMs?: number; signal?: AbortSignal },
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() >= deadline) return undefined;
    await pause(everyMs, undefined, { signal });
  }
}

/** Waits for `work`, at most until the signal aborts. @throws the signal's reason then. */
export function orAbort(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject);
  });
}
