import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Row } from '../database/statements/statement.js';
import * as sql from './event-feed.statements.js';

/** Where reading a feed goes on: after the event with this id, of this transaction. */
export interface FeedPosition {
  /** Digits: a transaction id of PostgreSQL with its epoch. */
  readonly xid: string;
  readonly id: string;
}

/** Before the first event of any feed. */
export const feedStart: FeedPosition = { xid: '0', id: '00000000-0000-0000-0000-000000000000' };

/** An event of a feed. */
export type FeedEvent = Readonly<Row<typeof sql.readFeed>>;

/** What a feed is read for. */
export interface FeedRead {
  readonly apiKeyId: string;
  readonly after: FeedPosition;
}

/** How many pages are read for those of some types. */
const pagesMax = 20;

/** The events of keys, in an order in which none is added behind a reader. */
@Injectable()
export class EventFeed {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The next events of a feed, in its order, and where to go on. No event will be inserted before that place, also after a crash.
   * @param wants which types of events to return.
   */
  async read(
    { apiKeyId, after }: FeedRead,
    wants: (type: string) => boolean,
    limit: number,
  ): Promise<{ events: FeedEvent[]; next: FeedPosition }> {
    const events: FeedEvent[] = [];
    let next = after;
    for (let pages = 0; pages < pagesMax && events.length < limit; pages += 1) {
      const page = await this.page(apiKeyId, next, limit);
      for (const event of page) {
        if (events.length === limit) break;
        next = { xid: event.xid, id: event.id };
        if (wants(event.type)) events.push(event);
      }
      if (page.length < limit) break;
    }
    if (next !== after) await sql.keepTransactionIds.run(this.dataSource);
    return { events, next };
  }

  /** Which of the feeds have something to read, by their index. */
  async find(reads: readonly FeedRead[]): Promise<number[]> {
    const rows = await sql.findReadableFeeds.rows(this.dataSource, {
      apiKeyIds: reads.map(({ apiKeyId }) => apiKeyId),
      xids: reads.map(({ after }) => after.xid),
      ids: reads.map(({ after }) => after.id),
    });
    return rows.map(({ index }) => Number(index) - 1);
  }

  private async page(apiKeyId: string, after: FeedPosition, limit: number): Promise<FeedEvent[]> {
    const read = ({ xid, id }: FeedPosition, idAfter: string): Promise<FeedEvent[]> =>
      sql.readFeed.rows(this.dataSource, { apiKeyId, xid, id, idAfter, limit });
    const found = await read(after, feedStart.id);
    if (found.length > 0) return found;
    const state = await sql.compareFeed.row(this.dataSource, { apiKeyId, xid: after.xid });
    if (state?.hasRestored) await sql.adoptFeedEvents.run(this.dataSource, { apiKeyId });
    // The reader knows the database of which this one is a copy: it goes on by the id alone.
    return state?.isAhead ? read(feedStart, after.id) : [];
  }
}

/** Forgets the events of a feed. */
export async function emptyFeed(manager: EntityManager, apiKeyId: string): Promise<void> {
  await sql.emptyFeed.run(manager, { apiKeyId });
}
