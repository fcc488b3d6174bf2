import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { callerOf } from '../access/caller.js';
import type { Principal } from '../access/principal.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { resolveAlert } from '../alerts/alerts.js';
import { AuditLog } from '../audit/audit-log.js';
import { Config } from '../config/config.js';
import { newId } from '../database/ids.js';
import { AppError, validationError } from '../errors/app-error.js';
import { MessageCancellation } from '../messages/rows/message-cancellation.js';
import { sendAtOf } from '../messages/sends/send.dto.js';
import { TemplateMessages } from '../templates/sends/template-messages.service.js';
import type { CampaignStatus } from './campaign.js';
import { changeStatus, type StatusChange } from './campaign-changes.js';
import { CampaignReads, type CampaignScope } from './campaign-reads.js';
import type {
  CampaignDto,
  CampaignRetriesDto,
  CampaignRetryDto,
  EstimateDto,
  NewCampaignDto,
  RetriedGroup,
} from './campaigns.dto.js';
import * as sql from './campaigns.statements.js';

/** How people steer a campaign: what the audit log calls it, and what it does. */
const steps = {
  pause: { action: 'campaign.paused', take: 'pause' },
  resume: { action: 'campaign.resumed', take: 'goOn' },
  cancel: { action: 'campaign.cancelled', take: 'cancel' },
} as const;

/** Which recipients of a campaign are in a retry of each group. */
const statusesOf = {
  failed: ['failed'],
  rest: ['cancelled'],
  failed_and_rest: ['failed', 'cancelled'],
} as const satisfies Record<RetriedGroup, readonly string[]>;

