import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, In } from 'typeorm';
import { callerOf } from '../../access/caller.js';
import type { SignedInUser } from '../../access/signed-in-user.js';
import { ApiKeyEntity } from '../../api-keys/api-key.entity.js';
import type { ContactScope } from '../../contacts/contact.js';
import { ContactReads } from '../../contacts/contact-reads.js';
import { ContactWindows } from '../../contacts/contact-windows.js';
import { contactView, windowView } from '../../contacts/contacts.service.js';
import { accountIdsOf } from '../../contacts/search/contact-search.js';
import { AppError } from '../../errors/app-error.js';
import { type PageDto, pageOf } from '../../http/validation/page.dto.js';
import { requestIdOf } from '../../request-log/logged-request.js';
import { RequestReads } from '../../request-log/request-reads.js';
import type { MessagesDto, MessageWithTimelineDto } from '../message-answers.dto.js';
import { type MessageStatus, mayBeSentAgain } from '../rows/message-status.js';
import type {
  DashboardMessageDetailDto,
  DashboardMessageDto,
  DashboardMessageListDto,
  DashboardMessagesDto,
} from './account-messages.dto.js';
import type { MessageFilterDto, MessageListDto } from './message-list.dto.js';
import { MessageMatches } from './message-matches.js';
import {
  type MessageContent,
  type MessageFilter,
  MessageReads,
  type MessageRecord,
  type MessageScope,
} from './message-reads.js';
import { messageView, timelineView } from './message-view.js';

/** A total says no more than this. */
const totalMax = 10_000;

/** How many messages match, and whether these are all. */
interface Total {
  readonly total: number;
  readonly total_is_exact: boolean;
}

/** Reads of messages, for keys and for people. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly reads: MessageReads,
    private readonly matches: MessageMatches,
    private readonly contacts: ContactReads,
    private readonly windows: ContactWindows,
    private readonly requests: RequestReads,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws AppError MESSAGE_NOT_FOUND, also for a message of another account. */
  async get(id: string, scope: MessageScope): Promise<MessageWithTimelineDto> {
    const record = await this.find(id, scope);
    const { timeline } = await this.reads.history(record.id);
    return { ...messageView(record), timeline: timelineView(record, timeline) };
  }

  /** The newest first. */
  async list(filter: MessageListDto, scope: MessageScope): Promise<MessagesDto> {
    const { records, next } = await this.pageOf(scope, wantedByKey(filter), filter);
    return { messages: records.map(messageView), next_cursor: next };
  }

  /** The same for people. @throws AppError MESSAGE_NOT_FOUND */
  async details(id: string, user: SignedInUser): Promise<DashboardMessageDetailDto> {
    const record = await this.find(id, callerOf(user));
    const ids = { phone: record.recipient, userId: record.toUserId };
    const [
      { timeline, attempts, nextAttemptAt },
      contents,
      resentAs,
      retriedIn,
      contact,
      window,
      keys,
      campaigns,
      names,
      madeBy,
    ] = await Promise.all([
      this.reads.history(record.id),
      this.reads.contents([record.id]),
      this.reads.resentAs(record.id),
      mayBeSentAgain(record.status) ? this.reads.retryOf(record.id) : null,
      record.contactId === null ? null : this.contacts.findContact(record.contactId, record),
      this.windows.findWindow(record, ids),
      this.keyNames([record]),
      this.reads.campaignNames([record]),
      this.reads.contactNames([record]),
      this.requests.madeBy(record),
    ]);
    return {
      ...viewOf(record, { keys, campaigns, contacts: names }, contents[0]),
      timeline: timelineView(record, timeline),
      attempts: attempts.map((attempt) => ({
        number: attempt.number,
        started_at: attempt.startedAt,
        duration_ms: attempt.durationMs,
        outcome: attempt.outcome,
        http_status: attempt.httpStatus,
        error_code: attempt.errorCode,
        detail: attempt.detail,
      })),
      platform_payload: contents[0]?.payload ?? null,
      contact: contact && contactView(contact),
      window: windowView(window),
      resent_as: resentAs?.id ?? null,
      resent_as_status: resentAs?.status ?? null,
      resent_as_created_at: resentAs?.created_at ?? null,
      next_attempt_at: nextAttemptAt,
      retried_in: retriedIn,
      request_id: madeBy && requestIdOf(madeBy),
    };
  }

  /**
   * The same for people.
   * @param page which part of the list; default: as the filter says.
   * @throws AppError NOT_FOUND for another account
   */
  async listFor(
    user: SignedInUser,
    filter: DashboardMessageListDto,
    page: PageDto = filter,
  ): Promise<DashboardMessagesDto> {
    const scope = scopeOf(user, filter);
    const { records, next } = await this.pageOf(scope, await this.wantedBy(scope, filter), page);
    return { messages: await this.listed(records), next_cursor: next };
  }

  /**
   * The ids of a page, the newest first.
   * @returns where the next page begins; null at the end.
   * @throws AppError NOT_FOUND for another account
   */
  async idsOf(
    user: SignedInUser,
    filter: DashboardMessageListDto,
    page: PageDto,
  ): Promise<{ ids: string[]; next: string | null }> {
    const scope = scopeOf(user, filter);
    const { records, next } = await this.pageOf(scope, await this.wantedBy(scope, filter), page);
    return { ids: records.map(({ id }) => id), next };
  }

  /** @throws AppError NOT_FOUND for another account */
  async count(user: SignedInUser, filter: DashboardMessageListDto): Promise<Total> {
    const scope = scopeOf(user, filter);
    const wanted = { ...(await this.wantedBy(scope, filter)), limit: totalMax + 1 };
    const { count, isCut } = await this.reads.count(scope, wanted);
    return { total: Math.min(count, totalMax), total_is_exact: count <= totalMax && !isCut };
  }

  /** The latest messages to a contact, by its numbers and by its user ids of now and before. */
  async latestTo(
    { accountId, mode }: ContactScope,
    phones: readonly string[],
    userIds: readonly string[],
    limit: number,
  ): Promise<DashboardMessageDto[]> {
    const found = await Promise.all(
      [
        ...phones.map((recipient) => ({ recipient })),
        ...userIds.map((toUserId) => ({ toUserId })),
      ].map((to) => this.reads.list({ accountId, mode }, { ...to, limit })),
    );
    const byId = new Map(
      found.flatMap(({ records }) => records).map((record) => [record.id, record]),
    );
    const newest = [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
    return this.listed(newest.slice(0, limit));
  }

  private async find(id: string, scope: MessageScope): Promise<MessageRecord> {
    const record = isUUID(id) ? await this.reads.findMessage(id.toLowerCase(), scope) : null;
    if (!record) throw new AppError('MESSAGE_NOT_FOUND');
    return record;
  }

  private async pageOf(
    scope: MessageScope,
    wanted: Omit<MessageFilter, 'limit'>,
    { limit, cursor }: PageDto,
  ): Promise<{ records: MessageRecord[]; next: string | null }> {
    const { records, horizon } = await this.reads.list(scope, {
      ...wanted,
      limit: limit + 1,
      beforeId: cursor,
    });
    const { page, next_cursor } = pageOf(records, limit);
    return { records: page, next: next_cursor ?? horizon };
  }

  private async wantedBy(
    { accountId }: MessageScope,
    filter: DashboardMessageListDto,
  ): Promise<Omit<MessageFilter, 'limit'>> {
    const text = filter.q?.trim();
    if (!text) return wantedBy(filter);
    const accounts = await accountIdsOf(this.dataSource, accountId);
    return { ...wantedBy(filter), match: await this.matches.read(text, accounts) };
  }

  private async listed(records: readonly MessageRecord[]): Promise<DashboardMessageDto[]> {
    const [contents, keys, campaigns, contacts] = await Promise.all([
      this.reads.contents(records.map(({ id }) => id)),
      this.keyNames(records),
      this.reads.campaignNames(records),
      this.reads.contactNames(records),
    ]);
    const names = { keys, campaigns, contacts };
    const contentOf = new Map(contents.map((content) => [content.id, content]));
    return records.map((record) => viewOf(record, names, contentOf.get(record.id)));
  }

  /** The names of the keys that sent messages; deleted ones have none. */
  private async keyNames(records: readonly MessageRecord[]): Promise<Map<string, string>> {
    const keys = await this.dataSource.getRepository(ApiKeyEntity).find({
      select: { id: true, name: true },
      where: { id: In([...new Set(records.map(({ apiKeyId }) => apiKeyId))]) },
    });
    return new Map(keys.map(({ id, name }) => [id, name]));
  }
}

