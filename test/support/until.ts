import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `condition` answers something true, and returns it; throws after `timeoutMs`. */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 40_000,
  everyMs = 20,
): Promise<Exclude<T, undefined | null | false | '' | 0>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer) return answer as Exclude<T, undefined | null | false | '' | 0>;
    if (performance.now() > deadline) throw new Error(`never came true: ${condition.toString()}`);
    await pause(everyMs);
  }
}
