import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import type { Mode, WebhookEvent } from '../../api-keys/api-key.entity.js';
import { AuditLog } from '../../audit/audit-log.js';
import { accountScope, type SignedInUser } from '../../auth/signed-in-user.js';
import { firstIdAt } from '../../database/ids.js';
import { AppError } from '../../errors/app-error.js';
import { timeOf } from '../../http/rules.js';
import { DeliveriesQueue } from '../../queues/deliveries-queue.js';
import type {
  DeliveriesDto,
  DeliveryAnswerDto,
  DeliveryAttemptDto,
  DeliveryDto,
  DeliveryListDto,
  WebhookReportDto,
} from './deliveries.dto.js';
import { webhookId } from './event-signature.js';
import { eventSummary } from './event-summary.js';
import { WebhookEvents } from './webhook-events.js';

interface DeliveryRow extends Omit<DeliveryDto, 'webhook_id' | 'attempts' | 'event' | 'summary'> {
  event_id: string;
  type: WebhookEvent;
  body: string;
}

interface KeyRow {
  id: string;
  account_id: string;
  name: string;
  mode: Mode;
  url: string | null;
  off: boolean;
}

const columns = `d.id, d.event_id, d.account_id, d.api_key_id, k.name as api_key_name,
  k.webhook_url as url, d.mode, d.type, d.message_id, d.status, d.next_attempt_at, d.error,
  d.created_at, d.finished_at, e.body`;

const withEventAndKey = `join webhook_events e on e.id = d.event_id
  left join api_keys k on k.id = d.api_key_id`;

/** Makes a delivery due again: same event, same bytes, the whole schedule from the start. */
const again = `status = 'pending', next_attempt_at = now(), attempts_before = attempts, error = null,
  finished_at = null`;

const dayMs = 86_400_000;

const recoverBatch = 5_000;

/** As many of a day's deliveries as are looked at to tell how a webhook is. */
const reportMax = 10_000;

/** As many of the newest deliveries as are looked through for those of one phone, and found. */
const phoneSearchMax = 500;
const phoneFoundMax = 30;

