import type { ApiKey } from '../api/types.ts';

/** One failure may be chance; this many need attention. */
const failuresToTell = 3;

/** Whether a key's webhook is switched off or fails again and again. */
export function isFailing({ state, webhook }: ApiKey): boolean {
  if (state !== 'active' || webhook.url === null) return false;
  return webhook.disabled_at !== null || (webhook.failing?.failures ?? 0) >= failuresToTell;
}

export const failedAttempts = (count: number) =>
  `${count} failed ${count === 1 ? 'attempt' : 'attempts'}`;

export const offReasons: Readonly<Record<string, string>> = {
  gone: 'It answered 410 Gone.',
  failing: 'It accepted nothing for 120 hours.',
};
