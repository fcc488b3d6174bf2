import type { MessageStatus } from '../api/types.ts';

const colors: Readonly<Record<MessageStatus, string>> = {
  read: 'var(--blue)',
  delivered: 'var(--green)',
  sent: 'var(--gray)',
  failed: 'var(--red)',
  unconfirmed: 'var(--amber)',
  sending: 'var(--bar)',
  queued: 'var(--control-line)',
  scheduled: 'var(--line)',
  cancelled: 'var(--text-3)',
};

/** Those that many keys never use: without messages they have no line. */
const rare: readonly MessageStatus[] = ['scheduled', 'cancelled'];

/** How many messages have each status, the furthest first; every message is in one of them. */
export const statusShares = (counts: Readonly<Record<string, number>>) =>
  (Object.keys(colors) as MessageStatus[])
    .map((status) => ({ status, color: colors[status], count: counts[status] ?? 0 }))
    .filter(({ status, count }) => count > 0 || !rare.includes(status));
