import type { EntityManager } from 'typeorm';
import { feedCounterOf } from './feed-quota.js';
import * as sql from './forget-usage.statements.js';

/** Removes what only a deleted key needs: its counters and its last uses. Its totals by the hour stay. */
export async function forgetUsageOf(manager: EntityManager, apiKeyId: string): Promise<void> {
  const counters = [apiKeyId, feedCounterOf(apiKeyId)];
  await sql.forgetCounters.run(manager, { counters });
  await sql.forgetDays.run(manager, { apiKeyId });
  await sql.forgetLastUse.run(manager, { apiKeyId });
  await forgetSecretUses(manager, apiKeyId, []);
}

/** Removes the last uses of former keys and secrets of a key. @param kept digests of those that still work. */
export async function forgetSecretUses(
  manager: EntityManager,
  apiKeyId: string,
  kept: readonly string[],
): Promise<void> {
  await sql.forgetSecretUses.run(manager, { apiKeyId, kept });
}
