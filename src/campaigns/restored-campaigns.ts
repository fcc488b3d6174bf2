import type { EntityManager } from 'typeorm';
import { type CampaignRow, passingReasons } from './campaign.js';
import { pauseWithAlert } from './campaign-changes.js';

/** The condition for campaigns `c` that would go on by themselves, and have done so in the original of a copy. */
export const goesOnSql = (before: string, passing: string) => `
  (c.status = 'running' and coalesce(c.running_since, c.started_at, c.created_at) < ${before}
    or c.status = 'scheduled' and c.send_at <= ${before}
    or c.status = 'paused' and c.reason = any (${passing}) and c.paused_at < ${before})`;

/**
 * Pauses the campaigns that may have reached recipients since a copy was made: those that run, those whose time has
 * come, and those whose pause would end by itself. What somebody has started or resumed since goes on.
 * @param before when the history of the copy began.
 * @returns those that it has paused.
 */
export async function pauseRestoredCampaigns(
  manager: EntityManager,
  before: string,
): Promise<Pick<CampaignRow, 'id' | 'accountId' | 'name'>[]> {
  const campaigns: Pick<CampaignRow, 'id' | 'accountId' | 'name'>[] = await manager.query(
    `select c.id, c.account_id as "accountId", c.name from campaigns c
     where ${goesOnSql('$1::timestamptz', '$2::text[]')} order by c.id for no key update`,
    [before, passingReasons],
  );
  for (const campaign of campaigns)
    await pauseWithAlert(manager, campaign, {
      from: ['running', 'scheduled', 'paused'],
      reason: 'restored',
    });
  return campaigns;
}
