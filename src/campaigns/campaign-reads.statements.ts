import { endsSo } from '../contacts/forms/number-forms.js';
import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import type { MessageFailure } from '../messages/message.js';
import { isTakenByWhatsapp } from '../outcomes/outcomes.js';
import { campaignColumns, campaignColumnTypes } from './campaign.js';
import {
  countedRecipients,
  messageJoin,
  type RecipientStatus,
  recipientStatus,
} from './recipients/recipient-status.js';

/**
 * One look at the rows, so that the counts agree with each other and with `total`. A hundred thousand of them take some
 * 200 ms.
 * @param isStored for the database: whether the counts of the campaign `c` are taken as they were counted last.
 */
const readSql = (condition: string, isStored = 'false') => `
  select ${campaignColumns}, case when c.status = 'draft' then json_build_object('pending', c.total)
    when ${isStored} then c.counts else ${countedRecipients} end as counts
  from campaigns c where ${condition}`;

const countedColumns = {
  ...campaignColumnTypes,
  counts: as<Partial<Record<RecipientStatus, number>>>('json'),
} as const;

export const findCampaign = statement({
  name: 'find-campaign',
  params: { id: 'uuid', accountId: 'uuid?', apiKeyId: 'uuid?' },
  columns: countedColumns,
  text: readSql(`c.id = :id and (:accountId::uuid is null or c.account_id = :accountId)
    and (:apiKeyId::uuid is null or c.api_key_id = :apiKeyId)`),
});

/** Newest first. */
export const listCampaigns = statement({
  name: 'list-campaigns',
  params: {
    accountId: 'uuid?',
    apiKeyId: 'uuid?',
    beforeId: 'uuid?',
    limit: 'int8',
    status: 'text?',
    mode: 'text?',
  },
  columns: countedColumns,
  text: readSql(
    `c.id in (select id from campaigns where (:accountId::uuid is null or account_id = :accountId)
    and (:apiKeyId::uuid is null or api_key_id = :apiKeyId) and (:beforeId::uuid is null or id < :beforeId)
    and (:status::text is null or status = :status) and (:mode::text is null or mode = :mode)
    order by id desc limit :limit) order by c.id desc`,
    'c.ended_at is not null and c.counts is not null',
  ),
});

export const listCampaignRecipients = statement({
  name: 'list-campaign-recipients',
  params: {
    id: 'uuid',
    after: 'int4',
    status: 'text?',
    code: 'int4?',
    limit: 'int8',
    /** Null: what recipients are called does not matter. */
    referenceStart: 'text?',
    phones: 'text[]?',
    ends: 'text[]?',
    userIds: 'text[]?',
  },
  columns: {
    position: 'int4',
    to: 'text?',
    to_user_id: 'text?',
    reference: 'text?',
    status: as<RecipientStatus>('text'),
    reason: 'text?',
    message_id: 'uuid?',
    released_at: 'timestamptz?',
    failure: as<MessageFailure | null>('jsonb'),
    sent_at: 'timestamptz?',
    delivered_at: 'timestamptz?',
    read_at: 'timestamptz?',
    failed_at: 'timestamptz?',
  },
  text: `
  select r.position, r.recipient as "to", r.to_user_id, coalesce(r.reference, c.reference) as reference,
    ${recipientStatus} as status, r.reason, r.message_id, r.released_at,
    coalesce(r.result->'error', case when m.status = 'failed' then m.error end) as failure,
    coalesce((r.result->>'sent_at')::timestamptz, m.sent_at) as sent_at,
    coalesce((r.result->>'delivered_at')::timestamptz, m.delivered_at) as delivered_at,
    coalesce((r.result->>'read_at')::timestamptz, m.read_at) as read_at,
    coalesce((r.result->>'failed_at')::timestamptz, m.failed_at) as failed_at
  from campaign_recipients r join campaigns c on c.id = r.campaign_id ${messageJoin}
  where r.campaign_id = :id and r.position > :after and (:status::text is null or ${recipientStatus} = :status)
    and (:code::int is null or
      coalesce(r.result->'error', case when m.status = 'failed' then m.error end)->'platformCode' = to_jsonb(:code::int))
    and (:referenceStart::text is null or starts_with(coalesce(r.reference, c.reference), :referenceStart)
      or r.recipient = any (:phones::text[]) or r.to_user_id = any (:userIds::text[])
      or ${endsSo('r.recipient', ':ends')})
  order by r.position limit :limit`,
});