/** Deliveries, for those who look after them. What is of another account is answered as not there. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: WebhookEvents,
    private readonly queue: DeliveriesQueue,
    private readonly audit: AuditLog,
  ) {}

  /** The newest first. @throws AppError NOT_FOUND for another account */
  async list(user: SignedInUser, filter: DeliveryListDto): Promise<DeliveriesDto> {
    const rows: DeliveryRow[] = await this.dataSource.query(
      `select ${columns} from webhook_deliveries d ${withEventAndKey}
       where ($1::uuid is null or d.account_id = $1) and ($2::uuid is null or d.api_key_id = $2)
         and ($3::text is null or d.type = $3) and ($4::text is null or d.status = $4)
         and ($5::uuid is null or d.id < $5) and ($7::uuid is null or d.message_id = $7)
       order by d.id desc limit $6`,
      [
        accountScope(user, filter.account_id),
        filter.key_id ?? null,
        filter.event ?? null,
        filter.status ?? null,
        filter.cursor ?? null,
        filter.limit + 1,
        filter.message_id ?? null,
      ],
    );
    const page = rows.slice(0, filter.limit);
    return {
      deliveries: await this.views(page),
      next_cursor: rows.length > filter.limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /**
   * Deliveries of what one phone sent and was sent, among the newest; the newest first.
   * @param phone in E.164 form.
   * @throws AppError NOT_FOUND for another account
   */
  async listOfPhone(
    user: SignedInUser,
    phone: string,
    accountId?: string,
  ): Promise<DeliveryAnswerDto[]> {
    // Compared as text: a user may write what PostgreSQL does not take for JSON, such as NUL.
    const rows: DeliveryRow[] = await this.dataSource.query(
      `with newest as (
         select * from webhook_deliveries
         where $1::uuid is null or account_id = $1 order by id desc limit $3
       )
       select ${columns} from newest d ${withEventAndKey}
       where e.body ~ ('"(from|to)" ?: ?"[+]' || substr($2, 2) || '"')
       order by d.id desc limit $4`,
      [accountScope(user, accountId), phone, phoneSearchMax, phoneFoundMax],
    );
    const views = await this.views(rows);
    return views.map((delivery, index) => ({ delivery, body: rows[index]?.body ?? '' }));
  }

  /** @throws AppError NOT_FOUND */
  async get(user: SignedInUser, id: string): Promise<DeliveryAnswerDto> {
    const [row]: DeliveryRow[] = isUUID(id)
      ? await this.dataSource.query(
          `select ${columns} from webhook_deliveries d ${withEventAndKey}
           where d.id = $1 and ($2::uuid is null or d.account_id = $2)`,
          [id, accountScope(user)],
        )
      : [];
    if (!row) throw new AppError('NOT_FOUND');
    const [view] = await this.views([row]);
    if (!view) throw new AppError('NOT_FOUND');
    return { delivery: view, body: row.body };
  }

  /**
   * Delivers an event once more, with the same id and bytes, whatever came of it before.
   * @throws AppError NOT_FOUND, CONFLICT while the endpoint is off
   */
  async redeliver(user: SignedInUser, id: string): Promise<DeliveryAnswerDto> {
    const { delivery } = await this.get(user, id);
    const key = await this.keyOf(user, delivery.api_key_id);
    refuseUnusable(key);
    await this.dataSource.transaction(async (manager) => {
      await manager.query(`update webhook_deliveries set ${again} where id = $1`, [delivery.id]);
      await this.record(manager, user, key, 'redelivered', { delivery_id: delivery.id });
    });
    this.queue.wake(key.id);
    return this.get(user, id);
  }

  /** Sends an event that says nothing but that it arrived. @throws AppError NOT_FOUND, CONFLICT */
  async test(user: SignedInUser, apiKeyId: string): Promise<DeliveryAnswerDto> {
    const key = await this.keyOf(user, apiKeyId);
    refuseUnusable(key);
    const { deliveryIds } = await this.dataSource.transaction(async (manager) => {
      await this.record(manager, user, key, 'tested', {});
      return this.events.add(manager, [
        {
          accountId: key.account_id,
          mode: key.mode,
          type: 'webhook.test',
          messageId: null,
          traceparent: null,
          data: { message: `This is a test of the webhook of the API key “${key.name}”.` },
          apiKeyIds: [key.id],
        },
      ]);
    });
    this.queue.wake(key.id);
    return this.get(user, deliveryIds[0] ?? '');
  }

  /**
   * Delivers what failed since a time once more.
   * @returns how many deliveries are due again.
   * @throws AppError NOT_FOUND, CONFLICT while the endpoint is off
   */
  async recover(user: SignedInUser, apiKeyId: string, since: string) {
    const key = await this.keyOf(user, apiKeyId);
    refuseUnusable(key);
    let recovered = 0;
    for (;;) {
      const [, count]: [unknown, number] = await this.dataSource.query(
        `with failed as (
           select id from webhook_deliveries
           where api_key_id = $1 and status = 'failed' and created_at >= $2
           order by id limit $3 for update skip locked
         )
         update webhook_deliveries d set ${again} from failed f where d.id = f.id`,
        [key.id, timeOf(since), recoverBatch],
      );
      recovered += count;
      if (count < recoverBatch) break;
    }
    await this.record(this.dataSource.manager, user, key, 'recovered', { since, recovered });
    this.queue.wake(key.id);
    return { recovered };
  }

  private record(
    manager: EntityManager,
    user: SignedInUser,
    key: KeyRow,
    what: 'recovered' | 'redelivered' | 'tested',
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(manager, user.actor, {
      action: `api_key.webhook_${what}`,
      accountId: key.account_id,
      subjectId: key.id,
      subjectName: key.name,
      details,
    });
  }

  /** How the key's webhook has been. @throws AppError NOT_FOUND */
  async report(user: SignedInUser, apiKeyId: string): Promise<WebhookReportDto> {
    const key = await this.keyOf(user, apiKeyId);
    const [row]: WebhookReportDto[] = await this.dataSource.query(
      `with newest as (
         select id, status, attempts from webhook_deliveries
         where api_key_id = $1 and id >= $2 order by id desc limit $3
       ), answers as (
         select a.started_at, a.duration_ms from newest n
         join webhook_attempts a on a.delivery_id = n.id
         where n.status = 'succeeded' and a.status_code between 200 and 299
       )
       select count(*) filter (where status = 'succeeded')::int as succeeded,
         count(*) filter (where attempts > 1)::int as retried,
         count(*) filter (where status = 'failed')::int as failed,
         count(*) filter (where status in ('pending', 'retrying'))::int as waiting,
         (select percentile_cont(0.5) within group (order by duration_ms) from answers)::int
           as median_ms,
         (select max(started_at) from answers) as last_success_at
       from newest`,
      [key.id, firstIdAt(Date.now() - dayMs), reportMax],
    );
    if (!row) throw new Error('a count without a row');
    return row;
  }

  private async keyOf(user: SignedInUser, id: string): Promise<KeyRow> {
    const [key]: KeyRow[] = isUUID(id)
      ? await this.dataSource.query(
          `select id, account_id, name, mode, webhook_url as url,
             webhook_disabled_at is not null as off
           from api_keys where id = $1 and ($2::uuid is null or account_id = $2)`,
          [id, accountScope(user)],
        )
      : [];
    if (!key) throw new AppError('NOT_FOUND');
    return key;
  }

  private async views(rows: readonly DeliveryRow[]): Promise<DeliveryDto[]> {
    const attempts: (DeliveryAttemptDto & { delivery_id: string })[] = await this.dataSource.query(
      `select delivery_id, number, started_at as at, duration_ms, status_code, response, error
       from webhook_attempts where delivery_id = any ($1::uuid[]) order by delivery_id, number`,
      [rows.map(({ id }) => id)],
    );
    const byDelivery = new Map<string, DeliveryAttemptDto[]>(rows.map(({ id }) => [id, []]));
    for (const { delivery_id, ...attempt } of attempts) byDelivery.get(delivery_id)?.push(attempt);
    return rows.map(({ event_id, type, body, ...row }) => ({
      ...row,
      event: type,
      webhook_id: webhookId(event_id),
      summary: eventSummary(body),
      attempts: byDelivery.get(row.id) ?? [],
    }));
  }
}

function refuseUnusable({ url, off }: KeyRow): void {
  if (url === null) throw new AppError('CONFLICT', { message: 'The key has no webhook.' });
  if (off) {
    throw new AppError('CONFLICT', { message: 'The webhook is switched off; enable it first.' });
  }
}
