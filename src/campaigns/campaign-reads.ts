import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Mode } from '../access/mode.js';
import type { MessageFailure } from '../messages/message.js';
import { failureView } from '../messages/reads/message-view.js';
import {
  type CampaignRow,
  type CampaignStatus,
  campaignColumns,
  countedRecipients,
  messageJoin,
  type RecipientStatus,
  recipientStatus,
  recipientStatuses,
} from './campaign.js';
import type { CampaignCountsDto, CampaignDto, CampaignRecipientViewDto } from './campaigns.dto.js';

/** Which campaigns somebody may see; null means no restriction, for the dashboard only. */
export interface CampaignScope {
  readonly accountId: string | null;
  readonly apiKeyId: string | null;
}

/** Which recipients are asked for. */
export interface RecipientFilter {
  readonly status?: RecipientStatus | undefined;
  readonly code?: number | undefined;
  /** Recipients after this position. */
  readonly after: number;
  readonly limit: number;
}

/** A recipient and their place in the campaign. */
export interface ListedRecipient {
  readonly position: number;
  readonly view: CampaignRecipientViewDto;
}

/**
 * One look at the rows, so that the counts agree with each other and with `total`. A hundred thousand of them take some
 * 200 ms.
 * @param isStored for the database: whether the counts of the campaign `c` are taken as they were counted last.
 */
const readSql = (condition: string, isStored = 'false') => `
  select ${campaignColumns}, case when c.status = 'draft' then json_build_object('pending', c.total)
    when ${isStored} then c.counts else ${countedRecipients} end as counts
  from campaigns c where ${condition}`;

const recipientsSql = `
  select r.position, r.recipient as "to", r.to_user_id, coalesce(r.reference, c.reference) as reference,
    ${recipientStatus} as status, r.reason, r.message_id, r.released_at,
    coalesce(r.result->'error', case when m.status = 'failed' then m.error end) as failure,
    coalesce((r.result->>'sent_at')::timestamptz, m.sent_at) as sent_at,
    coalesce((r.result->>'delivered_at')::timestamptz, m.delivered_at) as delivered_at,
    coalesce((r.result->>'read_at')::timestamptz, m.read_at) as read_at,
    coalesce((r.result->>'failed_at')::timestamptz, m.failed_at) as failed_at
  from campaign_recipients r join campaigns c on c.id = r.campaign_id ${messageJoin}
  where r.campaign_id = $1 and r.position > $2 and ($3::text is null or ${recipientStatus} = $3)
    and ($4::int is null or
      coalesce(r.result->'error', case when m.status = 'failed' then m.error end)->'platformCode' = to_jsonb($4::int))
  order by r.position limit $5`;

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
    const [row]: Counted[] = await manager.query(
      readSql(`c.id = $1 and ($2::uuid is null or c.account_id = $2)
        and ($3::uuid is null or c.api_key_id = $3)`),
      [id, accountId, apiKeyId],
    );
    return row ? campaignView(row) : null;
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
    const rows: Counted[] = await this.dataSource.query(
      readSql(
        `c.id in (select id from campaigns where ($1::uuid is null or account_id = $1)
        and ($2::uuid is null or api_key_id = $2) and ($3::uuid is null or id < $3)
        and ($5::text is null or status = $5) and ($6::text is null or mode = $6) order by id desc limit $4) order by c.id desc`,
        'c.ended_at is not null and c.counts is not null',
      ),
      [
        accountId,
        apiKeyId,
        page.beforeId ?? null,
        page.limit,
        page.status ?? null,
        page.mode ?? null,
      ],
    );
    return rows.map(campaignView);
  }

  async recipients(id: string, filter: RecipientFilter): Promise<ListedRecipient[]> {
    const rows: RecipientRow[] = await this.dataSource.query(recipientsSql, [
      id,
      filter.after,
      filter.status ?? null,
      filter.code ?? null,
      filter.limit,
    ]);
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

interface Counted extends CampaignRow {
  readonly counts: Partial<Record<RecipientStatus, number>>;
}

interface RecipientRow extends Omit<CampaignRecipientViewDto, 'error'> {
  readonly position: number;
  readonly failure: MessageFailure | null;
}

function campaignView(row: Counted): CampaignDto {
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
