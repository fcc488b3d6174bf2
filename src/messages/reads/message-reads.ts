import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { idAround } from '../../database/ids.js';
import type { Row } from '../../database/statements/statement.js';
import type { MessageOutcome, MessageType } from '../message.js';
import {
  type AttemptRecord,
  attemptsOf,
  type TimelineRecord,
  timelineOf,
} from '../rows/message-history.js';
import type { MessageStatus } from '../rows/message-status.js';
import type { TextMatch } from './message-matches.js';
import * as sql from './message-reads.statements.js';
import { findRetryOfMessage } from './message-retries.statements.js';

export type { MessageContent, MessageRecord } from './message-reads.statements.js';

/** How far a message is. */
export type MessageProgress = Row<typeof sql.findProgress>;

/** What became of a message. */
export interface MessageHistory {
  /** The statuses that it entered, oldest first, without its acceptance. */
  timeline: TimelineRecord[];
  /** The calls to the platform that ended, in order. */
  attempts: AttemptRecord[];
  /** When it is tried again; null where it does not wait for that. */
  nextAttemptAt: Date | null;
}

/** Restricts messages to those that the reader may see; null means no restriction, for the dashboard only. */
export type MessageScope = Pick<Caller, 'accountId' | 'mode'>;

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
  readonly isResent?: boolean;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  /** Messages older than this id, exclusive. */
  readonly beforeId?: string;
  readonly limit: number;
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
    return sql.findOutcomes.rows(this.dataSource, { ids });
  }

  /** How far a message is that is not concluded; null where it is not there. */
  progress(id: string): Promise<MessageProgress | null> {
    return sql.findProgress.row(this.dataSource, { id });
  }

  findMessage(id: string, { accountId, mode }: MessageScope): Promise<sql.MessageRecord | null> {
    return sql.findMessage.row(this.dataSource, { id, accountId, mode });
  }

  /** What became of a message until now. */
  async history(id: string): Promise<MessageHistory> {
    const row = await sql.findHistory.row(this.dataSource, { id });
    return row
      ? { timeline: timelineOf(row), attempts: attemptsOf(row), nextAttemptAt: row.next_attempt_at }
      : { timeline: [], attempts: [], nextAttemptAt: null };
  }

  /** The message that a message was sent again as, the newest where there are several; one that was withdrawn is none. */
  resentAs(id: string): Promise<Row<typeof sql.findResent> | null> {
    return sql.findResent.row(this.dataSource, { id });
  }

  /** The campaign that has tried the recipient of a campaign's message again, and has reached them or will. */
  retryOf(id: string): Promise<Row<typeof findRetryOfMessage> | null> {
    return findRetryOfMessage.row(this.dataSource, { id });
  }

  /** Whether a message was accepted in the present history of the database, which has then forgotten nothing of it. */
  async isOfPresentHistory(id: string): Promise<boolean> {
    const row = await sql.isOfPresentHistory.row(this.dataSource, { id });
    return row?.isPresent ?? false;
  }

  /** How many messages of a number wait for their first try, counted up to `max`. */
  async waiting(
    { accountId, mode }: Pick<sql.MessageRecord, 'accountId' | 'mode'>,
    max: number,
  ): Promise<number> {
    const row = await sql.countWaiting.row(this.dataSource, { accountId, mode, max });
    return row?.count ?? 0;
  }

  /** The beginning of each message's text, and the payload sent for it. */
  contents(ids: readonly string[]): Promise<sql.MessageContent[]> {
    return sql.findContents.rows(this.dataSource, { ids });
  }

  /** The names of the campaigns that released messages, by id. */
  async campaignNames(records: readonly sql.MessageRecord[]): Promise<Map<string, string>> {
    const ids = [...new Set(records.flatMap(({ campaignId }) => campaignId ?? []))];
    const rows = ids.length === 0 ? [] : await sql.findCampaignNames.rows(this.dataSource, { ids });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** What the recipients are called who are contacts with a name; by the id of the contact. */
  async contactNames(records: readonly sql.MessageRecord[]): Promise<Map<string, string>> {
    const ids = [...new Set(records.flatMap(({ contactId }) => contactId ?? []))];
    const rows = ids.length === 0 ? [] : await sql.findContactNames.rows(this.dataSource, { ids });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /**
   * Newest first. Pages go by id alone: times have fewer digits here than in PostgreSQL.
   * @returns fewer records than there are where the search ends before them; `horizon` is the last id that it looked at.
   */
  async list(
    scope: MessageScope,
    filter: MessageFilter,
  ): Promise<{ records: sql.MessageRecord[]; horizon: string | null }> {
    const place = placeOf(scope, filter);
    const records = await sql.listMessages.of(place).rows(this.dataSource, place);
    if (!sql.isSearch(place) || records.length === filter.limit) return { records, horizon: null };
    const last = await sql.findHorizonOfMessages.of(place).row(this.dataSource, place);
    if (!last) return { records, horizon: null };
    // Messages that came between the two statements moved the end: the next page has what is behind it.
    return { records: records.filter(({ id }) => id >= last.id), horizon: last.id };
  }

  /** How many there are, up to the limit, and whether a search ended before all were seen. */
  async count(
    scope: MessageScope,
    filter: MessageFilter,
  ): Promise<{ count: number; isCut: boolean }> {
    const place = placeOf(scope, filter);
    const row = await sql.countMessages.of(place).row(this.dataSource, place);
    return row ?? { count: 0, isCut: false };
  }
}

function placeOf({ accountId, mode }: MessageScope, filter: MessageFilter): sql.MessagePlace {
  const { match, createdAfter, createdBefore, ...rest } = filter;
  return {
    ...rest,
    accountId,
    mode,
    createdAfter,
    createdBefore,
    firstId: createdAfter && idAround(createdAfter, -1),
    endId: createdBefore && idAround(createdBefore, 1),
    ...(match?.ids && { matchIds: match.ids }),
    ...(match?.ids === null && {
      matchRecipients: match.recipients,
      matchUserId: match.toUserId,
      matchStart: match.referenceStart,
    }),
  };
}
