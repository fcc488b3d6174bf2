import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hourMs } from '#libs/durations';
import type { Mode } from '../../access/mode.js';
import { contactOf } from '../../contacts/contact-of-message.js';
import { formsOf } from '../../contacts/forms/number-forms.js';
import { isInPresentHistorySql } from '../../database/history/database-history.js';
import { firstIdAt } from '../../database/ids.js';
import type { MessageFailure, MessageOutcome, MessageType, SentAs } from '../message.js';
import {
  type AttemptRecord,
  attemptsOf,
  type HistoryRow,
  historyColumns,
  type TimelineRecord,
  timelineOf,
} from '../rows/message-history.js';
import type { MessageStatus } from '../rows/message-status.js';
import type { TextMatch } from './message-matches.js';
import { allMessages, messagesIn } from './message-tables.js';

/** A message as it is read. */
export interface MessageRecord {
  id: string;
  accountId: string;
  apiKeyId: string;
  mode: Mode;
  type: MessageType;
  status: MessageStatus;
  recipient: string | null;
  toUserId: string | null;
  /** Null where no contact is known. */
  contactId: string | null;
  reference: string | null;
  /** The message that this one was sent again for. */
  resentFrom: string | null;
  /** Null where the request had no fallback. */
  sentAs: SentAs | null;
  /** The message that it took the place of. */
  fallbackFor: string | null;
  /** The campaign that it was released by. */
  campaignId: string | null;
  platformMessageId: string | null;
  /** Whether the platform held it to assess its quality when it accepted it. */
  held: boolean;
  /** As the platform sends it. */
  pricing: Readonly<Record<string, unknown>> | null;
  failure: MessageFailure | null;
  createdAt: Date;
  /** When it was or is to be sent; null: at once. */
  sendAt: Date | null;
  /** When it was released; null while it is scheduled, and for what was sent at once. */
  queuedAt: Date | null;
  expiresAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

/** How far a message is. */
export interface MessageProgress {
  readonly status: MessageStatus;
  /** Since a worker has it; null where none has. */
  readonly sendingForMs: number | null;
  /** Negative: no try may begin any more. Null: it has no end of its own. */
  readonly expiresInMs: number | null;
}

/** What a message says. */
export interface MessageContent {
  id: string;
  /** The request body for the platform. */
  payload: Record<string, unknown>;
  /** The beginning of its text. */
  text: string;
}

/** What became of a message. */
export interface MessageHistory {
  /** The statuses that it entered, oldest first, without its acceptance. */
  timeline: TimelineRecord[];
  /** The calls to the platform that ended, in order. */
  attempts: AttemptRecord[];
}

/** Restricts messages to those that the reader may see; null means no restriction, for the dashboard only. */
export interface MessageScope {
  readonly accountId: string | null;
  readonly mode: Mode | null;
}

/** Which messages are asked for; absent fields do not restrict. */
export interface MessageFilter {
  readonly statuses?: readonly MessageStatus[] | undefined;
  /** WhatsApp's code, of failed messages. */
  readonly errorCode?: number;
  readonly reference?: string;
  readonly recipient?: string;
  readonly toUserId?: string;
  readonly match?: TextMatch;
  readonly apiKeyId?: string;
  readonly type?: MessageType;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  /** Messages older than this id, exclusive. */
  readonly beforeId?: string;
  readonly limit: number;
}

/** Receipts are apart from the status, so that they touch no index. */
const shownStatus = 'coalesce(receipt, status)';

/** Statuses that receipts do not hide, and that have indexes. */
const indexedStatuses: readonly MessageStatus[] = [
  'scheduled',
  'queued',
  'sending',
  'unconfirmed',
  'failed',
];

/** How many messages one page looks through for what has no index; the next page goes on from there. */
const searchedMax = 10_000;

const columns = `id, account_id as "accountId", api_key_id as "apiKeyId", mode, type, ${shownStatus} as status, recipient,
  to_user_id as "toUserId", ${contactOf('m')} as "contactId", reference, resent_from as "resentFrom", sent_as as "sentAs", fallback_for as "fallbackFor", campaign_id as "campaignId", platform_message_id as "platformMessageId",
  held, pricing,
  case when status = 'failed' then error end as failure, created_at as "createdAt",
  send_at as "sendAt", queued_at as "queuedAt", expires_at as "expiresAt",
  sent_at as "sentAt", delivered_at as "deliveredAt", read_at as "readAt", failed_at as "failedAt"`;

/**
 * An id has the time of the API's clock, `created_at` that of PostgreSQL's. A condition on the id narrows
 * the search to about the right rows and skips whole months.
 */
const clocksApartMaxMs = hourMs;

/** @param time up to the year 9999; an id has room for more. */
function idAround(time: Date | undefined, offsetMs: number): string | undefined {
  return time && firstIdAt(Math.max(0, time.getTime() + offsetMs));
}

/** Reads of messages. Every read for a caller carries its account and mode. */
@Injectable()
export class MessageReads {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The present state of messages, for waiting callers; unknown ids are left out. If a fallback took the place of a
   * message, its state is returned instead.
   */
  outcomes(ids: readonly string[]): Promise<(MessageOutcome & { askedId: string })[]> {
    return this.dataSource.query(
      `select m.id as "askedId", s.id, coalesce(s.receipt, s.status) as status,
         case when s.status = 'failed' then s.error end as failure, s.sent_as as "sentAs",
         s.fallback_for as replaced, s.platform_message_id as "platformMessageId", s.held as "isHeld"
       from messages m join messages s on s.id = coalesce(m.fallback_message_id, m.id)
       where m.id = any ($1::uuid[])
       union all
       select id, id, 'scheduled', null, sent_as, null, null, false from scheduled_messages
       where id = any ($1::uuid[]) and not withdrawn`,
      [ids],
    );
  }

