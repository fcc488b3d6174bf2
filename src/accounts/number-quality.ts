import type { EntityManager } from 'typeorm';
import { storableText } from '../database/storable-text.js';

/** What the platform says of the quality of a number. */
export interface NumberQuality {
  readonly event: string | null;
  /** How many users a day it may write to first. */
  readonly limit: string | null;
  /** When, by the platform's clock. */
  readonly at: Date;
}

/**
 * Stores the quality of an account's number. Notifications come in any order: one that is older than the latest
 * changes nothing.
 * @returns whether it is the latest.
 */
export async function storeQuality(
  manager: EntityManager,
  accountId: string,
  { event, limit, at }: NumberQuality,
): Promise<boolean> {
  const [, changed]: [unknown, number] = await manager.query(
    `update accounts set quality_event = $2, quality_limit = $3, quality_at = $4
     where id = $1 and (quality_at is null or quality_at <= $4)`,
    [accountId, event && storableText(event), limit && storableText(limit), at],
  );
  return changed > 0;
}

/**
 * Stores how many users a day an account may write to first. One that is lower than before counts as a downgrade of its
 * number, which pauses campaigns.
 */
export async function storeMessagingLimit(
  manager: EntityManager,
  accountId: string,
  { limit, at }: { readonly limit: string; readonly at: Date },
): Promise<void> {
  const [before]: { limit: string | null }[] = await manager.query(
    `select quality_limit as limit from accounts
     where id = $1 and (quality_at is null or quality_at <= $2) for update`,
    [accountId, at],
  );
  if (!before) return;
  if (usersOf(limit) < usersOf(before.limit ?? '')) {
    await storeQuality(manager, accountId, { event: 'DOWNGRADE', limit, at });
  } else {
    await manager.query('update accounts set quality_limit = $2 where id = $1', [
      accountId,
      storableText(limit),
    ]);
  }
}

/** `TIER_2K` or `2000` → 2000; no number where the limit is not known, which nothing is below. */
function usersOf(limit: string): number {
  if (limit === 'TIER_UNLIMITED' || limit === '-1') return Number.POSITIVE_INFINITY;
  const [, digits, thousands] = /^(?:TIER_)?(\d+)(K)?$/.exec(limit) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (thousands ? 1_000 : 1);
}
