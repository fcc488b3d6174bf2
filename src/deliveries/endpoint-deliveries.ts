import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { dayMs } from '#libs/durations';
import type { Actor } from '../access/signed-in-user.js';
import { AuditLog } from '../audit/audit-log.js';
import { firstIdAt, idAround } from '../database/ids.js';
import type { Row } from '../database/statements/statement.js';
import { AppError, noSuch } from '../errors/app-error.js';
import { EventHints } from '../hints/event-hints.js';
import { timeOf } from '../http/validation/rules.js';
import type { EndpointHealthDto, WebhookReportDto } from './deliveries.dto.js';
import * as sql from './endpoint-deliveries.statements.js';
import { recoverEvents, redeliverEvent } from './redelivery.statements.js';
import { testNotification } from './test-notification.js';
import { WebhookEvents } from './webhook-events.js';

/** An endpoint, as far as deliveries to it are concerned. */
export type KnownEndpoint = Row<typeof sql.findKnownEndpoint>;

/** Whose endpoints may be found; null: anybody's. */
export interface EndpointScopeFilter {
  readonly accountId?: string | null;
  readonly apiKeyId?: string | null;
}

const recoverBatch = 5_000;

/** How many of a day's deliveries count towards the health of an endpoint. */
const reportMax = 10_000;

/** Among how many of the events that are due the oldest is looked for. */
const dueMax = 1_000;

/** Tests endpoints, and delivers to them again. */
@Injectable()
export class EndpointDeliveries {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: WebhookEvents,
    private readonly hints: EventHints,
    private readonly audit: AuditLog,
  ) {}

  /** @throws AppError NOT_FOUND */
  async find(
    id: string,
    { accountId = null, apiKeyId = null }: EndpointScopeFilter,
  ): Promise<KnownEndpoint> {
    const endpoint =
      isUUID(id) && (await sql.findKnownEndpoint.row(this.dataSource, { id, accountId, apiKeyId }));
    if (!endpoint) throw noSuch('webhook endpoint');
    return endpoint;
  }

  /** Sends a test event. @returns the id of its delivery. @throws AppError CONFLICT */
  async test(endpoint: KnownEndpoint, actor: Actor): Promise<string> {
    refuseUnusable(endpoint);
    const { ids, toWake } = await this.dataSource.transaction(async (manager) => {
      await this.record(manager, actor, endpoint, 'tested', {});
      const message = `This is a test of the webhook of the API key “${endpoint.key_name}”.`;
      const common = {
        accountId: endpoint.account_id,
        mode: endpoint.mode,
        type: 'webhook.test' as const,
        messageId: null,
        traceparent: null,
        targets: [{ id: endpoint.id, isFeed: false }],
      };
      if (endpoint.format === 'parley') {
        return this.events.addEvents(manager, [{ ...common, data: { message } }]);
      }
      const account = await sql.findTestedAccount.row(manager, { id: endpoint.account_id });
      if (!account) throw noSuch('account');
      return this.events.addEvents(manager, [
        { ...common, body: testNotification(account, message) },
      ]);
    });
    for (const { endpointId, dueMs } of toWake) this.hints.wake(endpointId, dueMs);
    return ids[0] ?? '';
  }

  /**
   * Delivers an event once more, with the same id and bytes.
   * @param note writes in the same transaction who wanted that.
   * @throws AppError CONFLICT while the endpoint is off
   */
  async redeliver(
    endpoint: KnownEndpoint,
    delivery: { readonly id: string; readonly created_at: Date },
    note: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    refuseUnusable(endpoint);
    await this.dataSource.transaction(async (manager) => {
      await redeliverEvent.run(manager, { id: delivery.id });
      await note(manager);
    });
    this.hints.wake(endpoint.id, Date.parse(delivery.created_at.toISOString()));
  }

  /**
   * Delivers again what has failed since a given time.
   * @returns how many deliveries are due again.
   * @throws AppError CONFLICT while the endpoint is off
   */
  async recover(endpoint: KnownEndpoint, since: string, actor: Actor): Promise<number> {
    refuseUnusable(endpoint);
    const sinceAt = timeOf(since) ?? new Date();
    let recovered = 0;
    let last: string | null = idAround(sinceAt, -1);
    while (last !== null) {
      const row = await recoverEvents.row(this.dataSource, {
        endpointId: endpoint.id,
        since: sinceAt,
        limit: recoverBatch,
        after: last,
      });
      recovered += row?.count ?? 0;
      last = row?.last ?? null;
    }
    const { manager } = this.dataSource;
    await this.record(manager, actor, endpoint, 'recovered', { since, recovered });
    this.hints.wake(endpoint.id, 0);
    return recovered;
  }

  /** The health of an endpoint in the last 24 hours. */
  async report(endpoint: { readonly id: string }): Promise<WebhookReportDto> {
    const { succeeded, retried, failed, waiting_of_day, median_ms, last_success_at } =
      await this.figures(endpoint);
    return { succeeded, retried, failed, waiting: waiting_of_day, median_ms, last_success_at };
  }

  /** What those who manage an endpoint see of its health. */
  async health(
    endpoint: { readonly id: string },
    manager: EntityManager = this.dataSource.manager,
  ): Promise<EndpointHealthDto> {
    const { succeeded, failed, waiting, last_success_at, oldest_waiting_at, ...last } =
      await this.figures(endpoint, manager);
    const { failure_at: at, failure_error: error, failure_status: status_code } = last;
    const last_failure = at && { at, error, status_code };
    return { succeeded, failed, waiting, last_success_at, oldest_waiting_at, last_failure };
  }

  private async figures(
    { id }: { readonly id: string },
    manager: EntityManager = this.dataSource.manager,
  ) {
    const row = await sql.findHealth.row(manager, {
      endpointId: id,
      firstId: firstIdAt(Date.now() - dayMs),
      limit: reportMax,
      dueMax,
    });
    if (!row) throw new Error('a count without a row');
    return row;
  }

  /** An entry in the audit log. */
  record(
    manager: EntityManager,
    actor: Actor,
    endpoint: KnownEndpoint,
    what: 'recovered' | 'redelivered' | 'tested',
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(manager, actor, {
      action: `api_key.webhook_${what}`,
      accountId: endpoint.account_id,
      subjectId: endpoint.api_key_id,
      subjectName: endpoint.key_name,
      details: { endpoint_id: endpoint.id, ...details },
    });
  }
}

/** @throws AppError CONFLICT where nothing can be sent to it */
export function refuseUnusable({ url, off, revoked }: KnownEndpoint): void {
  if (revoked) throw new AppError('CONFLICT', { message: 'The key is revoked.' });
  if (url === null) throw new AppError('CONFLICT', { message: 'The key has no webhook.' });
  if (off) {
    throw new AppError('CONFLICT', { message: 'The webhook is switched off; enable it first.' });
  }
}
