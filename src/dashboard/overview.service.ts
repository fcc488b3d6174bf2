import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dayMs } from '#libs/durations';
import { hearsOwnSql, inUseSql } from '../access/key-state.js';
import type { Mode } from '../access/mode.js';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AlertsService } from '../alerts/alerts.service.js';
import { ApiKeyUsage } from '../api-keys/api-key-usage.js';
import type { AccountModeQueryDto } from '../api-keys/api-keys.dto.js';
import { firstIdAt } from '../database/ids.js';
import { failuresToTell, webhookPatience } from '../endpoints/endpoint-limits.js';
import { allMessages } from '../messages/reads/message-tables.js';
import { messageStatuses } from '../messages/rows/message-status.js';
import type {
  BrokenMappingDto,
  FailingEndpointDto,
  OverviewDto,
  QueueDto,
} from './overview.dto.js';

const listMax = 100;

/** What the totals are about; null: all accounts, both modes. */
interface OverviewScope {
  readonly accountId: string | null;
  readonly mode: Mode | null;
}

/** The totals of the first page. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly usages: ApiKeyUsage,
    private readonly alerts: AlertsService,
  ) {}

  /** @throws AppError NOT_FOUND for another account */
  async get(
    user: SignedInUser,
    { account_id: asked, mode }: AccountModeQueryDto,
  ): Promise<OverviewDto> {
    const accountId = accountScope(user, asked);
    const scope = { accountId, mode: mode ?? null };
    const [
      keys,
      templates,
      brokenMappings,
      failingEndpoints,
      calls,
      hours,
      messages,
      failures,
      queue,
      alerts,
    ] = await Promise.all([
      this.keys(accountId),
      this.templates(scope),
      this.brokenMappings(scope),
      this.failingEndpoints(scope),
      this.usages.callsByHour({ accountId, apiKeyId: null }),
      this.usages.callsByHour({ ...scope, apiKeyId: null }),
      this.messages(scope),
      this.failuresByCode(scope),
      this.queue(scope),
      this.alerts.list(user, { account_id: asked, state: 'open' }),
    ]);
    return {
      ...keys,
      calls_last_24h: calls.reduce((sum, hour) => sum + hour.calls, 0),
      ...templates,
      broken_mappings: brokenMappings,
      failing_endpoints: failingEndpoints,
      calls_by_hour: hours,
      messages_by_status: {
        ...Object.fromEntries(messageStatuses.map((status) => [status, 0])),
        ...messages.byStatus,
      },
      fallbacks_last_24h: messages.fallbacks,
      failures_by_code: failures,
      queue,
      alerts,
    };
  }

  private async keys(accountId: string | null) {
    const [row]: { total_keys: number; active_keys: number }[] = await this.dataSource.query(
      `select count(*)::int as total_keys, (count(*) filter (
         where ${inUseSql}))::int as active_keys
       from api_keys k where ($1::uuid is null or k.account_id = $1)`,
      [accountId],
    );
    return { total_keys: row?.total_keys ?? 0, active_keys: row?.active_keys ?? 0 };
  }

  private async templates({ accountId, mode }: OverviewScope) {
    const [row]: { templates_configured: number; templates_approved: number }[] =
      await this.dataSource.query(
        `select
           (select count(*)::int from template_mappings m join api_keys k on k.id = m.api_key_id
            where $1::uuid is null or k.account_id = $1) as templates_configured,
           (select count(distinct (account_id, name, language))::int from templates
            where deleted_at is null and status = 'APPROVED'
              and ($1::uuid is null or account_id = $1)
              and ($2::text is null or mode = $2)) as templates_approved`,
        [accountId, mode],
      );
    return row ?? { templates_configured: 0, templates_approved: 0 };
  }

  private brokenMappings({ accountId, mode }: OverviewScope): Promise<BrokenMappingDto[]> {
    return this.dataSource.query(
      `select k.id as api_key_id, k.name as api_key_name, t.id as template_id,
         t.name as template_name, t.language, m.broken_reason as reason, m.updated_at as since
       from template_mappings m join api_keys k on k.id = m.api_key_id
         join templates t on t.id = m.template_id
       where m.broken_reason is not null and k.revoked_at is null
         and ($1::uuid is null or k.account_id = $1) and ($2::text is null or k.mode = $2)
       order by k.name, t.name, t.language limit 20`,
      [accountId, mode],
    );
  }

  private failingEndpoints({ accountId, mode }: OverviewScope): Promise<FailingEndpointDto[]> {
    return this.dataSource.query(
      `select e.id as endpoint_id, e.name as endpoint_name, k.id as api_key_id,
         k.name as api_key_name, e.account_id, e.url, e.disabled_at, e.disabled_reason as reason,
         case when e.disabled_at is null then f.failures else 0 end as failures,
         coalesce(e.disabled_at, f.since) as since,
         case when e.disabled_at is null then f.since + make_interval(hours => $3) end as off_at
       from webhook_endpoints e join api_keys k on k.id = e.api_key_id
         left join webhook_failures f on f.endpoint_id = e.id
       where (e.disabled_at is not null or f.failures >= $2)
         and e.url is not null and ${hearsOwnSql}
         and ($1::uuid is null or e.account_id = $1) and ($5::text is null or e.mode = $5)
       order by coalesce(e.disabled_at, f.since), e.id limit $4`,
      [accountId, failuresToTell, webhookPatience.hours, listMax, mode],
    );
  }

  private async messages({ accountId, mode }: OverviewScope) {
    const rows: { status: string; count: number; fallbacks: number }[] =
      await this.dataSource.query(
        `select coalesce(receipt, status) as status, count(*)::int as count,
         (count(*) filter (where sent_as = 'fallback'))::int as fallbacks
       from ${allMessages} m where id >= $2 and ($1::uuid is null or account_id = $1)
         and ($3::text is null or mode = $3) group by 1`,
        [accountId, firstIdAt(Date.now() - dayMs), mode],
      );
    return {
      byStatus: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
      fallbacks: rows.reduce((sum, { fallbacks }) => sum + fallbacks, 0),
    };
  }

  private async failuresByCode({
    accountId,
    mode,
  }: OverviewScope): Promise<Record<string, number>> {
    const rows: { code: string; count: number }[] = await this.dataSource.query(
      `select coalesce(error->>'platformCode', error->>'reason', 'unknown') as code,
         count(*)::int as count
       from messages
       where id >= $2 and status = 'failed' and ($1::uuid is null or account_id = $1)
         and ($3::text is null or mode = $3)
       group by 1 order by 2 desc, 1`,
      [accountId, firstIdAt(Date.now() - dayMs), mode],
    );
    return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
  }

  private async queue({ accountId, mode }: OverviewScope): Promise<QueueDto> {
    const [row]: QueueDto[] = await this.dataSource.query(
      `select q.queued, q.oldest_age_seconds, u.unconfirmed, u.unconfirmed_since from
         (select count(*)::int as queued,
            coalesce(greatest(0, extract(epoch from now() - min(coalesce(queued_at, created_at))))::int, 0)
              as oldest_age_seconds
          from messages where status = 'queued' and ($1::uuid is null or account_id = $1)
            and ($2::text is null or mode = $2)) q,
         (select count(*)::int as unconfirmed, min(coalesce(queued_at, created_at)) as unconfirmed_since
          from messages where status = 'unconfirmed' and ($1::uuid is null or account_id = $1)
            and ($2::text is null or mode = $2)) u`,
      [accountId, mode],
    );
    return row ?? { queued: 0, oldest_age_seconds: 0, unconfirmed: 0, unconfirmed_since: null };
  }
}
