import type { EntityManager } from 'typeorm';
import { feedCounterOf } from './feed-quota.js';

/** Removes what only a deleted key needs: its counters and its last use. Its totals by the hour stay. */
export async function forgetUsageOf(manager: EntityManager, apiKeyId: string): Promise<void> {
  const counters = [apiKeyId, feedCounterOf(apiKeyId)];
  await manager.query('delete from quota_counters where api_key_id = any ($1)', [counters]);
  await manager.query('delete from api_key_usage where api_key_id = $1', [apiKeyId]);
  await manager.query('delete from api_key_last_used where api_key_id = $1', [apiKeyId]);
}
