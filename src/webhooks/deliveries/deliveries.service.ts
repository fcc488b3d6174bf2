import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import type { Mode } from '../../access/mode.js';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import type { WebhookEvent } from '../../api-keys/api-key.entity.js';
import { AuditLog } from '../../audit/audit-log.js';
import { firstIdAt } from '../../database/ids.js';
import { AppError } from '../../errors/app-error.js';
import { recoverSql, redeliverSql, wholeLog } from '../../events/redelivery-statements.js';
import { EventHints } from '../../hints/event-hints.js';
import { pageOf } from '../../http/validation/page.dto.js';
import { timeOf } from '../../http/validation/rules.js';
import { webhookId } from './attempts/event-signature.js';
import type {
  DeliveriesDto,
  DeliveryAnswerDto,
  DeliveryAttemptDto,
  DeliveryDto,
  DeliveryListDto,
  WebhookReportDto,
} from './deliveries.dto.js';
import { eventSummary } from './event-summary.js';
import { WebhookEvents } from './webhook-events.js';

/** An attempt as the log of a row keeps it. */
type LoggedAttempt = Omit<DeliveryAttemptDto, 'at'> & { readonly at: string };

interface DeliveryRow extends Omit<DeliveryDto, 'webhook_id' | 'attempts' | 'event' | 'summary'> {
  event_id: string;
  type: WebhookEvent;
  body: string;
  log: readonly LoggedAttempt[] | null;
}

interface KeyRow {
  id: string;
  account_id: string;
  name: string;
  mode: Mode;
  url: string | null;
  off: boolean;
  revoked: boolean;
}

const sharedColumns = `d.id, d.event_id, d.endpoint_id, d.account_id, d.mode, d.type, d.message_id,
  d.body, d.error, d.created_at`;

/** Where deliveries are: on their way, or finished. */
const parts = {
  open: `select ${sharedColumns}, d.due_at as next_attempt_at, null::timestamptz as finished_at, d.log,
    case when d.attempts > d.attempts_before then 'retrying' else 'pending' end as status
    from open_events d`,
  done: `select ${sharedColumns}, null::timestamptz as next_attempt_at, d.finished_at,
    ${wholeLog} as log, d.status
    from done_events d`,
};

/** Which parts can hold a status. */
const partsOf = (status: string | undefined): (keyof typeof parts)[] => {
  if (status === undefined) return ['open', 'done'];
  return status === 'succeeded' || status === 'failed' ? ['done'] : ['open'];
};

/**
 * The newest deliveries that meet a condition on `d`, of both parts in one statement.
 * @param limit the parameter that bounds them.
 */
const newestSql = (condition: string, limit: string, status?: string) => `
  select f.id, f.event_id, f.account_id, f.endpoint_id as api_key_id, k.name as api_key_name,
    k.webhook_url as url, f.mode, f.type, f.message_id, f.status, f.next_attempt_at, f.error,
    f.created_at, f.finished_at, f.body, f.log
  from (${partsOf(status)
    .map(
      (part) => `(select * from (${parts[part]}) d where ${condition}
       order by d.id desc limit ${limit})`,
    )
    .join(' union all ')}) f
  left join api_keys k on k.id = f.endpoint_id
  order by f.id desc limit ${limit}`;

const dayMs = 86_400_000;

/** An id has the time of a process's clock, `created_at` that of PostgreSQL's. */
const clocksApartMaxMs = 3_600_000;

const recoverBatch = 5_000;

/** How many of a day's deliveries count towards the health of a webhook. */
const reportMax = 10_000;

/** How many of the newest deliveries are searched for those of one user, and how many are returned. */
const userSearchMax = 500;
const userFoundMax = 30;