  /** How far a message is that is not concluded; null where it is not there. */
  async progress(id: string): Promise<MessageProgress | null> {
    const [row]: MessageProgress[] = await this.dataSource.query(
      `select coalesce(receipt, status) as status,
         (extract(epoch from clock_timestamp() - sending_at) * 1000)::float8 as "sendingForMs",
         (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as "expiresInMs"
       from messages where id = $1`,
      [id],
    );
    return row ?? null;
  }

  async findMessage(id: string, scope: MessageScope): Promise<MessageRecord | null> {
    const [record]: MessageRecord[] = await this.dataSource.query(
      `select ${columns} from ${allMessages} m
       where id = $1 and ($2::uuid is null or account_id = $2) and ($3::text is null or mode = $3)`,
      [id, scope.accountId, scope.mode],
    );
    return record ?? null;
  }

  /** What became of a message until now. */
  async history(id: string): Promise<MessageHistory> {
    const [row]: HistoryRow[] = await this.dataSource.query(
      `select ${historyColumns} from messages where id = $1`,
      [id],
    );
    return row
      ? { timeline: timelineOf(row), attempts: attemptsOf(row) }
      : { timeline: [], attempts: [] };
  }

  /** The message that a message was sent again as, the newest where there are several; one that was withdrawn is none. */
  async resentAs(id: string): Promise<string | null> {
    const [row]: { id: string }[] = await this.dataSource.query(
      `select id from messages
       where resent_from = $1 and not (status = 'failed' and coalesce(error->>'reason', '') = 'withdrawn')
       order by id desc limit 1`,
      [id],
    );
    return row?.id ?? null;
  }

  /** Whether a message was accepted in the present history of the database, which has then forgotten nothing of it. */
  async isOfPresentHistory(id: string): Promise<boolean> {
    const [row]: { is_present: boolean }[] = await this.dataSource.query(
      `select ${isInPresentHistorySql('created_at')} as is_present from messages where id = $1`,
      [id],
    );
    return row?.is_present ?? false;
  }

