import type { EntityManager } from 'typeorm';

/** Removes what only a deleted key needs: its counters and its last use. Its totals by the hour stay. */
export async function forgetUsageOf(manager: EntityManager, apiKeyId: string): Promise<void> {
  await manager.query('delete from quota_counters where api_key_id = $1', [apiKeyId]);
  await manager.query('delete from api_key_usage where api_key_id = $1', [apiKeyId]);
  await manager.query('delete from api_key_last_used where api_key_id = $1', [apiKeyId]);
}
