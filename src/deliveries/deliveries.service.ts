import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { idAround } from '../database/ids.js';
import { noSuch } from '../errors/app-error.js';
import { type PageDto, pageOf } from '../http/validation/page.dto.js';
import { webhookId } from './attempts/event-signature.js';
import type {
  DeliveriesDto,
  DeliveryAnswerDto,
  DeliveryDto,
  DeliveryListDto,
} from './deliveries.dto.js';
import * as sql from './deliveries.statements.js';
import { asPattern, DeliveryMatches } from './delivery-matches.js';
import { EndpointDeliveries, type KnownEndpoint } from './endpoint-deliveries.js';
import { eventSummary, eventUser } from './event-summary.js';

/** How many of the newest deliveries are searched for those of one user, and how many are returned. */
const userSearchMax = 500;
const userFoundMax = 30;

/** How many deliveries are counted before somebody does something to all of them, and in how many pages. */
const previewMax = 10_000;
const previewPages = 10;

interface DeliveriesTotal {
  readonly total: number;
  /** False: there may be more. */
  readonly total_is_exact: boolean;
}

interface DeliveriesPreview extends DeliveriesTotal {
  /** Their addresses. */
  readonly endpoints: string[];
  /** How many of all that match were delivered. */
  readonly succeeded: number;
}

type IsKept = (delivery: DeliveryDto) => boolean;

/** Deliveries, for those who manage them. Those of another account are treated as missing. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointDeliveries,
    private readonly matches: DeliveryMatches,
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
    const { wanted, horizon } = await this.wantedBy(user, filter, cursor);
    const rows = await sql.listDeliveries.of(wanted).rows(this.dataSource, {
      ...wanted,
      limit: limit + 1,
    });
    const { page, next_cursor } = pageOf(rows, limit);
    return { deliveries: page.map(viewOf), next_cursor: next_cursor ?? horizon };
  }

  /**
   * How many match, up to 10,000; where the list is searched, of those that its first page looks through.
   * @throws AppError NOT_FOUND for another account
   */
  async count(user: SignedInUser, filter: DeliveryListDto): Promise<DeliveriesTotal> {
    const { wanted, horizon } = await this.wantedBy(user, filter);
    const row = await sql.countDeliveries.of(wanted).row(this.dataSource, {
      ...wanted,
      limit: previewMax + 1,
    });
    const count = row?.count ?? 0;
    return {
      total: Math.min(count, previewMax),
      total_is_exact: count <= previewMax && horizon === null,
    };
  }

  /** What a list asks the database for, and where it ends if it searches; null where it reaches the end. */
  private async wantedBy(user: SignedInUser, filter: DeliveryListDto, cursor?: string) {
    const until = filter.to instanceof Date ? filter.to : undefined;
    const accountId = accountScope(user, filter.account_id);
    const text = filter.q?.trim();
    const match = text ? await this.matches.read(text, accountId) : null;
    const place = {
      accountId,
      endpointIds: filter.key_id === undefined ? null : await this.endpointsOf(filter.key_id),
      messageId: filter.message_id,
      endpointId: filter.endpoint_id,
      from: filter.from,
      firstId: filter.from && idAround(filter.from, -1),
      to: until,
      endId: until && idAround(until, 1),
      beforeId: cursor,
      ...match,
    };
    const { status, event: type, mode } = filter;
    const readsBodies = match !== null && 'users' in match;
    const horizon = readsBodies || isWindowed(filter) ? await this.horizonOf(place, status) : null;
    return { wanted: { ...place, horizon, status, type, phone: phoneOf(filter), mode }, horizon };
  }

  /**
   * The ids of a page, and where the next one begins; null at the end.
   * @throws AppError NOT_FOUND for another account
   */
  async idsOf(
    user: SignedInUser,
    filter: DeliveryListDto,
    page: PageDto,
    isKept: IsKept,
  ): Promise<{ ids: string[]; next: string | null }> {
    const { deliveries, next_cursor } = await this.list(user, filter, page);
    return { ids: deliveries.filter(isKept).map(({ id }) => id), next: next_cursor };
  }

  /**
   * How many match and are kept, and where they go. It ends after as many pages as that many deliveries have, full or not.
   * @throws AppError NOT_FOUND for another account
   */
  async preview(
    user: SignedInUser,
    filter: DeliveryListDto,
    isKept: IsKept,
  ): Promise<DeliveriesPreview> {
    const urls = new Set<string>();
    let total = 0;
    let succeeded = 0;
    let cursor: string | null | undefined;
    for (let page = 0; page < previewPages && cursor !== null; page += 1) {
      const given = { limit: previewMax / previewPages, ...(cursor && { cursor }) };
      const { deliveries, next_cursor } = await this.list(user, filter, given);
      const kept = deliveries.filter(isKept);
      total += kept.length;
      succeeded += deliveries.filter(({ status }) => status === 'succeeded').length;
      for (const { url } of kept) if (url !== null) urls.add(url);
      cursor = next_cursor;
    }
    return { total, total_is_exact: cursor === null, endpoints: [...urls].toSorted(), succeeded };
  }

  /**
   * Where a search of one page ends: it has no index and reads what it looks through.
   * @returns the oldest id that it reads; null where it reaches the end.
   */
  private async horizonOf(
    place: sql.DeliveriesPlace,
    status: DeliveryListDto['status'],
  ): Promise<string | null> {
    const row = await sql.findHorizon.of({ status }).row(this.dataSource, place);
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
    const rows = await sql.listDeliveriesOfUser.rows(this.dataSource, {
      accountId: accountScope(user, accountId),
      phone,
      searched: userSearchMax,
      limit: userFoundMax,
      userIds: userIds.map(asPattern),
    });
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

  private async find(id: string, accountId: string | null): Promise<sql.DeliveryRow> {
    const row = isUUID(id) && (await sql.findDelivery.row(this.dataSource, { id, accountId }));
    if (!row) throw noSuch('delivery');
    return row;
  }

  /** The endpoints of a key, also those that are gone. A deleted key has had one with its own id. */
  private async endpointsOf(apiKeyId: string): Promise<string[]> {
    const rows = await sql.listOtherEndpointsOfKey.rows(this.dataSource, { apiKeyId });
    return [apiKeyId, ...rows.map(({ id }) => id)];
  }
}

const phoneOf = ({ phone, to }: DeliveryListDto) =>
  phone ?? (typeof to === 'string' ? to : undefined);

/** Whether a list may read what it looks through. */
export const isSearch = (filter: DeliveryListDto) => filter.q !== undefined || isWindowed(filter);

/** Whether no index serves these filters. Failed deliveries have an index of their own; those that wait, a table. */
function isWindowed(filter: DeliveryListDto): boolean {
  const isIndexed = filter.status === 'failed' || filter.status === 'waiting';
  const status = isIndexed ? undefined : filter.status;
  return [filter.event, phoneOf(filter), status, filter.mode].some(
    (sought) => sought !== undefined,
  );
}

function viewOf({ event_id, type, body, log, ...row }: sql.DeliveryRow): DeliveryDto {
  return {
    ...row,
    event: type,
    webhook_id: webhookId(event_id),
    user: eventUser(body),
    summary: eventSummary(body),
    attempts: (log ?? []).map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
  };
}
