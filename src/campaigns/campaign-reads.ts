import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../access/caller.js';
import type { Mode } from '../access/mode.js';
import { idAround } from '../database/ids.js';
import type { Row } from '../database/statements/statement.js';
import { failureView } from '../messages/reads/message-view.js';
import { type CampaignStatus } from './campaign.js';
import * as sql from './campaign-reads.statements.js';
import type {
  CampaignCountsDto,
  CampaignDto,
  CampaignRecipientViewDto,
  CampaignStopperDto,
  DashboardCampaignDto,
} from './campaigns.dto.js';
import { type RecipientStatus, recipientStatuses } from './recipients/recipient-status.js';

/** Which campaigns somebody may see; null means no restriction, for the dashboard only. */
export type CampaignScope = Pick<Caller, 'accountId' | 'apiKeyId'>;

/** Which recipients are asked for. */
export interface RecipientFilter {
  readonly status?: RecipientStatus | undefined;
  readonly code?: number | undefined;
  /** What recipients may be called; absent: anything. */
  readonly match?: RecipientMatch | undefined;
  /** Recipients after this position. */
  readonly after: number;
  readonly limit: number;
}

/** The names that a text can mean: one of these, or a reference that begins so. */
export interface RecipientMatch {
  readonly referenceStart: string;
  readonly phones: readonly string[];
  /** Of numbers. */
  readonly ends: readonly string[];
  readonly userIds: readonly string[];
}

/** A recipient and their place in the campaign. */
export interface ListedRecipient {
  readonly position: number;
  readonly view: CampaignRecipientViewDto;
}

/** Reads campaigns and their recipients. */
@Injectable()
export class CampaignReads {
  constructor(private readonly dataSource: DataSource) {}

  /** @param manager of a transaction that must see its own changes. */
  async find(
    id: string,
    { accountId, apiKeyId }: CampaignScope,
    manager: Pick<EntityManager, 'query'> = this.dataSource,
  ): Promise<CampaignDto | null> {
    const row = await sql.findCampaign.row(manager, { id, accountId, apiKeyId });
    return row && campaignView(row);
  }

  /** Newest first. The counts of campaigns that have ended are a little old: at most a tenth of the time since. */
  async list(
    { accountId, apiKeyId }: CampaignScope,
    page: {
      readonly status?: CampaignStatus | undefined;
      readonly mode?: Mode | undefined;
      readonly beforeId?: string | undefined;
      readonly limit: number;
    },
  ): Promise<CampaignDto[]> {
    const rows = await sql.listCampaigns.rows(this.dataSource, { ...page, accountId, apiKeyId });
    return rows.map(campaignView);
  }

  /** A campaign as people see it: with its key's name, and with its failures by WhatsApp's code or Parley's reason. */
  async withDetails(campaign: CampaignDto): Promise<DashboardCampaignDto> {
    const { id, retry_of: retriedId } = campaign;
    const [key, failures, retried, stopper, waiting, first] = await Promise.all([
      sql.findNameOfKey.row(this.dataSource, { id: campaign.api_key_id }),
      sql.countCampaignFailures.rows(this.dataSource, { campaignId: id }),
      retriedId && sql.findRetried.row(this.dataSource, { id, retriedId }),
      this.stopper(campaign),
      campaign.counts.released > 0 ? sql.findCampaignWait.row(this.dataSource, { id }) : null,
      campaign.status === 'draft' ? sql.listFirstRecipients.rows(this.dataSource, { id }) : [],
    ]);
    return Object.assign(campaign, {
      api_key_name: key?.name ?? null,
      failures_by_code: Object.fromEntries(failures.map(({ code, count }) => [code, count])),
      failed_after_sent: failures[0]?.taken ?? 0,
      waiting,
      retried: retried || null,
      first_recipients: first,
      paused_by: isPausedByHand(campaign) ? stopperOf(stopper, key) : null,
      cancelled_by: campaign.status === 'cancelled' ? stopperOf(stopper, key) : null,
    });
  }

  /** The person who has paused it by hand, or cancelled it. */
  private async stopper(campaign: CampaignDto) {
    const { id, account_id: accountId, status } = campaign;
    const isPaused = isPausedByHand(campaign);
    const stoppedAt = isPaused ? campaign.paused_at : campaign.ended_at;
    if (!stoppedAt || !(isPaused || status === 'cancelled')) return null;
    return sql.findStopper.row(this.dataSource, {
      id,
      accountId,
      action: `campaign.${status}`,
      stoppedAt,
      firstId: idAround(stoppedAt, -1),
    });
  }

  async recipients(id: string, { match, ...filter }: RecipientFilter): Promise<ListedRecipient[]> {
    const rows = await sql.listCampaignRecipients.rows(this.dataSource, {
      ...filter,
      ...match,
      id,
    });
    return rows.map(({ position, failure, reason, ...row }) => ({
      position,
      view: {
        ...row,
        reason: reason ?? (failure?.platformCode === null ? failure.reason : null),
        error: failure && failureView(failure),
      },
    }));
  }
}

const isPausedByHand = ({ status, reason }: CampaignDto) =>
  status === 'paused' && reason === 'operator';

/** Programs leave no entry in the audit log, and only those with the key of the campaign may stop it. */
function stopperOf(
  user: { readonly actor: string } | null,
  key: { readonly name: string } | null,
): CampaignStopperDto | null {
  if (user) return { kind: 'user', name: user.actor };
  return key && { kind: 'api_key', name: key.name };
}

function campaignView(row: Row<typeof sql.findCampaign>): CampaignDto {
  const counts = { total: row.total } as CampaignCountsDto;
  for (const status of recipientStatuses) counts[status] = row.counts[status] ?? 0;
  return {
    id: row.id,
    account_id: row.accountId,
    api_key_id: row.apiKeyId,
    name: row.name,
    mode: row.mode,
    template_name: row.templateName,
    language: row.language,
    status: row.status,
    reason: row.reason,
    counts,
    rate: row.rate,
    eta_seconds: row.rate ? Math.ceil(counts.pending / row.rate) : null,
    per_second: row.perSecond,
    message_events: row.messageEvents,
    pause_on: row.failureRate === null ? null : { failure_rate: row.failureRate },
    reference: row.reference,
    retry_of: row.retryOf,
    created_at: row.createdAt,
    send_at: row.sendAt,
    started_at: row.startedAt,
    paused_at: row.pausedAt,
    ended_at: row.endedAt,
  };
}
