import { Injectable } from '@nestjs/common';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { addressBlock } from '../auth/address-block.js';
import { timeOfId } from '../database/ids.js';
import { AppError } from '../errors/app-error.js';
import { type PageDto, pageOf } from '../http/validation/page.dto.js';
import { findUuidOf, knownAddress, requestIdOf, storedRoute } from './logged-request.js';
import { RequestBodies } from './request-bodies.js';
import type {
  LoggedBodyDto,
  LoggedRequestDto,
  LoggedRequestsDto,
  RequestListDto,
} from './request-log.dto.js';
import { type RequestFilter, RequestReads, type RequestRecord } from './request-reads.js';

/** A total says no more than this. */
const totalMax = 10_000;

/** The requests that users of the dashboard may see. */
@Injectable()
export class RequestLogService {
  constructor(
    private readonly reads: RequestReads,
    private readonly bodies: RequestBodies,
  ) {}

  /**
   * @param page which part of the list; default: as the filter says.
   * @throws AppError NOT_FOUND for another account
   */
  async list(
    user: SignedInUser,
    filter: RequestListDto,
    { limit, cursor }: PageDto = filter,
  ): Promise<LoggedRequestsDto> {
    const wanted = { ...wantedBy(user, filter), limit: limit + 1, beforeId: cursor };
    const { page, next_cursor } = pageOf(await this.reads.list(wanted), limit);
    return { requests: page.map(viewOf), next_cursor };
  }

  /** @throws AppError NOT_FOUND for another account */
  async count(
    user: SignedInUser,
    filter: RequestListDto,
  ): Promise<{ total: number; total_is_exact: boolean }> {
    const counted = await this.reads.count({ ...wantedBy(user, filter), limit: totalMax + 1 });
    return { total: Math.min(counted, totalMax), total_is_exact: counted <= totalMax };
  }

  /** @throws AppError NOT_FOUND where no body is kept, and for another account */
  async body(user: SignedInUser, requestId: string): Promise<LoggedBodyDto> {
    const id = findUuidOf(requestId);
    const kept = id && (await this.bodies.find(id, accountScope(user)));
    if (kept) return { body: kept.text, kept_until: kept.keptUntil };
    throw new AppError('NOT_FOUND', {
      message: 'The body of this request was not kept, or its hour is over.',
    });
  }
}

function wantedBy(user: SignedInUser, filter: RequestListDto): Omit<RequestFilter, 'limit'> {
  const { status, address } = filter;
  const accountId = accountScope(user, filter.account_id);
  const plain = address === undefined ? null : knownAddress(address);
  return {
    accountIds: accountId === null ? null : [accountId],
    id: filter.request_id === undefined ? undefined : findUuidOf(filter.request_id),
    apiKeyId: filter.key_id,
    mode: filter.mode,
    statuses:
      status === undefined
        ? undefined
        : [Number(status.replace('xx', '00')), Number(status.replace('xx', '99'))],
    code: filter.code,
    route: filter.route === undefined ? undefined : storedRoute(filter.route),
    // Requests without a known key are counted for the whole block of an address.
    addresses: plain === null ? undefined : [plain, addressBlock(plain)],
    isRefused: filter.refused === undefined ? undefined : filter.refused === 'true',
    from: filter.from,
    to: filter.to,
  };
}

function viewOf(record: RequestRecord): LoggedRequestDto {
  return {
    request_id: record.apiKeyId === null ? null : requestIdOf(record.id),
    at: new Date(timeOfId(record.id)),
    method: record.method,
    route: record.route,
    status: record.status,
    code: record.code,
    fields: [...(record.fields ?? [])],
    api_key_id: record.apiKeyId,
    api_key_name: record.apiKeyName,
    account_id: record.accountId,
    mode: record.mode,
    address: record.address,
    latency_ms: record.latencyMs,
    message_id: record.messageId,
    calls: record.calls,
    body_kept_until: record.bodyKeptUntil,
  };
}
