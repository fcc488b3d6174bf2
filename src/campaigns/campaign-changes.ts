import type { EntityManager } from 'typeorm';
import { raiseAlert } from '../alerts/alerts.js';
import {
  type CampaignRow,
  type CampaignStatus,
  type PauseReason,
  pauseAdvice,
} from './campaign.js';
import { changeCampaignStatus } from './campaign-changes.statements.js';

type Queries = Pick<EntityManager, 'query'>;

/** A change of a campaign's status. */
export interface StatusChange {
  readonly to: CampaignStatus;
  readonly from: readonly CampaignStatus[];
  /** Of a pause. */
  readonly reason?: PauseReason;
  /** Only where it was paused for this reason. */
  readonly fromReason?: PauseReason;
  /** False: nothing is changed while somebody else has the campaign locked. Default true. */
  readonly isPatient?: boolean;
}

/**
 * Changes the status of a campaign and tells it. A release locks the row, so a campaign that no longer runs releases
 * nothing.
 * @returns whether it was in one of the statuses before.
 */
export async function changeStatus(
  queries: Queries,
  id: string,
  { to, from, reason, fromReason, isPatient = true }: StatusChange,
): Promise<boolean> {
  const change = changeCampaignStatus.of({ to, isPatient });
  return (await change.row(queries, { id, from, reason, fromReason })) !== null;
}

/**
 * Pauses a campaign for a reason that Parley has found, and raises an alert.
 * @returns whether it was in one of the statuses before.
 */
export async function pauseWithAlert(
  manager: EntityManager,
  { id, accountId, name }: Pick<CampaignRow, 'id' | 'accountId' | 'name'>,
  change: Pick<StatusChange, 'from' | 'isPatient'> & { reason: Exclude<PauseReason, 'operator'> },
): Promise<boolean> {
  if (!(await changeStatus(manager, id, { to: 'paused', ...change }))) return false;
  const { reason } = change;
  await raiseAlert(manager, {
    accountId,
    kind: 'campaign_paused',
    subject: id,
    message: `The campaign “${name}” is paused. ${pauseAdvice[reason]}`,
    details: { campaign_id: id, reason },
  });
  return true;
}
