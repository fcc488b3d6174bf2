import type { EntityManager } from 'typeorm';
import { type CampaignRow, passingReasons } from './campaign.js';
import { pauseWithAlert } from './campaign-changes.js';
import * as sql from './restored-campaigns.statements.js';

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
  const campaigns = await sql.lockRestoredCampaigns.rows(manager, {
    before,
    passing: passingReasons,
  });
  for (const campaign of campaigns)
    await pauseWithAlert(manager, campaign, {
      from: ['running', 'scheduled', 'paused'],
      reason: 'restored',
    });
  return campaigns;
}
