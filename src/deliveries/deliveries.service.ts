import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { formsOf } from '../contacts/forms/number-forms.js';
import { firstIdAt } from '../database/ids.js';
import { noSuch } from '../errors/app-error.js';
import type { WebhookEvent } from '../events/event-types.js';
import { wholeLog } from '../events/redelivery-statements.js';
import { type PageDto, pageOf } from '../http/validation/page.dto.js';
import { webhookId } from './attempts/event-signature.js';
import type {
  DeliveriesDto,
  DeliveryAnswerDto,
  DeliveryAttemptDto,
  DeliveryDto,
  DeliveryListDto,
} from './deliveries.dto.js';
import { clocksApartMaxMs, EndpointDeliveries, type KnownEndpoint } from './endpoint-deliveries.js';
import { eventSummary, eventUser } from './event-summary.js';

/** An attempt as the log of a row keeps it. */
type LoggedAttempt = Omit<DeliveryAttemptDto, 'at'> & { readonly at: string };

interface DeliveryRow
  extends Omit<DeliveryDto, 'webhook_id' | 'attempts' | 'event' | 'summary' | 'user'> {
  event_id: string;
  type: WebhookEvent;
  body: string;
  log: readonly LoggedAttempt[] | null;
}

const sharedColumns = `d.id, d.event_id, d.endpoint_id, d.account_id, d.mode, d.type, d.message_id,
  d.body, d.error, d.created_at`;

const tables = { open: 'open_events', done: 'done_events' };

/** Which deliveries a list is about, and from where on; indexes answer this. */
const placeSql = `($1::uuid is null or d.account_id = $1) and ($2::uuid[] is null or d.endpoint_id = any ($2))
  and ($3::uuid is null or d.message_id = $3) and ($4::uuid is null or d.endpoint_id = $4)
  and ($5::timestamptz is null or (d.created_at >= $5 and d.id >= $6))
  and ($7::timestamptz is null or (d.created_at < $7 and d.id < $8))
  and ($9::uuid is null or d.id < $9)`;

/** Which members of a body name a user by number: in Parley's form, and in WhatsApp's. */
const userMembers = 'from|to|phone|recipient_id';

