import { maySendTemplatesSql } from '../../access/key-state.js';
import { statement, unindexed } from '../../database/statements/statement.js';
import { isoTime } from '../../events/event-rows.js';
import {
  campaignColumns,
  campaignColumnTypes,
  isTemplateChanged,
  templateJoin,
} from '../campaign.js';
import { countedRecipients } from '../recipients/recipient-status.js';

/** Failures count among so many messages that were sent or failed last, once there are so many. */
const failuresOf = 200;
const failuresFrom = 50;

/** The day of a key in UTC, as its usage is counted. */
const today = 'floor(extract(epoch from clock_timestamp()) / 86400)::int';

/** The campaigns that are not at their end, and what is to be known of each. */
export const lookAtCampaigns = statement({
  name: 'look-at-campaigns',
  columns: {
    ...campaignColumnTypes,
    accountVersion: 'int8',
    isLive: 'bool',
    mayKeySend: 'bool',
    isAccountActive: 'bool',
    isTemplateApproved: 'bool',
    isTemplateChanged: 'bool',
    isTemplateRed: 'bool',
    holdKind: 'text?',
    holdCode: 'int4?',
    qualityEvent: 'text?',
    isRestricted: 'bool',
    failedShare: 'float8?',
    usedToday: 'int4',
    dailyLimit: 'int4?',
    /** Its number is paused, and waits for a message to try. */
    isProbeOpen: 'bool',
    isDue: 'bool',
    hasPending: 'bool',
    isSending: 'bool',
  },
  text: `
  select ${campaignColumns}, a.version as "accountVersion",
    c.mode = 'live' as "isLive", k.id is not null and ${maySendTemplatesSql} as "mayKeySend",
    a.active as "isAccountActive", t.status is not distinct from 'APPROVED' as "isTemplateApproved",
    ${isTemplateChanged} or p.broken_reason is not null as "isTemplateChanged",
    coalesce(t.quality_score = 'RED' and t.updated_at > c.running_since, false) as "isTemplateRed",
    a.hold_kind as "holdKind", a.hold_code as "holdCode",
    case when a.quality_at > c.running_since then a.quality_event end as "qualityEvent",
    exists (select from alerts l where l.account_id = c.account_id and l.kind = 'account_notice'
      and l.subject = 'ACCOUNT_RESTRICTION'
      and (l.created_at > c.running_since
        or l.details->>'reported_at' > ${isoTime('c.running_since')} collate "C")) as "isRestricted",
    f.share as "failedShare", coalesce((select u.used from api_key_usage u
      where u.api_key_id = c.api_key_id and u.day = ${today}), 0) as "usedToday", k.daily_limit as "dailyLimit",
    a.hold_probe is not distinct from 'open' as "isProbeOpen",
    coalesce(c.send_at <= now(), true) as "isDue",
    exists (select from campaign_recipients r where r.campaign_id = c.id and r.status = 'pending') as "hasPending",
    exists (select from messages m where m.campaign_id = c.id and m.status = 'queued')
      or exists (select from messages m where m.campaign_id = c.id and m.status = 'sending') as "isSending"
  from campaigns c join accounts a on a.id = c.account_id
  left join api_keys k on k.id = c.api_key_id
  ${templateJoin}
  left join lateral (
    select avg((o.status = 'failed')::int)::float8 as share from (
      select m.status from campaign_recipients r join messages m on m.id = r.message_id
      where r.campaign_id = c.id and r.position >= c.failures_from and r.status = 'released'
        -- They are released in their order: this leaves out all that are pending.
        and r.position < coalesce((select min(n.position) from campaign_recipients n
          where n.campaign_id = c.id and n.status = 'pending'), c.total + 1)
        and m.status in ('sent', 'failed')
      order by r.position desc limit ${failuresOf}) o
    having count(*) >= ${failuresFrom}
  ) f on c.failure_rate is not null
  where c.status in ('scheduled', 'running', 'paused')
  order by c.started_at, c.id`,
});

/** Keeps what became of messages that will be deleted, a part at a time. What is under way is left for the next time. */
export const keepCampaignResults = statement({
  name: 'keep-campaign-results',
  params: { hours: 'int4', limit: 'int8' },
  text: `
  with old as (
    select r.campaign_id, r.position, r.message_id from campaign_recipients r
    where r.status = 'released' and r.result is null and r.released_at < now() - make_interval(hours => :hours)
      and not exists (select from messages m
        where m.id = r.message_id and ${unindexed('m.status')} in ('queued', 'sending'))
    order by r.released_at limit :limit for update skip locked
  )
  update campaign_recipients r set result = (
    select jsonb_strip_nulls(jsonb_build_object('status', coalesce(m.receipt, m.status),
      'error', case when m.status = 'failed' then m.error end, 'sent_at', m.sent_at,
      'delivered_at', m.delivered_at, 'read_at', m.read_at, 'failed_at', m.failed_at))
    from (select) one left join messages m on m.id = o.message_id)
  from old o where r.campaign_id = o.campaign_id and r.position = o.position`,
});

/** Counts the recipients of campaigns that have ended, where that is older than a tenth of their end's age. */
export const countEndedCampaigns = statement({
  name: 'count-ended-campaigns',
  params: { limit: 'int8' },
  text: `
  update campaigns c set counts = ${countedRecipients}, counted_at = now()
  where c.id = any (array(
    select id from campaigns where ended_at is not null
      and (counted_at is null or now() - counted_at > interval '1 minute' + (counted_at - ended_at) / 10)
    order by counted_at nulls first limit :limit))`,
});
