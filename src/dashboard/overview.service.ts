import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dayMs } from '#libs/durations';
import type { Mode } from '../access/mode.js';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AlertsService } from '../alerts/alerts.service.js';
import { ApiKeyUsage } from '../api-keys/api-key-usage.js';
import type { AccountModeQueryDto } from '../api-keys/api-keys.dto.js';
import { firstIdAt } from '../database/ids.js';
import { messageStatuses } from '../messages/rows/message-status.js';
import type { BacklogDto, FailingEndpointDto, OverviewDto, QueueDto } from './overview.dto.js';
import * as sql from './overview.statements.js';

const listMax = 100;

/** Fewer events that wait for another try need nobody. */
const backlogLeast = 10;

/** So many events of an endpoint are counted. */
const backlogMax = 10_000;

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
      backlogs,
      calls,
      hours,
      messages,
      failures,
      queue,
      alerts,
    ] = await Promise.all([
      this.keys(accountId),
      this.templates(accountId),
      sql.listBrokenMappings.rows(this.dataSource, scope),
      this.failingEndpoints(scope),
      this.backlogs(scope),
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
      backlogs,
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
    const row = await sql.countKeys.row(this.dataSource, { accountId });
    return { total_keys: row?.total_keys ?? 0, active_keys: row?.active_keys ?? 0 };
  }

  private async templates(accountId: string | null) {
    const row = await sql.countTemplates.row(this.dataSource, { accountId });
    return row ?? { templates_configured: 0, templates_approved: 0, templates_mapped: 0 };
  }

  private failingEndpoints({ accountId, mode }: OverviewScope): Promise<FailingEndpointDto[]> {
    return sql.listFailingEndpoints.rows(this.dataSource, { accountId, limit: listMax, mode });
  }

  private backlogs({ accountId, mode }: OverviewScope): Promise<BacklogDto[]> {
    return sql.listBacklogs.rows(this.dataSource, {
      accountId,
      countMax: backlogMax,
      least: backlogLeast,
      limit: listMax,
      mode,
    });
  }

  private async messages({ accountId, mode }: OverviewScope) {
    const firstId = firstIdAt(Date.now() - dayMs);
    const rows = await sql.countMessagesByStatus.rows(this.dataSource, {
      accountId,
      firstId,
      mode,
    });
    return {
      byStatus: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
      fallbacks: rows.reduce((sum, { fallbacks }) => sum + fallbacks, 0),
    };
  }

  private async failuresByCode({
    accountId,
    mode,
  }: OverviewScope): Promise<Record<string, number>> {
    const firstId = firstIdAt(Date.now() - dayMs);
    const rows = await sql.countFailuresByCode.rows(this.dataSource, { accountId, firstId, mode });
    return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
  }

  private async queue(scope: OverviewScope): Promise<QueueDto> {
    const row = await sql.countQueue.row(this.dataSource, scope);
    if (!row) throw new Error('a queue is always counted');
    return row;
  }
}