/** How many deliveries one page looks through for what has no index; the next page goes on from there. */
const searchedMax = 10_000;

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
  select f.id, f.event_id, f.account_id, f.endpoint_id, e.name as endpoint_name,
    coalesce(e.api_key_id, f.endpoint_id) as api_key_id, k.name as api_key_name, e.url, f.mode, f.type, f.message_id, f.status, f.next_attempt_at, f.error,
    f.created_at, f.finished_at, f.body, f.log
  from (${partsOf(status)
    .map(
      (part) => `(select * from (${parts[part]}) d where ${condition}
       order by d.id desc limit ${limit})`,
    )
    .join(' union all ')}) f
  left join webhook_endpoints e on e.id = f.endpoint_id left join api_keys k on k.id = e.api_key_id
  order by f.id desc limit ${limit}`;

/** Every form of the number that is sought. The search for plain text comes first: a regular expression costs ten times as much. */
const numberForms = formsOf(
  { where: '($1::uuid is null or known.account_id = $1) and' },
  '$13::text',
);

/** How many of the newest deliveries are searched for those of one user, and how many are returned. */
const userSearchMax = 500;
const userFoundMax = 30;

/** Deliveries, for those who manage them. Those of another account are treated as missing. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointDeliveries,
  ) {}

  /**
   * The newest first. A page of a search may have few rows or none, and a cursor all the same.
   * @param page which part of the list; default: as the filter says.
   * @throws AppError NOT_FOUND for another account
   */
  async list(
    user: SignedInUser,
    filter: DeliveryListDto,
    { limit, cursor }: PageDto = filter,
  ): Promise<DeliveriesDto> {
    const until = filter.to instanceof Date ? filter.to : undefined;
    const phone = phoneOf(filter);
    const place = [
      accountScope(user, filter.account_id),
      filter.key_id === undefined ? null : await this.endpointsOf(filter.key_id),
      filter.message_id ?? null,
      filter.endpoint_id ?? null,
      filter.from ?? null,
      idNear(filter.from, -clocksApartMaxMs),
      until ?? null,
      idNear(until, clocksApartMaxMs),
      cursor ?? null,
    ];
    const horizon = isSearch(filter) ? await this.horizonOf(place, filter.status) : null;
    const rows: DeliveryRow[] = await this.dataSource.query(
      newestSql(
        `${placeSql} and ($10::uuid is null or d.id >= $10) and ($11::text is null or d.status = $11)
         and ($12::text is null or d.type = $12) and ($15::text is null or d.mode = $15)
         and ($13::text is null or (d.body like any (array(
           select '%' || substr(form, 2) || '"%' from unnest(${numberForms}) form))
         and d.body ~ (
           select '"(${userMembers})" ?: ?"[+]?(' || string_agg(substr(form, 2), '|') || ')"'
           from unnest(${numberForms}) form)))`,
        '$14',
        filter.status,
      ),
      [
        ...place,
        horizon,
        filter.status ?? null,
        filter.event ?? null,
        phone ?? null,
        limit + 1,
        filter.mode ?? null,
      ],
    );
    const { page, next_cursor } = pageOf(rows, limit);
    return { deliveries: page.map(viewOf), next_cursor: next_cursor ?? horizon };
  }

  /** The ids of a page, and where the next one begins; null at the end. @throws AppError NOT_FOUND for another account */
  async idsOf(
    user: SignedInUser,
    filter: DeliveryListDto,
    page: PageDto,
  ): Promise<{ ids: string[]; next: string | null }> {
    const { deliveries, next_cursor } = await this.list(user, filter, page);
    return { ids: deliveries.map(({ id }) => id), next: next_cursor };
  }

  /**
   * Where a search of one page ends: it has no index and reads what it looks through.
   * @returns the oldest id that it reads; null where it reaches the end.
   */
  private async horizonOf(place: unknown[], status?: string): Promise<string | null> {
    const ends = partsOf(status).map(
      (part) => `(select d.id from ${tables[part]} d where ${placeSql}
       order by d.id desc offset ${searchedMax - 1} limit 1)`,
    );
    const [row]: { id: string }[] = await this.dataSource.query(
      `select id from (${ends.join(' union all ')}) ends order by id desc limit 1`,
      place,
    );
    return row?.id ?? null;
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
       where body ~ ('"(${userMembers})" ?: ?"[+]?' || substr($2, 2) || '"')
         or body ~ ('"(from_|to_|recipient_)?user_id" ?: ?"(' || array_to_string($5::text[], '|') || ')"')
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
    const row = await this.find(id, accountScope(user));
    return { delivery: viewOf(row), body: row.body };
  }

  /**
   * Delivers an event once more, with the same id and bytes, whether it was delivered before or not.
   * @throws AppError NOT_FOUND, CONFLICT while the endpoint is off
   */
  async redeliver(user: SignedInUser, id: string): Promise<DeliveryAnswerDto> {
    await this.redeliverIn(accountScope(user), id, (manager, endpoint) =>
      this.endpoints.record(manager, user.actor, endpoint, 'redelivered', { delivery_id: id }),
    );
    return this.get(user, id);
  }

  /**
   * The same without a user: for a job.
   * @param accountId null: of any account.
   * @param note writes in the same transaction who wanted that.
   */
  async redeliverIn(
    accountId: string | null,
    id: string,
    note: (manager: EntityManager, endpoint: KnownEndpoint) => Promise<void>,
  ): Promise<void> {
    const delivery = await this.find(id, accountId);
    const endpoint = await this.endpoints.find(delivery.endpoint_id, { accountId });
    await this.endpoints.redeliver(endpoint, delivery, (manager) => note(manager, endpoint));
  }

  private async find(id: string, accountId: string | null): Promise<DeliveryRow> {
    const [row]: DeliveryRow[] = isUUID(id)
      ? await this.dataSource.query(
          newestSql('d.id = $1 and ($2::uuid is null or d.account_id = $2)', '1'),
          [id, accountId],
        )
      : [];
    if (!row) throw noSuch('delivery');
    return row;
  }

  /** The endpoints of a key, also those that are gone. A deleted key has had one with its own id. */
  private async endpointsOf(apiKeyId: string): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      'select id from webhook_endpoints where api_key_id = $1 and id <> $1',
      [apiKeyId],
    );
    return [apiKeyId, ...rows.map(({ id }) => id)];
  }
}

const phoneOf = ({ phone, to }: DeliveryListDto) =>
  phone ?? (typeof to === 'string' ? to : undefined);

/** Whether a list has no index and reads what it looks through. Only failed ones have an index of their own. */
export function isSearch(filter: DeliveryListDto): boolean {
  const status = filter.status === 'failed' ? undefined : filter.status;
  return [filter.event, phoneOf(filter), status, filter.mode].some(
    (sought) => sought !== undefined,
  );
}

/** A bound for ids of what was created around a time; the partitions beyond it are not read. */
function idNear(time: Date | undefined, byMs: number): string | null {
  return time ? firstIdAt(Math.max(0, time.getTime() + byMs)) : null;
}

function viewOf({ event_id, type, body, log, ...row }: DeliveryRow): DeliveryDto {
  return {
    ...row,
    event: type,
    webhook_id: webhookId(event_id),
    user: eventUser(body),
    summary: eventSummary(body),
    attempts: (log ?? []).map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
  };
}
