import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { AuditLog } from '../../audit/audit-log.js';
import { messageJoin } from '../campaign.js';
import type { CampaignDto, DashboardCampaignDto } from '../campaigns.dto.js';
import { CampaignsService } from '../campaigns.service.js';

type Action = 'pause' | 'resume' | 'cancel';

const actions = {
  pause: 'campaign.paused',
  resume: 'campaign.resumed',
  cancel: 'campaign.cancelled',
} as const;

const failuresSql = `
  select coalesce(e.error->>'platformCode', e.error->>'reason', 'unknown') as code, count(*)::int as count
  from campaign_recipients r ${messageJoin}
  cross join lateral (select coalesce(r.result->'error', case when m.status = 'failed' then m.error end) as error) e
  where r.campaign_id = $1 and e.error is not null
  group by 1 order by 2 desc, 1 limit 20`;

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
    const [keys, failures] = await Promise.all([
      this.dataSource.query<{ name: string }[]>('select name from api_keys where id = $1', [
        campaign.api_key_id,
      ]),
      this.dataSource.query<{ code: string; count: number }[]>(failuresSql, [campaign.id]),
    ]);
    return Object.assign(campaign, {
      api_key_name: keys[0]?.name ?? null,
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
