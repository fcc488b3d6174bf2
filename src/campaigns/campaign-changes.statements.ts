import { family } from '../database/statements/statement.js';
import { isoTime, storeEventsSql } from '../events/event-rows.js';
import { hearersSql } from '../events/hearers.js';
import type { CampaignStatus } from './campaign.js';

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

interface Change {
  readonly to: CampaignStatus;
  readonly isPatient: boolean;
}

export const changeCampaignStatus = family({
  name: 'change-campaign-status',
  params: { id: 'uuid', from: 'text[]', reason: 'text?', fromReason: 'text?' },
  columns: { id: 'uuid' },
  text: ({ to, isPatient }: Change) => `
  with locked as materialized (
    select id from campaigns where id = :id for no key update${isPatient ? '' : ' skip locked'}
  ), changed as (
    update campaigns c set status = '${to}', reason = :reason${sets[to]}
    from locked l where c.id = l.id and c.status = any (:from::text[]) and (:fromReason::text is null or c.reason = :fromReason)
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
  select id from changed`,
  examples: (Object.keys(sets) as CampaignStatus[]).map((to) => ({
    to,
    isPatient: to === 'draft',
  })),
});
