import { contactOf } from '../../contacts/contact-of-message.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { isoTime } from '../../events/event-rows.js';
import { insertCampaignMessagesSql } from '../../messages/rows/campaign-messages.js';
import { campaignColumns, countedRecipients, templateHash, templateJoin } from '../campaign.js';

/** The share of a key's day that campaigns may use up; the rest is for single sends. */
const dayShare = 0.9;

/** Failures count among so many messages that were sent or failed last, once there are so many. */
const failuresOf = 200;
const failuresFrom = 50;

/** So long a user gets nothing of a campaign after WhatsApp has held back a message to them (131049). */
const heldBackFor = `interval '24 hours'`;

/**
 * Messages to the recipient `n` that WhatsApp has held back. The status is no bare column: the rows are found by whom they
 * are to.
 */
const heldBack = (isTo: string) => `
  select from messages h where h.account_id = n.account_id and h.mode = n.mode and ${isTo}
    and h.status || '' = 'failed' and h.failed_at > now() - ${heldBackFor}
    and h.error->'platformCode' = to_jsonb(131049)`;

/** No bare column: the recipients are found by their positions, and the index of what is pending is long. */
const isPending = `r.status || '' = 'pending'`;

/** The day of a key in UTC, as its usage is counted. */
const today = 'floor(extract(epoch from clock_timestamp()) / 86400)::int';

const isKeyActive = `k.id is not null and k.revoked_at is null and k.suspended_at is null and k.active
  and (k.expires_at is null or k.expires_at > now()) and 'send_template' = any (k.permissions)`;

/** Why the campaign `c` may not go on now; null where it may. */
const troubleSql = `
  case when not (${isKeyActive}) then 'key_not_active'
    when not a.active then 'account_not_active'
    when t.status is distinct from 'APPROVED' then 'template_paused'
    when c.template_hash is distinct from ${templateHash} or p.broken_reason is not null then 'template_changed'
    when c.mode = 'live' and a.hold_kind = 'paused'
      then case when a.hold_code = 131048 then 'quality' else 'number_paused' end
    when c.mode = 'live' and a.quality_event = 'FLAGGED' and a.quality_at > c.running_since
      or t.quality_score = 'RED' and t.updated_at > c.running_since then 'quality'
    when c.mode = 'live' and a.quality_event = 'DOWNGRADE' and a.quality_at > c.running_since
      or exists (select from alerts l where l.account_id = c.account_id and l.kind = 'account_notice'
        and l.subject = 'ACCOUNT_RESTRICTION'
        and (l.created_at > c.running_since
          or l.details->>'reported_at' > ${isoTime('c.running_since')} collate "C")) then 'messaging_limit'
    when f.rate >= c.failure_rate then 'failure_rate'
    when coalesce((select u.used from api_key_usage u where u.api_key_id = c.api_key_id and u.day = ${today}), 0)
      >= floor(k.daily_limit * ${dayShare}) then 'daily_limit' end`;

/** The campaigns that are not at their end, and what is to be known of each. */
export const lookSql = `
  select ${campaignColumns}, a.version as "accountVersion",
    ${troubleSql} as trouble,
    coalesce(c.send_at <= now(), true) as "isDue",
    exists (select from campaign_recipients r where r.campaign_id = c.id and r.status = 'pending') as "hasPending",
    exists (select from messages m where m.campaign_id = c.id and m.status = 'queued')
      or exists (select from messages m where m.campaign_id = c.id and m.status = 'sending') as "isSending"
  from campaigns c join accounts a on a.id = c.account_id
  left join api_keys k on k.id = c.api_key_id
  ${templateJoin}
  left join lateral (
    select avg((o.status = 'failed')::int) as rate from (
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
  order by c.started_at, c.id`;

/** The time at which the campaign's own pace allowed its next recipient, at most two seconds ago. */
const paceFrom = `greatest(coalesce(c.fed_at, now() - interval '1 second'), now() - interval '2 seconds')`;

/** How many recipients may be released now. */
export const roomSql = `
  select least($2::int, take_release_room(c.account_id, c.mode), case when c.per_second is null then $2::int
    else floor(c.per_second * extract(epoch from now() - ${paceFrom}))::int end)::int as room
  from campaigns c where c.id = $1 and c.status = 'running'`;

export const pendingSql = `
  select position, recipient as "to", to_user_id, variables, reference
  from campaign_recipients where campaign_id = $1 and status = 'pending' order by position limit $2`;

/**
 * Releases recipients: the campaign's row is locked and still runs under the same template; those who are pending
 * become messages, as far as the key's day has units for them, or are skipped. The statement is the whole release, so
 * nobody is released without a message, or twice.
 */