/** Deliveries, for those who manage them. Those of another account are treated as missing. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: WebhookEvents,
    private readonly hints: EventHints,
    private readonly audit: AuditLog,
  ) {}

  /** The newest first. @throws AppError NOT_FOUND for another account */
  async list(user: SignedInUser, filter: DeliveryListDto): Promise<DeliveriesDto> {
    const rows: DeliveryRow[] = await this.dataSource.query(
      newestSql(
        `($1::uuid is null or d.account_id = $1) and ($2::uuid is null or d.endpoint_id = $2)
         and ($3::text is null or d.type = $3) and ($4::uuid is null or d.id < $4)
         and ($5::uuid is null or d.message_id = $5) and ($6::text is null or d.status = $6)`,
        '$7',
        filter.status,
      ),
      [
        accountScope(user, filter.account_id),
        filter.key_id ?? null,
        filter.event ?? null,
        filter.cursor ?? null,
        filter.message_id ?? null,
        filter.status ?? null,
        filter.limit + 1,
      ],
    );
    const { page, next_cursor } = pageOf(rows, filter.limit);
    return { deliveries: page.map(viewOf), next_cursor };
  }

  /**
   * Deliveries of what one user sent and was sent, among the newest; the newest first.
   * @param of `phone`: in E.164 form; `userIds`: the present one and earlier ones.
   * @throws AppError NOT_FOUND for another account
   */
  async listOfUser(
    user: SignedInUser,
    { phone, userIds }: { phone: string; userIds: readonly string[] },
    accountId?: string,
  ): Promise<DeliveryAnswerDto[]> {
    // Compared as text: a user may write what PostgreSQL does not take for JSON, such as NUL.
    const rows: DeliveryRow[] = await this.dataSource.query(
      `select * from (${newestSql('($1::uuid is null or d.account_id = $1)', '$3')}) newest
       where body ~ ('"(from|to)" ?: ?"[+]' || substr($2, 2) || '"')
         or body ~ ('"(from_|to_)?user_id" ?: ?"(' || array_to_string($5::text[], '|') || ')"')
       order by id desc limit $4`,
      [
        accountScope(user, accountId),
        phone,
        userSearchMax,
        userFoundMax,
        userIds.map((id) => id.replaceAll('.', '[.]')),
      ],
    );
    return rows.map((row) => ({ delivery: viewOf(row), body: row.body }));
  }

  /** @throws AppError NOT_FOUND */
  async get(user: SignedInUser, id: string): Promise<DeliveryAnswerDto> {
    const [row]: DeliveryRow[] = isUUID(id)
      ? await this.dataSource.query(
          newestSql('d.id = $1 and ($2::uuid is null or d.account_id = $2)', '1'),
          [id, accountScope(user)],
        )
      : [];
    if (!row) throw new AppError('NOT_FOUND');
    return { delivery: viewOf(row), body: row.body };
  }

  /**
   * Delivers an event once more, with the same id and bytes, whether it was delivered before or not.
   * @throws AppError NOT_FOUND, CONFLICT while the endpoint is off
   */
  async redeliver(user: SignedInUser, id: string): Promise<DeliveryAnswerDto> {
    const { delivery } = await this.get(user, id);
    const key = await this.keyOf(user, delivery.api_key_id);
    refuseUnusable(key);
    await this.dataSource.transaction(async (manager) => {
      await manager.query(redeliverSql, [delivery.id]);
      await this.record(manager, user, key, 'redelivered', { delivery_id: delivery.id });
    });
    this.hints.wake(key.id, Date.parse(delivery.created_at.toISOString()));
    return this.get(user, id);
  }

  /** Sends a test event. @throws AppError NOT_FOUND, CONFLICT */
  async test(user: SignedInUser, apiKeyId: string): Promise<DeliveryAnswerDto> {
    const key = await this.keyOf(user, apiKeyId);
    refuseUnusable(key);
    const { ids, toWake } = await this.dataSource.transaction(async (manager) => {
      await this.record(manager, user, key, 'tested', {});
      return this.events.addEvents(manager, [
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
    for (const { endpointId, dueMs } of toWake) this.hints.wake(endpointId, dueMs);
    return this.get(user, ids[0] ?? '');
  }

  /**
   * Delivers again what has failed since a given time.
   * @returns how many deliveries are due again.
   * @throws AppError NOT_FOUND, CONFLICT while the endpoint is off
   */
  async recover(user: SignedInUser, apiKeyId: string, since: string) {
    const key = await this.keyOf(user, apiKeyId);
    refuseUnusable(key);
    const sinceAt = timeOf(since) ?? new Date();
    let recovered = 0;
    let last: string | null = firstIdAt(Math.max(0, sinceAt.getTime() - clocksApartMaxMs));
    while (last !== null) {
      const [row]: { count: number; last: string | null }[] = await this.dataSource.query(
        recoverSql,
        [key.id, sinceAt, recoverBatch, last],
      );
      recovered += row?.count ?? 0;
      last = row?.last ?? null;
    }
    await this.record(this.dataSource.manager, user, key, 'recovered', { since, recovered });
    this.hints.wake(key.id, 0);
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

  /** The health of the key's webhook. @throws AppError NOT_FOUND */
  async report(user: SignedInUser, apiKeyId: string): Promise<WebhookReportDto> {
    const key = await this.keyOf(user, apiKeyId);
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
      [key.id, firstIdAt(Date.now() - dayMs), reportMax],
    );
    if (!row) throw new Error('a count without a row');
    return row;
  }

  private async keyOf(user: SignedInUser, id: string): Promise<KeyRow> {
    const [key]: KeyRow[] = isUUID(id)
      ? await this.dataSource.query(
          `select id, account_id, name, mode, webhook_url as url,
             webhook_disabled_at is not null as off, revoked_at is not null as revoked
           from api_keys where id = $1 and ($2::uuid is null or account_id = $2)`,
          [id, accountScope(user)],
        )
      : [];
    if (!key) throw new AppError('NOT_FOUND');
    return key;
  }
}

function viewOf({ event_id, type, body, log, ...row }: DeliveryRow): DeliveryDto {
  return {
    ...row,
    event: type,
    webhook_id: webhookId(event_id),
    summary: eventSummary(body),
    attempts: (log ?? []).map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
  };
}

function refuseUnusable({ url, off, revoked }: KeyRow): void {
  if (revoked) throw new AppError('CONFLICT', { message: 'The key is revoked.' });
  if (url === null) throw new AppError('CONFLICT', { message: 'The key has no webhook.' });
  if (off) {
    throw new AppError('CONFLICT', { message: 'The webhook is switched off; enable it first.' });
  }
}
