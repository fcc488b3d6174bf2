import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { isSentAgain } from '../messages/message.js';
import { type CampaignStatus, contentHash, templateHash, templateJoin } from './campaign.js';
import type { RetriedGroup } from './campaigns.dto.js';
import { optOutJoin } from './opted-out-recipients.statements.js';
import {
  addressOf,
  familySql,
  namesToday,
  recipientsNamed,
} from './recipients/recipient-identity.js';
import { messageJoin, recipientStatus } from './recipients/recipient-status.js';

export const addCampaign = statement({
  name: 'add-campaign',
  params: {
    id: 'uuid',
    accountId: 'uuid',
    apiKeyId: 'uuid',
    mode: 'text',
    name: 'text',
    templateName: 'text',
    language: 'text',
    sendAt: 'timestamptz?',
    perSecond: 'int4?',
    messageEvents: 'text',
    failureRate: 'float4?',
    reference: 'text?',
  },
  text: `
  insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, send_at, per_second,
    message_events, failure_rate, reference)
  values (:id, :accountId, :apiKeyId, :mode, :name, :templateName, :language, :sendAt, :perSecond,
    :messageEvents, :failureRate, :reference)`,
});

export const noteCampaignContent = statement({
  name: 'note-campaign-content',
  params: { id: 'uuid' },
  text: `
  update campaigns n set (content_hash, template_hash) = (
    select ${contentHash}, ${templateHash} from campaigns c ${templateJoin} where c.id = n.id)
  where id = :id`,
});

export const estimateCampaign = statement({
  name: 'estimate-campaign',
  params: { id: 'uuid' },
  columns: { recipients: 'int4', opted_out: 'int4', messaging_limit: 'text?', pace: 'float8?' },
  text: `
  select (select count(*)::int from campaign_recipients r where r.campaign_id = c.id and r.status = 'pending') as recipients,
    (select count(*)::int from campaign_recipients r
     ${optOutJoin}
     where r.campaign_id = c.id and r.status = 'pending' and s.scope is not null) as opted_out,
    case when c.mode = 'live' then coalesce(
      (select h.messaging_limit from number_health h where h.account_id = a.id), a.quality_limit)
    end as messaging_limit,
    least(c.per_second, case when c.mode = 'live'
      then pace_of(a.messages_per_second, a.learnt_per_second, a.learnt_at) end)::float8 as pace
  from campaigns c join accounts a on a.id = c.account_id where c.id = :id`,
});

export const lockCampaign = statement({
  name: 'lock-campaign',
  params: { id: 'uuid' },
  text: 'select from campaigns where id = :id for update',
});

export const addRetry = statement({
  name: 'add-retry',
  params: { campaignId: 'uuid', retryId: 'uuid', suffix: 'text' },
  text: `
  insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, per_second,
    message_events, failure_rate, reference, retry_of)
  select :retryId, account_id, api_key_id, mode, left(name, 88) || :suffix, template_name, language, per_second,
    message_events, failure_rate, reference, id
  from campaigns where id = :campaignId`,
});

/**
 * What the recipient `r` of the campaign `c` is to a new retry of `:campaignId`: somebody who is in another one, who
 * waits in a retry of another campaign of the family, or who was reached. Whom a retry has skipped because WhatsApp
 * held a message to them back is nobody: a later one may reach them.
 */
const isTaken = `
  case when c.retry_of = :campaignId
    then case when c.status = 'cancelled' then ${recipientStatus} not in ('cancelled', 'skipped')
      else r.reason is distinct from 'held_131049' end
    else case r.status when 'released' then ${recipientStatus} not in ('failed', 'cancelled')
      else c.id <> :campaignId and c.retry_of is not null and ${recipientStatus} = 'pending' end end`;

/**
 * Expressions of a recursive statement: `wanted`, the recipients of `:campaignId` with these statuses who can be tried
 * again, who failed before who is of the rest (`nth`): persons whom no other campaign of the family has reached, who are in no other retry, and whose message nobody has sent
 * again. A retry that was cancelled counts for those whom it released.
 * @param of for the database: `failed` of the recipients, and `campaigns`, the condition of those `c` that count.
 */
