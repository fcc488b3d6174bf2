import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { dayMs, hourMs } from '#libs/durations';
import type { Mode } from '../access/mode.js';
import type { Actor } from '../access/signed-in-user.js';
import { AuditLog } from '../audit/audit-log.js';
import { firstIdAt } from '../database/ids.js';
import type { EndpointFormat } from '../endpoints/endpoint.entity.js';
import { AppError, noSuch } from '../errors/app-error.js';
import { recoverSql, redeliverSql } from '../events/redelivery-statements.js';
import { EventHints } from '../hints/event-hints.js';
import { timeOf } from '../http/validation/rules.js';
import type { EndpointHealthDto, WebhookReportDto } from './deliveries.dto.js';
import { type TestedAccount, testNotification } from './test-notification.js';
import { WebhookEvents } from './webhook-events.js';

/** An endpoint, as far as deliveries to it are concerned. */
export interface KnownEndpoint {
  readonly id: string;
  readonly api_key_id: string;
  readonly account_id: string;
  readonly key_name: string;
  readonly mode: Mode;
  readonly url: string | null;
  readonly format: EndpointFormat;
  readonly off: boolean;
  readonly revoked: boolean;
}

/** Whose endpoints may be found; null: anybody's. */
export interface EndpointScopeFilter {
  readonly accountId?: string | null;
  readonly apiKeyId?: string | null;
}

/** An id has the time of a process's clock, `created_at` that of PostgreSQL's. */
export const clocksApartMaxMs = hourMs;

const recoverBatch = 5_000;

/** How many of a day's deliveries count towards the health of an endpoint. */
const reportMax = 10_000;

/** Among how many of the events that are due the oldest is looked for. */
const dueMax = 1_000;

type HealthRow = Omit<EndpointHealthDto, 'last_failure'> & {
  readonly failure_at: Date | null;
  readonly failure_error: string | null;
  readonly failure_status: number | null;
};

/*
 * The last attempt of a finished event is in its columns, the ones before it are in the log. Nearly always the
 * last of those has failed; after a redelivery it may be a success.
 */
const healthSql = `
  with newest as (
    (select 'open' as status, null::timestamptz as last_at, null::int as last_status, null::text as error, log
     from open_events where endpoint_id = $1 limit $3)
    union all
    (select status, last_at, last_status, error, log from done_events
     where endpoint_id = $1 and id >= $2 order by id desc limit $3)
  ), failures as (
    select last_at as at, error, last_status as status_code from newest
    where status = 'failed' and last_at is not null
    union all
    select (a.attempt ->> 'at')::timestamptz, a.attempt ->> 'error', (a.attempt ->> 'status_code')::int
    from newest n, lateral (
      select case when n.log -> -1 ->> 'error' is not null then n.log -> -1 else (
        select t.attempt from jsonb_array_elements(n.log) with ordinality as t (attempt, at)
        where t.attempt ->> 'error' is not null order by t.at desc limit 1
      ) end as attempt
    ) a
    where n.log is not null and a.attempt is not null
  ), failure as (
    select * from failures where at > now() - interval '1 day' order by at desc limit 1
  ), due as (
    select created_at from open_events where endpoint_id = $1 and due_at <= now()
    order by due_at, seq limit $4
  )
  select h.*, (select min(created_at) from due) as oldest_waiting_at,
    f.at as failure_at, f.error as failure_error, f.status_code as failure_status
  from (
    select count(*) filter (where status = 'succeeded')::int as succeeded,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'open')::int as waiting,
      max(last_at) filter (where status = 'succeeded') as last_success_at
    from newest
  ) h left join failure f on true`;

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
    const [endpoint]: KnownEndpoint[] = isUUID(id)
      ? await this.dataSource.query(
          `select e.id, e.api_key_id, e.account_id, k.name as key_name, e.mode, e.url, e.format,
             e.disabled_at is not null as off, k.revoked_at is not null as revoked
           from webhook_endpoints e join api_keys k on k.id = e.api_key_id
           where e.id = $1 and e.deleted_at is null and ($2::uuid is null or e.account_id = $2)
             and ($3::uuid is null or e.api_key_id = $3)`,
          [id, accountId, apiKeyId],
        )
      : [];
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
      const [account]: TestedAccount[] = await manager.query(
        `select business_account_id, phone_number_id, display_phone_number from accounts where id = $1`,
        [endpoint.account_id],
      );
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
      await manager.query(redeliverSql, [delivery.id]);
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
    let last: string | null = firstIdAt(Math.max(0, sinceAt.getTime() - clocksApartMaxMs));
    while (last !== null) {
      const [row]: { count: number; last: string | null }[] = await this.dataSource.query(
        recoverSql,
        [endpoint.id, sinceAt, recoverBatch, last],
      );
      recovered += row?.count ?? 0;
      last = row?.last ?? null;
    }
    const { manager } = this.dataSource;
    await this.record(manager, actor, endpoint, 'recovered', { since, recovered });
    this.hints.wake(endpoint.id, 0);
    return recovered;
  }

  /** The health of an endpoint. */
  async report({ id }: { readonly id: string }): Promise<WebhookReportDto> {
    const [row]: WebhookReportDto[] = await this.dataSource.query(
      `with newest as (
         (select id, 'open' as status, attempts, null::timestamptz as last_at, null::int as last_ms
          from open_events where endpoint_id = $1 and id >= $2 limit $3)
         union all
         (select id, status, attempts, last_at, last_ms from done_events
          where endpoint_id = $1 and id >= $2 order by id desc limit $3)
       )
       select count(*) filter (where status = 'succeeded')::int as succeeded,
         count(*) filter (where attempts > 1)::int as retried,
         count(*) filter (where status = 'failed')::int as failed,
         count(*) filter (where status = 'open')::int as waiting,
         (percentile_cont(0.5) within group (order by last_ms)
           filter (where status = 'succeeded'))::int as median_ms,
         max(last_at) filter (where status = 'succeeded') as last_success_at
       from newest`,
      [id, firstIdAt(Date.now() - dayMs), reportMax],
    );
    if (!row) throw new Error('a count without a row');
    return row;
  }

  /** What those who manage an endpoint see of its health. */
  async health(
    { id }: { readonly id: string },
    manager: EntityManager = this.dataSource.manager,
  ): Promise<EndpointHealthDto> {
    const [row]: HealthRow[] = await manager.query(healthSql, [
      id,
      firstIdAt(Date.now() - dayMs),
      reportMax,
      dueMax,
    ]);
    if (!row) throw new Error('a count without a row');
    const { failure_at: at, failure_error: error, failure_status: status_code, ...health } = row;
    return { ...health, last_failure: at && { at, error, status_code } };
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