const scopeOf = (user: SignedInUser, filter: DashboardMessageListDto): MessageScope => ({
  ...callerOf(user, filter.account_id),
  mode: filter.mode ?? null,
});

const wantedByKey = (
  filter: MessageFilterDto & {
    readonly to?: string | undefined;
    readonly status?: string | undefined;
  },
) => ({
  statuses: filter.status?.split(',') as MessageStatus[] | undefined,
  recipient: filter.to,
  reference: filter.reference,
  toUserId: filter.to_user_id,
  createdAfter: filter.created_after,
  createdBefore: filter.created_before,
});

function wantedBy({ to, status, ...filter }: DashboardMessageListDto) {
  return {
    ...wantedByKey({ ...filter, status, to: typeof to === 'string' ? to : undefined }),
    errorCode: filter.error_code,
    apiKeyId: filter.key_id,
    type: filter.type,
    isResent: filter.resent === undefined ? undefined : filter.resent === 'true',
    createdAfter: filter.created_after ?? filter.from,
    createdBefore: filter.created_before ?? (to instanceof Date ? to : undefined),
  };
}

function viewOf(
  record: MessageRecord,
  names: Readonly<Record<'keys' | 'campaigns' | 'contacts', ReadonlyMap<string, string>>>,
  content: MessageContent | undefined,
) {
  return {
    ...messageView(record),
    mode: record.mode,
    account_id: record.accountId,
    api_key_id: record.apiKeyId,
    api_key_name: names.keys.get(record.apiKeyId) ?? null,
    campaign_name: (record.campaignId && names.campaigns.get(record.campaignId)) ?? null,
    recipient_name: (record.contactId && names.contacts.get(record.contactId)) ?? null,
    text: content?.text ?? '',
    resent_from: record.resentFrom,
  } satisfies DashboardMessageDto;
}