const wantedSql = (of: { failed: string; campaigns: string }) => `
  asked as (select id, retry_of from campaigns where id = :campaignId), ${familySql('asked')},
  chosen as materialized (
    select r.*, c.account_id, c.mode, coalesce(r.result->'error', m.error) as failure,
      ${recipientStatus} = 'cancelled' as is_rest
    from campaign_recipients r join campaigns c on c.id = r.campaign_id ${messageJoin}
    ${optOutJoin}
    where r.campaign_id = :campaignId and ${recipientStatus} = any (:statuses) and s.scope is null
      and not ${isSentAgain('r.message_id')}
      and ${of.failed}
  ), named as materialized (
    select f.*, ${namesToday('f')} as names from chosen f
  ), first as materialized (
    select name, min(n.position) as position from named n cross join unnest(n.names) as name group by name
  ), wanted as (
    select n.*, row_number() over (order by n.is_rest, n.position) as nth from named n
    where not exists (select from first f where f.name = any (n.names) and f.position < n.position)
      and not exists (
        select from family f join campaigns c on c.id = f.id and ${of.campaigns}
        cross join lateral (${recipientsNamed({
          columns: 'r.*',
          campaignId: 'c.id',
          names: 'n.names',
          condition: 'true',
        })}) r ${messageJoin}
        where (r.campaign_id, r.position) <> (n.campaign_id, n.position) and ${isTaken})
  )`;

/** For the database: WhatsApp's code, or Parley's reason where WhatsApp gave none. */
const causeOf = (failure: string) =>
  `coalesce(${failure}->>'platformCode', ${failure}->>'reason', 'unknown')`;

/** The rest has no causes. */
const hasCause = `
  (:causes::text[] is null or ${recipientStatus} = 'cancelled'
    or ${causeOf(`coalesce(r.result->'error', m.error)`)} = any (:causes))`;

/** Makes those who can be tried again the recipients of a new campaign. */
export const addRetryRecipients = statement({
  name: 'add-retry-recipients',
  params: { campaignId: 'uuid', retryId: 'uuid', causes: 'text[]?', statuses: 'text[]' },
  text: `
  with recursive ${wantedSql({ failed: hasCause, campaigns: 'c.id <> :retryId' })}, added as (
    insert into campaign_recipients (campaign_id, position, recipient, to_user_id, address, variables, reference)
    select :retryId, nth, recipient, to_user_id, ${addressOf('w')}, variables, reference from wanted w
    returning 1
  )
  update campaigns set total = (select count(*) from added) where id = :retryId`,
});

/** How many would be the recipients of a retry that is made now, by why their message failed. */
export const countRetriable = statement({
  name: 'count-retriable-recipients',
  params: { campaignId: 'uuid', statuses: 'text[]' },
  columns: { code: 'text', count: 'int4' },
  text: `
  with recursive ${wantedSql({ failed: 'true', campaigns: 'true' })}
  select ${causeOf('failure')} as code, count(*)::int as count from wanted group by 1 order by 2 desc, 1`,
});

/** Whether the first or last recipient of the retry `n` is of the rest of `:campaignId`. */
const isRest = (order: 'asc' | 'desc') => `exists (
  select from campaigns c join campaign_recipients r on r.campaign_id = c.id ${messageJoin}
  where c.id = :campaignId and ${recipientStatus} = 'cancelled' and r.address = (
    select f.address from campaign_recipients f where f.campaign_id = n.id order by f.position ${order} limit 1))`;

/* In a retry, who failed comes before who is of the rest: the first and the last say of which groups it is. */
export const listRetries = statement({
  name: 'list-retries',
  params: { campaignId: 'uuid' },
  columns: {
    id: 'uuid',
    name: 'text',
    status: as<CampaignStatus>('text'),
    total: 'int4',
    who: as<RetriedGroup>('text'),
  },
  text: `
  select n.id, n.name, n.status, n.total,
    case when ${isRest('asc')} then 'rest' when ${isRest('desc')} then 'failed_and_rest' else 'failed' end as who
  from campaigns n where n.retry_of = :campaignId order by n.id desc limit 20`,
});

export const isCampaignLater = statement({
  name: 'is-campaign-later',
  params: { id: 'uuid' },
  columns: { isLater: 'bool' },
  text: 'select send_at > now() is true as "isLater" from campaigns where id = :id',
});
