import type { EntityManager } from 'typeorm';
import { raiseAlert } from '../alerts/alerts.js';
import { isoTime, storeEventsSql } from '../events/event-rows.js';
import { hearersSql } from '../events/hearers.js';
import {
  type CampaignRow,
  type CampaignStatus,
  type PauseReason,
  pauseAdvice,
} from './campaign.js';

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

/** What else each status changes. */
const sets: Readonly<Record<CampaignStatus, string>> = {
  draft: '',
  scheduled: ', paused_at = null',
  running: `, started_at = coalesce(started_at, now()), running_since = now(), paused_at = null, rate_from = null, rate = null,
      rate_count = 0,
      failures_from = coalesce((select min(r.position) from campaign_recipients r
        where r.campaign_id = c.id and r.status = 'pending'), c.total)`,
  paused: ', paused_at = now()',
  completed: ', ended_at = now()',
  cancelled: ', ended_at = now()',
};

const changeSql = (to: CampaignStatus, isPatient: boolean) => `
  with locked as materialized (
    select id from campaigns where id = $1 for no key update${isPatient ? '' : ' skip locked'}
  ), changed as (
    update campaigns c set status = '${to}', reason = $3${sets[to]}
    from locked l where c.id = l.id and c.status = any ($2::text[]) and ($4::text is null or c.reason = $4)
    returning c.*
  ), news as (select *, uuidv7() as event_id from changed), told as materialized (
    select uuidv7() as id, n.event_id, h.endpoint_id, n.account_id, n.mode, 'campaign.status' as type,
      null::uuid as message_id, null::text as traceparent, h.is_off, h.is_feed, json_build_object(
        'event', 'campaign.status',
        'timestamp', ${isoTime('clock_timestamp()')},
        'data', json_build_object('campaign_id', n.id, 'name', n.name, 'reference', n.reference,
          'status', n.status, 'reason', n.reason, 'total', n.total))::text as body
    from news n cross join lateral (${hearersSql('campaign.status', 'n')}) h
  ), ${storeEventsSql('told')}
  select id from changed`;

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
  const rows: unknown[] = await queries.query(changeSql(to, isPatient), [
    id,
    from,
    reason ?? null,
    fromReason ?? null,
  ]);
  return rows.length > 0;
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
