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
