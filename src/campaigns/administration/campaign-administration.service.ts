import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { AuditLog } from '../../audit/audit-log.js';
import type { CampaignDto, DashboardCampaignDto } from '../campaigns.dto.js';
import { CampaignsService } from '../campaigns.service.js';
import * as sql from './campaign-administration.statements.js';

type Action = 'pause' | 'resume' | 'cancel';

const actions = {
  pause: 'campaign.paused',
  resume: 'campaign.resumed',
  cancel: 'campaign.cancelled',
} as const;

/** Campaigns of whole accounts, of all keys, for people. */
@Injectable()
export class CampaignAdministration {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly audit: AuditLog,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws AppError CAMPAIGN_NOT_FOUND, also for a campaign of another account */
  async get(user: SignedInUser, id: string): Promise<DashboardCampaignDto> {
    const campaign = await this.campaigns.get(id, {
      accountId: accountScope(user),
      apiKeyId: null,
    });
    const [key, failures] = await Promise.all([
      sql.findKeyName.row(this.dataSource, { id: campaign.api_key_id }),
      sql.countCampaignFailures.rows(this.dataSource, { campaignId: campaign.id }),
    ]);
    return Object.assign(campaign, {
      api_key_name: key?.name ?? null,
      failures_by_code: Object.fromEntries(failures.map(({ code, count }) => [code, count])),
    });
  }

  /** @throws AppError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE where its status does not allow it */
  async steer(user: SignedInUser, id: string, action: Action): Promise<CampaignDto> {
    const scope = { accountId: accountScope(user), apiKeyId: null };
    const before = await this.campaigns.get(id, scope);
    const campaign = await this.campaigns[action === 'resume' ? 'goOn' : action](id, scope);
    if (campaign.status === before.status && campaign.reason === before.reason) return campaign;
    await this.audit.record(this.dataSource.manager, user.actor, {
      action: actions[action],
      accountId: campaign.account_id,
      subjectId: campaign.id,
      subjectName: campaign.name,
      details: { api_key_id: campaign.api_key_id, mode: campaign.mode },
    });
    return campaign;
  }
}
