import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { callerOf } from '../../access/caller.js';
import type { Principal } from '../../access/principal.js';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { ApiKeyDirectory } from '../../api-keys/api-key-directory.js';
import { AuditLog, type AuditRecord, changesBetween } from '../../audit/audit-log.js';
import { checkPermissions, stateRefusalOf } from '../../auth/admission.js';
import { Config } from '../../config/config.js';
import { Turns } from '../../database/transactions/turns.js';
import { noSuch } from '../../errors/app-error.js';
import { sendAtOf } from '../../messages/sends/send.dto.js';
import { campaignTurn } from '../campaign.js';
import { CampaignRecipients } from '../campaign-recipients.service.js';
import type {
  AddedRecipientsDto,
  CampaignDto,
  CampaignRetryDto,
  EstimateDto,
  NewRecipientsDto,
  RetriedGroup,
} from '../campaigns.dto.js';
import { CampaignsService, stateError } from '../campaigns.service.js';
import type { DraftChangeDto, NewDraftDto } from './campaign-drafts.dto.js';
import * as sql from './campaign-drafts.statements.js';

/**
 * Campaigns that people make in the dashboard, in the name of a key. What would refuse the key refuses them, except its
 * address, its signature and its limits a minute: those are for programs.
 */
@Injectable()
export class CampaignDrafts {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly recipients: CampaignRecipients,
    private readonly directory: ApiKeyDirectory,
    private readonly audit: AuditLog,
    private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly turns: Turns,
  ) {}

  /** @throws AppError NOT_FOUND for a key of another account; what refuses the key; template errors; VALIDATION_ERROR */
  async create(user: SignedInUser, given: NewDraftDto): Promise<CampaignDto> {
    const caller = await this.callerOf(user, given.api_key_id);
    const sendAt = await this.campaigns.check(caller, given);
    return this.dataSource.transaction(async (manager) => {
      const campaign = await this.campaigns.create(caller, given, sendAt, manager);
      await this.record(manager, user, 'campaign.created', campaign);
      return campaign;
    });
  }

  /** @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE after the start; VALIDATION_ERROR for `send_at` */
  async change(user: SignedInUser, id: string, given: DraftChangeDto): Promise<CampaignDto> {
    const scope = callerOf(user);
    const before = await this.campaigns.get(id, scope);
    const sendAt =
      given.send_at === undefined ? before.send_at : sendAtOf(given, this.config.retentionDays);
    const { failure_rate: rate = null } =
      (given.pause_on === undefined ? before.pause_on : given.pause_on) ?? {};
    return this.dataSource.transaction(async (manager) => {
      const changed = await sql.changeCampaignDraft.row(manager, {
        id: before.id,
        name: given.name ?? before.name,
        sendAt,
        perSecond: given.per_second === undefined ? before.per_second : given.per_second,
        messageEvents: given.message_events ?? before.message_events,
        failureRate: rate,
      });
      const campaign = await this.campaigns.get(id, scope, manager);
      if (!changed) throw stateError(campaign);
      const changes = changesBetween(settingsOf(before), settingsOf(campaign));
      await this.record(manager, user, 'campaign.changed', campaign, changes);
      return campaign;
    });
  }

  /** @throws AppError as of the API's route, and what refuses the campaign's key */
  async addRecipients(
    user: SignedInUser,
    id: string,
    given: NewRecipientsDto,
  ): Promise<AddedRecipientsDto> {
    const caller = await this.callerOfCampaign(user, id);
    const checked = await this.recipients.check(id, caller, given);
    return this.turns.take(campaignTurn(id), () =>
      this.dataSource.transaction((manager) => this.recipients.add(checked, caller, manager)),
    );
  }

  /**
   * Makes a draft of those who are to be tried again.
   * @throws AppError as of the API's route, and what refuses the campaign's key
   */
  async retry(user: SignedInUser, id: string, given: CampaignRetryDto): Promise<CampaignDto> {
    const caller = await this.callerOfCampaign(user, id);
    const campaign = await this.campaigns.get(id, caller);
    return this.turns.take(campaignTurn(campaign.id), () =>
      this.dataSource.transaction(async (manager) => {
        const made = await this.campaigns.retry(campaign, caller, given, manager);
        await this.record(manager, user, `campaign.${againActions[given.who ?? 'failed']}`, made);
        return made;
      }),
    );
  }

  /** @throws AppError CAMPAIGN_NOT_FOUND */
  estimate(user: SignedInUser, id: string): Promise<EstimateDto> {
    return this.campaigns.estimate(id, callerOf(user));
  }

  /** @throws AppError as of the API's route, and what refuses the campaign's key */
  async start(user: SignedInUser, id: string): Promise<CampaignDto> {
    const caller = await this.callerOfCampaign(user, id);
    const campaign = await this.campaigns.start(id, caller);
    await this.record(this.dataSource.manager, user, 'campaign.started', campaign);
    return campaign;
  }

  private async callerOfCampaign(user: SignedInUser, id: string): Promise<Principal> {
    const scope = callerOf(user);
    const { api_key_id: keyId } = await this.campaigns.get(id, scope);
    return this.callerOf(user, keyId);
  }

  /** The key as a caller of the API. */
  private async callerOf(user: SignedInUser, keyId: string): Promise<Principal> {
    const key = await this.directory.loadById(keyId, accountScope(user));
    if (!key) throw noSuch('API key');
    const refusal = stateRefusalOf(key);
    if (refusal) throw refusal;
    checkPermissions(key, ['manage_campaigns', 'send_template']);
    return key.principal;
  }

  private record(
    manager: EntityManager,
    user: SignedInUser,
    action: AuditRecord['action'],
    campaign: CampaignDto,
    changes: object = {},
  ): Promise<void> {
    return this.audit.record(manager, user.actor, {
      action,
      accountId: campaign.account_id,
      subjectId: campaign.id,
      subjectName: campaign.name,
      details: {
        ...changes,
        api_key_id: campaign.api_key_id,
        mode: campaign.mode,
        recipients: campaign.counts.total,
        ...(campaign.retry_of && { retry_of: campaign.retry_of }),
      },
    });
  }
}

/** What the audit log calls the making of a retry. */
const againActions = {
  failed: 'retried',
  rest: 'sent_to_rest',
  failed_and_rest: 'retried_with_rest',
} as const satisfies Record<RetriedGroup, string>;

/** What can be changed of a draft. */
const settingsOf = (campaign: CampaignDto) => ({
  name: campaign.name,
  send_at: campaign.send_at,
  per_second: campaign.per_second,
  message_events: campaign.message_events,
  pause_on: campaign.pause_on,
});
