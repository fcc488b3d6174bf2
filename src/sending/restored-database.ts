import type { DataSource, EntityManager } from 'typeorm';
import { raiseAlert } from '../alerts/alerts.js';
import { pauseRestoredCampaigns } from '../campaigns/restored-campaigns.js';
import { lockUnheld, noteHeld } from '../database/history/database-history.js';
import type { HeldByAccount } from '../database/history/database-history.statements.js';
import { holdMessages } from '../messages/rows/message-endings.js';

/** Rows in one transaction. */
const batchMax = 1_000;

/** Messages and campaigns that are held because WhatsApp may have got them since the copy was made. */
export interface Held {
  readonly messages: number;
  readonly campaigns: number;
}

/**
 * Holds everything that may have been sent since the copy was made that this database was restored from: messages
 * become unconfirmed and campaigns are paused, so that nothing goes out a second time. Does nothing where a worker
 * vouches for the database, or where everything is held already.
 *
 * Each batch is a transaction that locks the history. So any number of workers may call this at once, and if one is
 * killed, the next call goes on.
 * @returns what this call and those before it have held; null where it was not the one that finished.
 */
export async function holdRestored(dataSource: DataSource): Promise<Held | null> {
  for (;;) {
    const step = await dataSource.transaction(holdBatch);
    if (step !== 'more') return step;
  }
}

async function holdBatch(manager: EntityManager): Promise<Held | 'more' | null> {
  const history = await lockUnheld(manager);
  if (!history) return null;
  const { beganAt } = history;
  const batch = await holdMessages(manager, batchMax, beganAt);
  const messages: Record<string, number> = { ...history.held };
  for (const { accountId, count } of batch)
    messages[accountId] = (messages[accountId] ?? 0) + count;
  const isAll = sum(batch.map(({ count }) => count)) < batchMax;
  await noteHeld(manager, messages, isAll);
  if (!isAll) return 'more';
  const paused = await pauseRestoredCampaigns(manager, beganAt);
  const campaigns: Record<string, number> = {};
  for (const { accountId } of paused) campaigns[accountId] = (campaigns[accountId] ?? 0) + 1;
  await alertAccounts(manager, beganAt, messages, campaigns);
  return { messages: sum(Object.values(messages)), campaigns: paused.length };
}

async function alertAccounts(
  manager: EntityManager,
  beganAt: string,
  messages: HeldByAccount,
  campaigns: HeldByAccount,
): Promise<void> {
  const noticedAt = new Date(beganAt).toISOString();
  const ids = new Set([...Object.keys(messages), ...Object.keys(campaigns)]);
  for (const accountId of [...ids].toSorted()) {
    const held = { messages: messages[accountId] ?? 0, campaigns: campaigns[accountId] ?? 0 };
    await raiseAlert(manager, {
      accountId,
      kind: 'database_restored',
      subject: noticedAt,
      message:
        `The database was restored from a copy, which was noticed at ${noticedAt}. What may have been sent since the ` +
        `copy is held: ${heldText(held)}.`,
      details: { noticed_at: noticedAt, ...held },
    });
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** What is held, as people read it: "1 message is unconfirmed and 2 campaigns are paused". */
export function heldText({ messages, campaigns }: Held): string {
  const unconfirmed = messages === 1 ? '1 message is' : `${messages} messages are`;
  const paused = campaigns === 1 ? '1 campaign is' : `${campaigns} campaigns are`;
  return `${unconfirmed} unconfirmed and ${paused} paused`;
}