/** Whose message a draft can show before its start. */
export const listFirstRecipients = statement({
  name: 'list-first-campaign-recipients',
  params: { id: 'uuid' },
  columns: {
    to: 'text?',
    to_user_id: 'text?',
    variables: as<Record<string, unknown>>('json'),
  },
  text: `
  select r.recipient as "to", r.to_user_id, coalesce(r.variables, '{}') as variables
  from campaign_recipients r where r.campaign_id = :id order by r.position limit 10`,
});

export const findNameOfKey = statement({
  name: 'find-name-of-key',
  params: { id: 'uuid' },
  columns: { name: 'text' },
  text: 'select name from api_keys where id = :id',
});

/** The entry of a pause or a cancel is written in its transaction. @param :firstId bounds the search; the times decide. */
export const findStopper = statement({
  name: 'find-stopper-of-campaign',
  params: {
    id: 'uuid',
    accountId: 'uuid',
    action: 'text',
    stoppedAt: 'timestamptz',
    firstId: 'uuid',
  },
  columns: { actor: 'text' },
  text: `
  select actor from audit_log where account_id = :accountId and id >= :firstId and subject_id = :id
    and action = :action and at >= :stoppedAt
  order by id desc limit 1`,
});

/** `taken` is how many failures of all codes WhatsApp had taken before. */
export const countCampaignFailures = statement({
  name: 'count-campaign-failures',
  params: { campaignId: 'uuid' },
  columns: { code: 'text', count: 'int4', taken: 'int4' },
  text: `
  select coalesce(e.error->>'platformCode', e.error->>'reason', 'unknown') as code, count(*)::int as count,
    (sum(count(*) filter (where ${isTakenByWhatsapp("'failed'", 'e.sent_at')})) over ())::int as taken
  from campaign_recipients r ${messageJoin}
  cross join lateral (select coalesce(r.result->'error', case when m.status = 'failed' then m.error end) as error,
    coalesce((r.result->>'sent_at')::timestamptz, m.sent_at) as sent_at) e
  where r.campaign_id = :campaignId and e.error is not null
  group by 1 order by 2 desc, 1 limit 20`,
});

/** What a retry was made from. While it is a draft, also why its recipients failed there; nobody of a rest has failed. */
export const findRetried = statement({
  name: 'find-retried-campaign',
  params: { id: 'uuid', retriedId: 'uuid' },
  columns: { name: 'text', failed_by_code: as<Record<string, number> | null>('json') },
  text: `
  select o.name, case when c.status = 'draft' then (
    select coalesce(json_object_agg(f.code, f.count) filter (where f.code is not null), '{}') from (
      select case when e.error is not null
        then coalesce(e.error->>'platformCode', e.error->>'reason', 'unknown') end as code, count(*)::int as count
      from campaign_recipients n
        join campaign_recipients r on r.campaign_id = o.id and r.address = n.address ${messageJoin}
        cross join lateral (
          select coalesce(r.result->'error', case when m.status = 'failed' then m.error end) as error) e
      where n.campaign_id = c.id group by 1) f
  ) end as failed_by_code
  from campaigns c, campaigns o where c.id = :id and o.id = :retriedId`,
});

/** Why released messages wait: the hold of the number, for live ones; else what refused them last. No row where none does. */
export const findCampaignWait = statement({
  name: 'find-campaign-wait',
  params: { id: 'uuid' },
  columns: { code: 'text?', next_at: 'timestamptz?' },
  text: `
  select coalesce(a.hold_code::text, w.code) as code, coalesce(a.hold_until, w.next_at) as next_at
  from campaigns c left join accounts a on a.id = c.account_id and c.mode = 'live' and a.hold_kind is not null
  cross join lateral (
    select min(m.next_attempt_at) as next_at,
      mode() within group (order by coalesce(m.error->>'platformCode', m.error->>'reason')) as code
    from campaign_recipients r ${messageJoin}
    where r.campaign_id = c.id and r.status = 'released' and m.status = 'queued' and m.error is not null) w
  where c.id = :id and (a.id is not null or w.next_at is not null)`,
});