export const releaseStatement = {
  name: 'release-campaign-recipients',
  text: `
  with campaign as materialized (
    select c.* from campaigns c where c.id = $1 and c.status = 'running' for update
  ), input as (
    select * from unnest($2::int[], $3::uuid[], string_to_array($4, E'\\n', ''), $5::text[])
      as t (position, message_id, payload, fault)
  ), picked as materialized (
    select r.position, r.recipient, r.to_user_id, coalesce(r.reference, c.reference) as reference,
      i.message_id, i.payload, i.fault, c.id as campaign_id, c.account_id, c.api_key_id, c.mode, r.address
    from campaign c join input i on true
    join campaign_recipients r on r.campaign_id = c.id and r.position = i.position
    where r.campaign_id = $1 and r.position = any ($2::int[]) and ${isPending}
      and c.template_hash = (select ${templateHash} from (select) one ${templateJoin})
    order by r.position for update of r skip locked
  ), named as materialized (
    select p.*, coalesce('contact:' || ${contactOf('p')}, p.address) as present from picked p
  ), judged as materialized (
    select n.*, case
      when n.fault is not null then n.fault
      when row_number() over (partition by n.present order by n.position) > 1
        or exists (select from campaign_recipients r where r.campaign_id = n.campaign_id
          and r.address = n.present and r.position <> n.position) then 'duplicate'
      when ${optOutOf('o')} is not null then 'opted_out'
      when case when n.recipient is not null then exists (${heldBack('h.recipient = n.recipient')})
        else exists (${heldBack('h.to_user_id = n.to_user_id')}) end then 'held_131049' end as reason
    from named n
    cross join lateral (select 'template' as type, n.payload, n.account_id, n.mode, n.recipient, n.to_user_id) o
  ), wanted as (
    select j.*, row_number() over (order by j.position) as place from judged j where j.reason is null
  ), units as materialized (
    select u.granted from campaign c join api_keys k on k.id = c.api_key_id
    cross join (select count(*)::int as count from wanted) w
    cross join lateral take_day_units(c.api_key_id, floor(k.daily_limit * ${dayShare})::int, w.count) u
    where w.count > 0
  ), granted as materialized (
    select w.* from wanted w where w.place <= coalesce((select granted from units), 0)
  ), stored as (${insertCampaignMessagesSql('granted')}
  ), changed as (
    update campaign_recipients r set
      status = case when j.reason is null then 'released' else 'skipped' end, reason = j.reason,
      message_id = case when j.reason is null then j.message_id end,
      address = case when j.reason = 'duplicate' then r.address else j.present end,
      released_at = case when j.reason is null then now() end
    from judged j
    where r.campaign_id = $1 and r.position = any ($2::int[]) and r.position = j.position
      and (j.reason is not null or j.position in (select position from granted))
  ), fed as (
    update campaigns c set
      fed_at = case when c.per_second is not null
        then ${paceFrom} + make_interval(secs => g.count / c.per_second::float8) end,
      rate = case when c.rate_from < now() - interval '5 seconds'
        then (c.rate_count + g.count) / extract(epoch from now() - c.rate_from) else c.rate end,
      rate_count = case when c.rate_from < now() - interval '5 seconds' then 0 else c.rate_count + g.count end,
      rate_from = case when c.rate_from < now() - interval '5 seconds' then now() else coalesce(c.rate_from, now()) end
    from (select count(*)::int as count from granted) g
    where c.id = $1 and exists (select from judged)
  )
  select message_id as id from granted order by message_id`,
};

/** Keeps what became of messages that will be deleted, a part at a time. What is under way is left for the next time. */
export const keepResultsSql = `
  with old as (
    select r.campaign_id, r.position, r.message_id from campaign_recipients r
    where r.status = 'released' and r.result is null and r.released_at < now() - make_interval(hours => $1)
      and not exists (select from messages m
        where m.id = r.message_id and m.status || '' in ('queued', 'sending'))
    order by r.released_at limit $2 for update skip locked
  )
  update campaign_recipients r set result = (
    select jsonb_strip_nulls(jsonb_build_object('status', coalesce(m.receipt, m.status),
      'error', case when m.status = 'failed' then m.error end, 'sent_at', m.sent_at,
      'delivered_at', m.delivered_at, 'read_at', m.read_at, 'failed_at', m.failed_at))
    from (select) one left join messages m on m.id = o.message_id)
  from old o where r.campaign_id = o.campaign_id and r.position = o.position`;

/** Counts the recipients of campaigns that have ended, `$1` at once, where that is older than a tenth of their end's age. */
export const countSql = `
  update campaigns c set counts = ${countedRecipients}, counted_at = now()
  where c.id = any (array(
    select id from campaigns where ended_at is not null
      and (counted_at is null or now() - counted_at > interval '1 minute' + (counted_at - ended_at) / 10)
    order by counted_at nulls first limit $1))`;