  /** How many messages of a number wait for their first try, counted up to `max`. */
  async waiting(
    { accountId, mode }: Pick<MessageRecord, 'accountId' | 'mode'>,
    max: number,
  ): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      `select count(*)::int as count from (
         select from messages where status = 'queued' and account_id = $1 and mode = $2 limit $3) m`,
      [accountId, mode, max],
    );
    return row?.count ?? 0;
  }

  /** The beginning of each message's text, and the payload sent for it. */
  contents(ids: readonly string[]): Promise<MessageContent[]> {
    return this.dataSource.query(
      `select id, case when address is null then payload
         else (payload::jsonb || jsonb_build_object('recipient', address))::json end as payload, left(coalesce(payload->'interactive'->'body'->>'text',
         payload->'text'->>'body', payload->(payload->>'type')->>'caption',
         payload->'template'->>'name', payload->'location'->>'name', payload->'reaction'->>'emoji',
         payload->'contacts'->0->'name'->>'formatted_name', ''), 160) as text
       from ${allMessages} m where id = any ($1::uuid[])`,
      [ids],
    );
  }

  /**
   * Newest first. Pages go by id alone: times have fewer digits here than in PostgreSQL.
   * @returns fewer records than there are where the search ends before them; `horizon` is the last id that it looked at.
   */
  async list(
    scope: MessageScope,
    filter: MessageFilter,
  ): Promise<{ records: MessageRecord[]; horizon: string | null }> {
    const { windowSql, place, search, parameters, limit } = whereOf(scope, filter);
    const records: MessageRecord[] = await this.dataSource.query(
      `select ${columns} from ${windowSql} m where ${search} order by id desc limit ${limit}`,
      parameters,
    );
    if (place === null || records.length === filter.limit) return { records, horizon: null };
    const [last]: { id: string }[] = await this.dataSource.query(
      `${place.sql} offset ${searchedMax - 1} limit 1`,
      place.parameters,
    );
    if (!last) return { records, horizon: null };
    // Messages that came between the two statements moved the end: the next page has what is behind it.
    return { records: records.filter(({ id }) => id >= last.id), horizon: last.id };
  }

  /** How many there are, up to the limit, and whether a search ended before all were seen. */
  async count(
    scope: MessageScope,
    filter: MessageFilter,
  ): Promise<{ count: number; isCut: boolean }> {
    const { windowSql, place, search, parameters, limit } = whereOf(scope, filter);
    const found = place === null ? `${search} order by id desc limit ${limit}` : 'true';
    const [row]: { count: number; seen: number }[] = await this.dataSource.query(
      `select count(*) filter (where ${search})::int as count, count(*)::int as seen
       from (select * from ${windowSql} m where ${found}) m where ${limit}::int > 0`,
      parameters,
    );
    return { count: row?.count ?? 0, isCut: place !== null && row?.seen === searchedMax };
  }
}

/**
 * Where a list looks, and for what. Indexes answer where. What has no index is a search, which looks through so many
 * messages, and stops as soon as it has found enough.
 */
function whereOf(scope: MessageScope, filter: MessageFilter) {
  const parameters: unknown[] = [];
  const conditionsOf = (given: readonly (readonly [condition: string, value: unknown])[]) =>
    given.flatMap(([condition, value]) => {
      if (value === undefined || value === null) return [];
      parameters.push(value);
      return [condition.replaceAll('?', `$${parameters.length}`)];
    });
  const { statuses } = filter;
  const isIndexed = statuses?.every((status) => indexedStatuses.includes(status)) ?? false;
  const hasRecipient = filter.recipient !== undefined;
  const own = conditionsOf([
    ['account_id = ?', scope.accountId],
    ['mode = ?', hasRecipient ? scope.mode : null],
  ]);
  const known = { where: own.map((condition) => `${condition} and`).join(' ') };
  const conditions = conditionsOf([
    ['status = any (?::text[])', isIndexed ? statuses : undefined],
    ['status = ?', filter.errorCode === undefined ? undefined : 'failed'],
    ['id = any (?::uuid[])', filter.match?.ids],
    ['reference = ?', filter.reference],
    [`recipient = any (${formsOf(known, '?::text')})`, filter.recipient],
    ['to_user_id = ?', filter.toUserId],
    ['created_at >= ?', filter.createdAfter],
    ['created_at < ?', filter.createdBefore],
    ['id >= ?', idAround(filter.createdAfter, -clocksApartMaxMs)],
    ['id < ?', idAround(filter.createdBefore, clocksApartMaxMs)],
    ['id < ?', filter.beforeId],
  ]);
  const placeParameters = [...parameters];
  const search = conditionsOf([
    ['mode = ?', hasRecipient ? null : scope.mode],
    ['api_key_id = ?', filter.apiKeyId],
    ['type = ?', filter.type],
    [`${shownStatus} = any (?::text[])`, isIndexed ? undefined : statuses],
    [`error->'platformCode' = to_jsonb(?::int)`, filter.errorCode],
  ]);
  if (filter.match?.ids === null) {
    const { recipients, toUserId, referenceStart } = filter.match;
    const matching = conditionsOf([
      ['recipient = any (?::text[])', recipients],
      ['to_user_id = ?', toUserId],
      ['starts_with(reference, ?)', referenceStart],
    ]);
    search.push(`(${matching.join(' or ')})`);
  }
  const table = messagesIn(statuses);
  const placed = `${table} m where ${['true', ...own, ...conditions].join(' and ')}`;
  const [limit] = conditionsOf([['?', filter.limit]]);
  if (search.length === 0) {
    return {
      windowSql: `(select * from ${placed})`,
      place: null,
      search: 'true',
      parameters,
      limit,
    };
  }
  const newest = `from ${placed} order by id desc`;
  return {
    windowSql: `(select * ${newest} limit ${searchedMax})`,
    place: { sql: `select id ${newest}`, parameters: placeParameters },
    search: search.join(' and '),
    parameters,
    limit,
  };
}
