import type { EntityManager } from 'typeorm';
import { feedCounterOf } from './feed-quota.js';

/** Removes what only a deleted key needs: its counters and its last uses. Its totals by the hour stay. */
export async function forgetUsageOf(manager: EntityManager, apiKeyId: string): Promise<void> {
  const counters = [apiKeyId, feedCounterOf(apiKeyId)];
  await manager.query('delete from quota_counters where api_key_id = any ($1)', [counters]);
  await manager.query('delete from api_key_usage where api_key_id = $1', [apiKeyId]);
  await manager.query('delete from api_key_last_used where api_key_id = $1', [apiKeyId]);
  await forgetSecretUses(manager, apiKeyId, []);
}

/** Removes the last uses of former keys and secrets of a key. @param kept digests of those that still work. */
export async function forgetSecretUses(
  manager: EntityManager,
  apiKeyId: string,
  kept: readonly string[],
): Promise<void> {
  await manager.query(
    // Locked in the order in which the counter writes them.
    `with former as (
       select digest from secret_last_used where api_key_id = $1 and digest <> all ($2)
       order by digest for update)
     delete from secret_last_used where api_key_id = $1 and digest in (select digest from former)`,
    [apiKeyId, kept],
  );
}
