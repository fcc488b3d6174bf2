import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { as } from '../../database/statements/sql-types.js';
import { statement, unindexed } from '../../database/statements/statement.js';
import { isSentAgain } from '../../messages/message.js';
import { insertCampaignMessagesSql } from '../../messages/rows/campaign-messages.statements.js';
import { isTemplateChanged, templateJoin } from '../campaign.js';
import { familySql, namesToday, recipientsNamed } from '../recipients/recipient-identity.js';
import { messageJoin, recipientStatus } from '../recipients/recipient-status.js';
import { dayShare } from './campaign-troubles.js';

/** For this long after WhatsApp has held back a message to a user (131049), campaigns send them nothing. */
const heldBackFor = `interval '24 hours'`;

const isReleased = `${unindexed('r.status')} = 'released'`;

/**
 * Whether a person has got a message of the campaign `campaignId`, or may still get one that is under way. What failed or
 * was cancelled reached nobody; in the same campaign it counts all the same, and a retry is for it.
 */
const isReached = (of: { campaignId: string; names: string; isSame: string }) => `
  exists (
    select from campaigns c cross join lateral (${recipientsNamed({
      columns: 'r.status, r.message_id, r.result',
      campaignId: 'c.id',
      names: of.names,
      condition: isReleased,
    })}) r ${messageJoin}
    where c.id = ${of.campaignId}
      and (${of.isSame} or ${recipientStatus} not in ('failed', 'cancelled') or ${isSentAgain('r.message_id')}))`;

/**
 * Whether WhatsApp has held back a message to the person `n`, by one of their numbers or ids.
 */
const isHeldBack = (column: string, values: string) => `
  cardinality(${values}) > 0 and exists (select from messages h
    where h.account_id = n.account_id and h.mode = n.mode and h.${column} = any (${values})
      and ${unindexed('h.status')} = 'failed' and h.failed_at > now() - ${heldBackFor}
      and h.error->'platformCode' = to_jsonb(131049))`;

const namesLike = (prefix: string) =>
  `array(select substr(name, ${prefix.length + 1}) from unnest(i.names) as name where name like '${prefix}%')`;

/** A campaign that fell behind its own pace catches up by so much at most: the pace holds in any second. */
const catchUp = `interval '200 milliseconds'`;

/** The time at which the pace of the campaign `c` allows its next recipient. */
const paceFrom = `
  greatest(c.fed_at, now() - interval '1 second' / c.per_second - ${catchUp})`;

/** How many recipients the campaign `c` may release now by its own pace, if it has one. */
const ownRoom = `
  case when c.per_second is null then 2147483647
    else greatest(0, floor(c.per_second * extract(epoch from now() - ${paceFrom})))::int end`;

/** The room of the number `n`. */
const roomOf = (ask: 'release_room' | 'take_release_room') => `${ask}(n.account_id, n.mode)`;

/**
 * Whether the campaign `c` releases recipients. A campaign that is paused because of its number releases one when the
 * number needs a message as its probe.
 */
const isReleasing = (row: string) => `
  (${unindexed(`${row}.status`)} = 'running' or ${unindexed(`${row}.status`)} = 'paused' and ${row}.reason = 'number_paused'
    and (select a.hold_probe from accounts a where a.id = c.account_id) = 'open')`;

/**
 * Recipients whose turn it is, of campaigns that run: as many as their own pace and their numbers allow, `limit` at most.
 * Campaigns of a number take turns, one recipient each.
 */
