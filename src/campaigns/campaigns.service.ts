import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { resolveAlert } from '../alerts/alerts.js';
import { Config } from '../config/config.js';
import { newId } from '../database/ids.js';
import { AppError, validationError } from '../errors/app-error.js';
import { MessageCancellation } from '../messages/rows/message-cancellation.js';
import { sendAtOf } from '../messages/sends/send.dto.js';
import { TemplateMessages } from '../templates/sends/template-messages.service.js';
import {
  type CampaignStatus,
  contentHash,
  messageJoin,
  type RecipientStatus,
  recipientStatus,
  templateHash,
  templateJoin,
} from './campaign.js';
import { changeStatus, type StatusChange } from './campaign-changes.js';
import { CampaignReads, type CampaignScope } from './campaign-reads.js';
import type {
  CampaignDto,
  CampaignRetryDto,
  EstimateDto,
  NewCampaignDto,
} from './campaigns.dto.js';
import { optOutJoin } from './opted-out-recipients.js';
import { addressOf, familySql, namesToday, recipientsNamed } from './recipient-identity.js';

const insertSql = `
  insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, send_at, per_second,
    message_events, failure_rate, reference)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

const hashSql = `
  update campaigns n set (content_hash, template_hash) = (
    select ${contentHash}, ${templateHash} from campaigns c ${templateJoin} where c.id = n.id)
  where id = $1`;

const estimateSql = `
  select (select count(*)::int from campaign_recipients r where r.campaign_id = c.id and r.status = 'pending') as recipients,
    (select count(*)::int from campaign_recipients r
     ${optOutJoin}
     where r.campaign_id = c.id and r.status = 'pending' and s.scope is not null) as opted_out,
    case when c.mode = 'live' then coalesce(
      (select h.messaging_limit from number_health h where h.account_id = a.id), a.quality_limit)
    end as messaging_limit,
    least(c.per_second, case when c.mode = 'live'
      then pace_of(a.messages_per_second, a.learnt_per_second, a.learnt_at) end)::float8 as pace
  from campaigns c join accounts a on a.id = c.account_id where c.id = $1`;

/**
 * What the recipient `r` of the campaign `c` is to a new retry of `$1`: somebody who is in another one, who waits in a
 * retry of another campaign of the family, or who was reached.
 */
const isTaken = `
  case when c.retry_of = $1
    then case when c.status = 'cancelled' then ${recipientStatus} not in ('cancelled', 'skipped') else true end
    else case r.status when 'released' then ${recipientStatus} not in ('failed', 'cancelled')
      else c.id <> $1 and c.retry_of is not null and ${recipientStatus} = 'pending' end end`;

/**
 * Recipients with the status `$4` as the recipients of a new campaign: persons whom no other campaign of the family has
 * reached, who are in no other retry, and whose message nobody has sent again. A retry that was cancelled counts for those whom it released.
 */
const retrySql = `
  with recursive asked as (select id, retry_of from campaigns where id = $1), ${familySql('asked')},
  chosen as materialized (
    select r.*, c.account_id, c.mode
    from campaign_recipients r join campaigns c on c.id = r.campaign_id ${messageJoin}
    ${optOutJoin}
    where r.campaign_id = $1 and ${recipientStatus} = $4 and s.scope is null
      and not exists (select from messages again where again.resent_from = m.id and again.status <> 'failed')
      and ($3::int[] is null or (coalesce(r.result->'error', m.error)->>'platformCode')::int = any ($3))
  ), named as materialized (
    select f.*, ${namesToday('f')} as names from chosen f
  ), first as materialized (
    select name, min(n.position) as position from named n cross join unnest(n.names) as name group by name
  ), wanted as (
    select n.*, row_number() over (order by n.position) as nth from named n
    where not exists (select from first f where f.name = any (n.names) and f.position < n.position)
      and not exists (
        select from family f join campaigns c on c.id = f.id and c.id <> $2
        cross join lateral (${recipientsNamed({
          columns: 'r.*',
          campaignId: 'c.id',
          names: 'n.names',
          condition: 'true',
        })}) r ${messageJoin}
        where (r.campaign_id, r.position) <> (n.campaign_id, n.position) and ${isTaken})
  ), added as (
    insert into campaign_recipients (campaign_id, position, recipient, to_user_id, address, variables, reference)
    select $2, nth, recipient, to_user_id, ${addressOf('w')}, variables, reference from wanted w
    returning 1
  )
  update campaigns set total = (select count(*) from added) where id = $2`;

/** What a new campaign has been found to need. */
export interface CheckedCampaign {
  readonly language: string;
  readonly sendAt: string | null;
}

/** Campaigns: made, started, paused, resumed, cancelled and tried again. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: CampaignReads,
    private readonly templates: TemplateMessages,
    private readonly cancellation: MessageCancellation,
    private readonly config: Config,
  ) {}

  /** @throws AppError CAMPAIGN_NOT_FOUND, also for a campaign of another key */
  async get(id: string, scope: CampaignScope, manager?: EntityManager): Promise<CampaignDto> {
    const campaign = isUUID(id) ? await this.reads.find(id.toLowerCase(), scope, manager) : null;
    if (!campaign) throw new AppError('CAMPAIGN_NOT_FOUND');
    return campaign;
  }

  /**
   * Looks at a new campaign before the transaction that makes it.
   * @returns its language as WhatsApp writes it, and when it is to start; null: at once.
   * @throws AppError VALIDATION_ERROR for `send_at`; TEMPLATE_NOT_FOUND, TEMPLATE_NOT_CONFIGURED
   */
  async check(caller: Principal, given: NewCampaignDto): Promise<CheckedCampaign> {
    const sendAt = sendAtOf(given, this.config.retentionDays);
    const { language } = await this.templates.findMapped(caller, given);
    return { language, sendAt };
  }

  /** Makes a campaign that has been checked. */
  async create(
    caller: Principal,
    given: NewCampaignDto,
    { language, sendAt }: CheckedCampaign,
    manager: EntityManager,
  ): Promise<CampaignDto> {
    const id = newId();
    await manager.query(insertSql, [
      id,
      caller.accountId,
      caller.apiKeyId,
      caller.mode,
      given.name,
      given.template_name,
      language,
      sendAt,
      given.per_second ?? null,
      given.message_events ?? 'all',
      given.pause_on?.failure_rate ?? null,
      given.reference ?? null,
    ]);
    return this.get(id, caller, manager);
  }

  /** What it would do if it were started now. @throws AppError CAMPAIGN_NOT_FOUND */
  async estimate(id: string, scope: CampaignScope): Promise<EstimateDto> {
    const campaign = await this.get(id, scope);
    const [row]: (Omit<EstimateDto, 'seconds'> & { pace: number | null })[] =
      await this.dataSource.query(estimateSql, [campaign.id]);
    if (!row) throw new AppError('CAMPAIGN_NOT_FOUND');
    const { pace, ...estimate } = row;
    const sent = estimate.recipients - estimate.opted_out;
    return { ...estimate, seconds: pace ? Math.ceil(sent / pace) : null };
  }

  /**
   * Lets a draft begin, at once or at its `send_at`.
   * @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE for another status and without recipients; template errors
   */
  async start(id: string, caller: Principal): Promise<CampaignDto> {
    const campaign = await this.get(id, caller);
    await this.templates.findMapped(caller, campaign);
    if (campaign.counts.total === 0) {
      throw new AppError('CAMPAIGN_STATE', {
        message: 'The campaign has no recipients yet. Add some before you start it.',
        details: { status: campaign.status },
      });
    }
    return this.begin(campaign, caller, 'draft');
  }

  /**
   * Releases nothing more until it is resumed. What is released already is sent.
   * @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE unless it runs, waits for its time or is paused
   */
  async pause(id: string, scope: CampaignScope): Promise<CampaignDto> {
    const campaign = await this.get(id, scope);
    if (campaign.status === 'paused' && campaign.reason === 'operator') return campaign;
    // A pause that would end by itself is from now on somebody's decision.
    const from: CampaignStatus[] = ['running', 'scheduled', 'paused'];
    return this.change(campaign, scope, { to: 'paused', from, reason: 'operator' });
  }

  /** @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE unless it is paused; template errors */
  async resume(id: string, caller: Principal): Promise<CampaignDto> {
    await this.templates.findMapped(caller, await this.get(id, caller));
    return this.goOn(id, caller);
  }

  /** The same for people: what is wrong with the template or the key pauses it again. */
  async goOn(id: string, scope: CampaignScope): Promise<CampaignDto> {
    const campaign = await this.get(id, scope);
    return this.begin(campaign, scope, 'paused');
  }

  /**
   * Cancels everything that no worker has in hand. Asking again changes nothing.
   * @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE for a completed campaign
   */
  async cancel(id: string, scope: CampaignScope): Promise<CampaignDto> {
    const campaign = await this.get(id, scope);
    const publish = await this.dataSource.transaction(async (manager) => {
      const from: CampaignStatus[] = ['draft', 'scheduled', 'running', 'paused'];
      const isChanged = await changeStatus(manager, campaign.id, { to: 'cancelled', from });
      if (isChanged) await resolvePause(manager, campaign);
      return isChanged ? this.cancellation.cancelCampaign(manager, campaign.id) : null;
    });
    publish?.();
    const now = await this.get(id, scope);
    if (now.status !== 'cancelled') throw stateError(now);
    return now;
  }

  /**
   * A new draft for those whose message has failed, or for the rest of a cancelled campaign: who have not opted out and are
   * in no other retry.
   * @throws AppError VALIDATION_ERROR for codes of the rest; CAMPAIGN_STATE for a draft, for the rest of a campaign that is not cancelled, and where there is nobody
   * to try again
   */
  async retry(
    campaign: CampaignDto,
    caller: Principal,
    { who, codes }: CampaignRetryDto,
    manager: EntityManager,
  ): Promise<CampaignDto> {
    const isRest = who === 'rest';
    if (isRest && codes) {
      throw validationError({
        codes: 'cannot be combined with who: rest; the rest has no error codes',
      });
    }
    if (isRest && campaign.status !== 'cancelled') throw stateError(campaign);
    // Two retries at once must not have the same recipients.
    await manager.query('select from campaigns where id = $1 for update', [campaign.id]);
    const newCampaign = newId();
    await manager.query(
      `insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, per_second,
         message_events, failure_rate, reference, retry_of)
       select $2, account_id, api_key_id, mode, left(name, 88) || $3, template_name, language, per_second,
         message_events, failure_rate, reference, id
       from campaigns where id = $1`,
      [campaign.id, newCampaign, isRest ? ' (rest)' : ' (retry)'],
    );
    const status: RecipientStatus = isRest ? 'cancelled' : 'failed';
    await manager.query(retrySql, [campaign.id, newCampaign, codes ?? null, status]);
    const made = await this.get(newCampaign, caller, manager);
    if (made.counts.total > 0) return made;
    throw new AppError('CAMPAIGN_STATE', {
      message: 'No recipient of the campaign can be tried again.',
      details: { status: campaign.status },
    });
  }

  /** Lets it run, or wait for its time by the clock of the database. */
  private async begin(
    campaign: CampaignDto,
    scope: CampaignScope,
    from: CampaignStatus,
  ): Promise<CampaignDto> {
    const [row]: { isLater: boolean }[] = await this.dataSource.query(
      'select send_at > now() is true as "isLater" from campaigns where id = $1',
      [campaign.id],
    );
    return this.change(campaign, scope, {
      to: row?.isLater ? 'scheduled' : 'running',
      from: [from],
    });
  }

  private async change(
    campaign: CampaignDto,
    scope: CampaignScope,
    change: StatusChange,
  ): Promise<CampaignDto> {
    const { id } = campaign;
    const isChanged = await this.dataSource.transaction(async (manager) => {
      if (!(await changeStatus(manager, id, change))) return false;
      if (change.to === 'paused') return true;
      await manager.query(hashSql, [id]);
      await resolvePause(manager, campaign);
      return true;
    });
    const now = await this.get(id, scope);
    if (!isChanged) throw stateError(now);
    return now;
  }
}

/** The pause needs no attention any more. */
function resolvePause(
  manager: EntityManager,
  { id: subject, account_id: accountId }: CampaignDto,
): Promise<void> {
  return resolveAlert(manager, { accountId, kind: 'campaign_paused', subject });
}

export function stateError({ status }: Pick<CampaignDto, 'status'>): AppError {
  return new AppError('CAMPAIGN_STATE', {
    message: `The campaign is ${status}, which does not allow this.`,
    details: { status },
  });
}
