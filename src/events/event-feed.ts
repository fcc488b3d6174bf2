import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Where reading a feed goes on: after the event with this id, of this transaction. */
export interface FeedPosition {
  /** Digits: a transaction id of PostgreSQL with its epoch. */
  readonly xid: string;
  readonly id: string;
}

/** Before the first event of any feed. */
export const feedStart: FeedPosition = { xid: '0', id: '00000000-0000-0000-0000-000000000000' };

/** An event of a feed. */
export interface FeedEvent extends FeedPosition {
  readonly type: string;
  readonly body: string;
}

/** What a feed is read for. */
export interface FeedRead {
  readonly apiKeyId: string;
  readonly after: FeedPosition;
}

/*
 * An id is made before its transaction commits, so a later commit may bring a lower one. Every transaction below
 * the snapshot's xmin has ended: what is not there now never comes. The order names the table: by itself, xid would be
 * the text that is returned.
 */
const readSql = `
  select f.xid::text, f.id, f.type, f.body from feed_events f
  where f.api_key_id = $1 and (f.xid, f.id) > ($2::xid8, $3::uuid)
    and f.xid < pg_snapshot_xmin(pg_current_snapshot()) and f.id > $4
  order by f.xid, f.id limit $5`;

/** How many pages are read for those of some types. */
const pagesMax = 20;

const findSql = `
  select t.n as index from unnest($1::uuid[], $2::xid8[], $3::uuid[])
    with ordinality as t (api_key_id, xid, id, n)
  where exists (select from feed_events f
    where f.api_key_id = t.api_key_id and (f.xid, f.id) > (t.xid, t.id)
      and f.xid < pg_snapshot_xmin(pg_current_snapshot()))`;

/*
 * After a crash PostgreSQL gives the ids of transactions again that it has not written to the disk. Once
 * this id is on the disk, all later ids are above those that were read before it.
 */
const keepIdsSql = `
  select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'parley', 'feed')`;

/* A restored database counts transactions from the start: events that are ahead of it get the present one. */
const adoptSql = `
  update feed_events set xid = pg_current_xact_id()
  where api_key_id = $1 and xid >= pg_snapshot_xmax(pg_current_snapshot())`;

const aheadSql = `
  select $2::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) as "isAhead", exists (
    select from feed_events where api_key_id = $1 and xid >= pg_snapshot_xmax(pg_current_snapshot())
  ) as "hasRestored"`;

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
    if (next !== after) await this.dataSource.query(keepIdsSql);
    return { events, next };
  }

  /** Which of the feeds have something to read, by their index. */
  async find(reads: readonly FeedRead[]): Promise<number[]> {
    const rows: { index: string }[] = await this.dataSource.query(findSql, [
      reads.map(({ apiKeyId }) => apiKeyId),
      reads.map(({ after }) => after.xid),
      reads.map(({ after }) => after.id),
    ]);
    return rows.map(({ index }) => Number(index) - 1);
  }

  private async page(apiKeyId: string, after: FeedPosition, limit: number): Promise<FeedEvent[]> {
    const read = (from: FeedPosition, idAfter: string): Promise<FeedEvent[]> =>
      this.dataSource.query(readSql, [apiKeyId, from.xid, from.id, idAfter, limit]);
    const found = await read(after, feedStart.id);
    if (found.length > 0) return found;
    const [state]: { isAhead: boolean; hasRestored: boolean }[] = await this.dataSource.query(
      aheadSql,
      [apiKeyId, after.xid],
    );
    if (state?.hasRestored) await this.dataSource.query(adoptSql, [apiKeyId]);
    // The reader knows the database of which this one is a copy: it goes on by the id alone.
    return state?.isAhead ? read(feedStart, after.id) : [];
  }
}

/** Forgets the events of a feed. */
export async function emptyFeed(manager: EntityManager, apiKeyId: string): Promise<void> {
  await manager.query('delete from feed_events where api_key_id = $1', [apiKeyId]);
}