export const nextRecipients = statement({
  name: 'next-campaign-recipients',
  params: { campaignIds: 'uuid[]', limit: 'int4' },
  columns: {
    position: 'int4',
    to: 'text?',
    to_user_id: 'text?',
    variables: as<Readonly<Record<string, unknown>> | null>('json'),
    reference: 'text?',
    campaign_id: 'uuid',
    fed_at: 'timestamptz?',
    nth: 'int8',
  },
  text: `
  with running as materialized (
    select c.id, c.account_id, c.mode, c.fed_at, ${ownRoom} as room
    from campaigns c where c.id = any (:campaignIds::uuid[]) and ${isReleasing('c')}
  ), numbers as materialized (
    select n.account_id, n.mode, ${roomOf('release_room')} as room
    from (select distinct account_id, mode from running where room > 0) n
  ), shares as materialized (
    -- Enough for a whole answer, though most campaigns have less to give.
    select ceil(4.0 * :limit::int / nullif(count(*), 0))::int as most from running where room > 0
  )
  select o.* from numbers n cross join lateral (
    select p.*, u.id as campaign_id, u.fed_at, row_number() over (partition by u.id order by p.position) as nth
    from running u cross join lateral (
      select r.position, r.recipient as "to", r.to_user_id, r.variables, r.reference from campaign_recipients r
      where r.campaign_id = u.id and r.status = 'pending'
      order by r.position limit least(u.room, n.room, (select most from shares))
    ) p
    where u.account_id = n.account_id and u.mode = n.mode
    order by nth, u.fed_at nulls first, u.id limit n.room
  ) o
  order by o.nth, o.fed_at nulls first, o.campaign_id limit :limit`,
});

const isPending = `${unindexed('r.status')} = 'pending'`;

/**
 * Releases recipients of any number of campaigns: those who are pending become messages or are skipped. The statement is
 * the whole release, so nobody is released without a message, or twice.
 *
 * Each campaign is locked, with those that try its recipients again. It is left for the next time if somebody else has
 * one of them locked, or has changed one since this statement began to read: another release may have reached the same
 * person under another name.
 */