/** Writes down who has changed a campaign, in the transaction of the change. */
type Note = (manager: EntityManager) => Promise<void>;

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
    private readonly audit: AuditLog,
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
    await sql.addCampaign.run(manager, {
      id,
      accountId: caller.accountId,
      apiKeyId: caller.apiKeyId,
      mode: caller.mode,
      name: given.name,
      templateName: given.template_name,
      language,
      sendAt,
      perSecond: given.per_second,
      messageEvents: given.message_events ?? 'all',
      failureRate: given.pause_on?.failure_rate,
      reference: given.reference,
    });
    return this.get(id, caller, manager);
  }

  /** What it would do if it were started now. @throws AppError CAMPAIGN_NOT_FOUND */
  async estimate(id: string, scope: CampaignScope): Promise<EstimateDto> {
    const campaign = await this.get(id, scope);
    const row = await sql.estimateCampaign.row(this.dataSource, { id: campaign.id });
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
  async pause(id: string, scope: CampaignScope, note?: Note): Promise<CampaignDto> {
    const campaign = await this.get(id, scope);
    if (campaign.status === 'paused' && campaign.reason === 'operator') return campaign;
    // A pause that would end by itself is from now on somebody's decision.
    const from: CampaignStatus[] = ['running', 'scheduled', 'paused'];
    return this.change(campaign, scope, { to: 'paused', from, reason: 'operator' }, note);
  }

  /** @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE unless it is paused; template errors */
  async resume(id: string, caller: Principal): Promise<CampaignDto> {
    await this.templates.findMapped(caller, await this.get(id, caller));
    return this.goOn(id, caller);
  }

  /** The same for people: what is wrong with the template or the key pauses it again. */
  async goOn(id: string, scope: CampaignScope, note?: Note): Promise<CampaignDto> {
    const campaign = await this.get(id, scope);
    return this.begin(campaign, scope, 'paused', note);
  }

  /**
   * Cancels everything that no worker has in hand. Asking again changes nothing.
   * @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE for a completed campaign
   */
  async cancel(id: string, scope: CampaignScope, note?: Note): Promise<CampaignDto> {
    const campaign = await this.get(id, scope);
    const publish = await this.dataSource.transaction(async (manager) => {
      const from: CampaignStatus[] = ['draft', 'scheduled', 'running', 'paused'];
      const isChanged = await changeStatus(manager, campaign.id, { to: 'cancelled', from });
      if (isChanged) await resolvePause(manager, campaign);
      if (isChanged) await note?.(manager);
      return isChanged ? this.cancellation.cancelCampaign(manager, campaign.id) : null;
    });
    publish?.();
    const now = await this.get(id, scope);
    if (now.status !== 'cancelled') throw stateError(now);
    return now;
  }

  /**
   * Lets a person pause, resume or cancel a campaign; the audit log records what was changed.
   * @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE where its status does not allow it
   */
  async steer(id: string, user: SignedInUser, step: keyof typeof steps): Promise<CampaignDto> {
    const caller = callerOf(user);
    const { action, take } = steps[step];
    const campaign = await this.get(id, caller);
    return this[take](id, caller, (manager) =>
      this.audit.record(manager, user.actor, {
        action,
        accountId: campaign.account_id,
        subjectId: campaign.id,
        subjectName: campaign.name,
        details: { api_key_id: campaign.api_key_id, mode: campaign.mode },
      }),
    );
  }

  /**
   * A new draft for those whose message has failed, for the rest of a cancelled campaign, or for both: who have not opted
   * out and are in no other retry.
   * @throws AppError VALIDATION_ERROR for codes of the rest alone; CAMPAIGN_STATE for a draft, for the rest of a campaign
   * that is not cancelled, and where there is nobody to try again
   */
  async retry(
    campaign: CampaignDto,
    caller: Principal,
    { who, codes, reasons }: CampaignRetryDto,
    manager: EntityManager,
  ): Promise<CampaignDto> {
    const statuses: readonly string[] = statusesOf[who ?? 'failed'];
    const isRest = who === 'rest';
    const causes = codes || reasons ? [...(codes ?? []).map(String), ...(reasons ?? [])] : null;
    if (isRest && causes) {
      throw validationError({
        [codes ? 'codes' : 'reasons']:
          'cannot be combined with who: rest; the rest has no failures',
      });
    }
    if (statuses.includes('cancelled') && campaign.status !== 'cancelled')
      throw stateError(campaign);
    // Two retries at once must not have the same recipients.
    await sql.lockCampaign.run(manager, { id: campaign.id });
    const retryId = newId();
    const ids = { campaignId: campaign.id, retryId };
    await sql.addRetry.run(manager, { ...ids, suffix: isRest ? ' (rest)' : ' (retry)' });
    await sql.addRetryRecipients.run(manager, { ...ids, causes, statuses });
    const made = await this.get(retryId, caller, manager);
    if (made.counts.total > 0) return made;
    throw new AppError('CAMPAIGN_STATE', {
      message: 'No recipient of the campaign can be tried again.',
      details: { status: campaign.status },
    });
  }

  /** What a retry that is made now would have, and the retries that there are. */
  async retries({ id: campaignId, status, counts }: CampaignDto): Promise<CampaignRetriesDto> {
    const isEnded = status === 'completed' || status === 'cancelled';
    const count = async (of: 'failed' | 'cancelled', isAsked: boolean) =>
      isAsked && counts[of] > 0
        ? await sql.countRetriable.rows(this.dataSource, { campaignId, statuses: [of] })
        : [];
    const sum = (rows: readonly { readonly count: number }[]) =>
      rows.reduce((total, row) => total + row.count, 0);
    const failed = await count('failed', isEnded);
    return {
      failed: sum(failed),
      failed_by_code: Object.fromEntries(failed.map((row) => [row.code, row.count])),
      rest: sum(await count('cancelled', status === 'cancelled')),
      retries: await sql.listRetries.rows(this.dataSource, { campaignId }),
    };
  }

  /** Lets it run, or wait for its time by the clock of the database. */
  private async begin(
    campaign: CampaignDto,
    scope: CampaignScope,
    from: CampaignStatus,
    note?: Note,
  ): Promise<CampaignDto> {
    const row = await sql.isCampaignLater.row(this.dataSource, { id: campaign.id });
    const to = row?.isLater ? 'scheduled' : 'running';
    return this.change(campaign, scope, { to, from: [from] }, note);
  }

  private async change(
    campaign: CampaignDto,
    scope: CampaignScope,
    change: StatusChange,
    note?: Note,
  ): Promise<CampaignDto> {
    const { id } = campaign;
    const isChanged = await this.dataSource.transaction(async (manager) => {
      if (!(await changeStatus(manager, id, change))) return false;
      await note?.(manager);
      if (change.to === 'paused') return true;
      await sql.noteCampaignContent.run(manager, { id });
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
