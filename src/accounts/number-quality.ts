import type { EntityManager } from 'typeorm';
import { storableText } from '../database/storable-text.js';
import { usersOf } from './health/health-facts.js';
import { lockReported, noteReport } from './health/number-health.js';
import * as sql from './number-quality.statements.js';

/** What the platform says of the quality of a number. */
export interface NumberQuality {
  readonly event: string | null;
  /** How many users a day it may write to first. */
  readonly limit: string | null;
  /** When, by the platform's clock. */
  readonly at: Date;
}

/**
 * Stores the quality of an account's number, and what changed in the history of its health. Notifications come in any
 * order: one that is older than the latest changes nothing.
 * @returns whether it is the latest.
 */
export async function storeQuality(
  manager: EntityManager,
  accountId: string,
  { event, limit, at }: NumberQuality,
): Promise<boolean> {
  const before = await lockReported(manager, accountId);
  const report = { event: event && storableText(event), limit: limit && storableText(limit) };
  const changed = await sql.putQuality.changed(manager, { accountId, ...report, at });
  if (!before || changed === 0) return false;
  await noteReport(manager, accountId, before, report);
  return true;
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
  const before = await lockReported(manager, accountId);
  const reported = await sql.findQualityLimit.row(manager, { accountId, at });
  if (!before || !reported) return;
  // A reading may have found the lower limit already.
  const known = [before.limit, reported.limit];
  if (known.some((each) => usersOf(limit) < usersOf(each ?? ''))) {
    await storeQuality(manager, accountId, { event: 'DOWNGRADE', limit, at });
    return;
  }
  const report = { event: null, limit: storableText(limit) };
  await sql.setQualityLimit.run(manager, { accountId, limit: report.limit });
  await noteReport(manager, accountId, before, report);
}