export const releaseRecipients = statement({
  name: 'release-campaign-recipients',
  params: {
    ofCampaigns: 'uuid[]',
    positions: 'int4[]',
    messageIds: 'uuid[]',
    payloads: 'text',
    faults: 'text[]',
    campaignIds: 'uuid[]',
  },
  columns: { id: 'uuid' },
  text: `
  with recursive input as materialized (
    select * from unnest(:ofCampaigns::uuid[], :positions::int[], :messageIds::uuid[], string_to_array(:payloads, E'\\n', ''), :faults::text[])
      with ordinality as t (campaign_id, position, message_id, payload, fault, place)
  ), asked as materialized (
    select c.id, c.retry_of from campaigns c where c.id = any (:campaignIds::uuid[])
  ), ${familySql('asked')},
  seen as materialized (
    select c.id, c.xmin as version from campaigns c where c.id = any (array(select id from family))
  ), locked as materialized (
    select c.id, c.xmin as version, c.status, c.reason from campaigns c
    where c.id = any (array(select id from family)) order by c.id for no key update skip locked
  ), campaign as materialized (
    select c.*, ${ownRoom} as room from campaigns c join locked l on l.id = c.id
    where c.id = any (:campaignIds::uuid[]) and ${isReleasing('l')}
      and not exists (select from family f join seen s on s.id = f.id
        left join locked x on x.id = f.id and x.version = s.version
        where f.of_id = c.id and x.id is null)
      and (select not ${isTemplateChanged} from (select) one ${templateJoin})
  ), numbers as materialized (
    select n.account_id, n.mode, ${roomOf('take_release_room')} as room
    from (select distinct account_id, mode from campaign order by 1, 2) n
  ), picked as materialized (
    select i.place, r.position, r.recipient, r.to_user_id, coalesce(r.reference, c.reference) as reference,
      i.message_id, i.payload, i.fault, c.id as campaign_id, c.account_id, c.api_key_id, c.mode, c.room
    from input i join campaign c on c.id = i.campaign_id cross join lateral (
      select r.* from campaign_recipients r
      where r.campaign_id = i.campaign_id and r.position = i.position and ${isPending}
      for update skip locked
    ) r
  ), named as materialized (
    select i.*, ${namesLike('to:')} as numbers, ${namesLike('user:')} as user_ids from (
      select p.*, o.id as root_id, ${namesToday('p')} as names
      from picked p join root o on o.of_id = p.campaign_id) i
  ), looked as materialized (
    select n.*, case
      when n.fault is not null then n.fault
      when ${optOutOf('o')} is not null then 'opted_out'
      when ${isHeldBack('recipient', 'n.numbers')} or ${isHeldBack('to_user_id', 'n.user_ids')} then 'held_131049'
      when exists (select from family f where f.of_id = n.campaign_id and ${isReached({
        campaignId: 'f.id',
        names: 'n.names',
        isSame: 'c.id = n.campaign_id',
      })}) then 'duplicate' end as reason
    from named n
    cross join lateral (select 'template' as type, n.payload, n.account_id, n.mode, n.recipient, n.to_user_id) o
  ), first as materialized (
    select l.root_id, name, min(l.place) as place from looked l cross join unnest(l.names) as name
    where l.reason is null group by 1, 2
  ), judged as materialized (
    select l.*, l.reason is null and exists (select from first f
      where f.root_id = l.root_id and f.name = any (l.names) and f.place < l.place) as is_second
    from looked l
  ), paced as (
    select j.*, row_number() over (partition by j.campaign_id order by j.place) as nth
    from judged j where j.reason is null and not j.is_second
  ), roomy as (
    select p.*, row_number() over (partition by p.account_id, p.mode order by p.place) as in_number
    from paced p where p.nth <= p.room
  ), wanted as materialized (
    select r.*, row_number() over (partition by r.api_key_id order by r.place) as of_key
    from roomy r join numbers n on n.account_id = r.account_id and n.mode = r.mode
    where r.in_number <= n.room
  ), units as materialized (
    select w.api_key_id, u.granted
    -- Keys are locked in one order.
    from (select api_key_id, count(*)::int as count from wanted group by 1 order by 1) w
    join api_keys k on k.id = w.api_key_id
    cross join lateral take_day_units(w.api_key_id, floor(k.daily_limit * ${dayShare})::int, w.count) u
  ), granted as materialized (
    select w.* from wanted w join units u on u.api_key_id = w.api_key_id where w.of_key <= u.granted
  ), stored as (${insertCampaignMessagesSql('granted')}
  ), decided as materialized (
    select j.campaign_id, j.position, j.message_id, null as reason from granted j
    union all
    select j.campaign_id, j.position, null, j.reason from judged j where j.reason is not null
    union all
    -- Only once the first one is released: else nobody might be.
    select j.campaign_id, j.position, null, 'duplicate' from judged j
    where j.is_second and not exists (select from judged w where w.root_id = j.root_id and w.reason is null
      and not w.is_second and w.place not in (select place from granted))
  ), changed as (
    update campaign_recipients r set
      status = case when d.reason is null then 'released' else 'skipped' end, reason = d.reason,
      message_id = d.message_id, released_at = case when d.reason is null then now() end
    from decided d where r.campaign_id = d.campaign_id and r.position = d.position
  ), fed as (
    update campaigns c set
      fed_at = case when c.per_second is null then now()
        else coalesce(${paceFrom}, now()) + make_interval(secs => g.count / c.per_second::float8) end,
      rate = case when c.rate_from < now() - interval '5 seconds'
        then (c.rate_count + g.count) / extract(epoch from now() - c.rate_from) else c.rate end,
      rate_count = case when c.rate_from < now() - interval '5 seconds' then 0 else c.rate_count + g.count end,
      rate_from = case when c.rate_from < now() - interval '5 seconds' then now() else coalesce(c.rate_from, now()) end
    from (
      select d.campaign_id, count(d.message_id)::int as count from decided d group by 1
    ) g
    where c.id = g.campaign_id and c.id = any (:campaignIds::uuid[])
  )
  select message_id as id from granted order by place`,
});
