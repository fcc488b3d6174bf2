import type { Job } from '../api/types.ts';

/** What the addresses of the lists call the parameters of the API. */
const names: Readonly<Record<string, string>> = {
  account_id: 'account',
  created_after: 'from',
  created_before: 'to',
  endpoint_id: 'endpoint',
  error_code: 'code',
  key_id: 'key',
  message_id: 'message',
};

const yesOrNo = (value: unknown) => (value === 'true' ? 'yes' : 'no');

/** The search of the list that shows what a job's filter matches; null where the list cannot show it. */
export function filterSearch(kind: Job['kind'], filter: unknown): Record<string, string> | null {
  const shown = new Set(
    kind === 'redeliver'
      ? ['account', 'mode', 'q', 'status', 'event', 'key', 'endpoint', 'message', 'from', 'to']
      : ['account', 'mode', 'q', 'status', 'code', 'resent', 'key', 'type', 'from', 'to'],
  );
  const parts = Object.entries<unknown>({ ...(filter as object) }).map(
    ([name, value]) =>
      [names[name] ?? name, name === 'resent' ? yesOrNo(value) : String(value)] as const,
  );
  return parts.every(([name]) => shown.has(name)) ? Object.fromEntries(parts) : null;
}
