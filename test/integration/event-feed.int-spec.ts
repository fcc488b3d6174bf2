import type { TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { newId } from '../../src/database/ids.js';
import { FeedWaiting } from '../../src/deliveries/feed/feed-waiting.js';
import { EventFeed, type FeedPosition, feedStart } from '../../src/events/event-feed.js';
import { TestDatabase } from '../support/database.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

describe('the feed of a key', () => {
  let database: TestDatabase;
  let module: TestingModule;
  let feed: EventFeed;
  let apiKeyId: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    module = await openModule({ databaseUrl: database.url, providers: [EventFeed, FeedWaiting] });
    feed = module.get(EventFeed);
  });

  beforeEach(() => {
    apiKeyId = newId();
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });

  afterAll(async () => {
    await module?.close();
    await database.drop();
  });

  const insert = `insert into feed_events (id, api_key_id, type, body) values ($1, $2, $3, '{}')`;
  const add = async (id = newId(), type = 'message.status') => {
    await database.sql(insert, [id, apiKeyId, type]);
    return id;
  };
  /** Adds an event and does not commit. */
  const addSlowly = async (id = newId()) => {
    const client = new Client({ connectionString: database.url });
    clients.push(client);
    await client.connect();
    await client.query('begin');
    await client.query(insert, [id, apiKeyId, 'message.status']);
    return { id, commit: () => client.query('commit') };
  };
  const read = async (
    after: FeedPosition = feedStart,
    types: readonly string[] | null = null,
    limit = 100,
  ) => {
    const { events, next } = await feed.read(
      { apiKeyId, after },
      (type) => types?.includes(type) ?? true,
      limit,
    );
    return { ids: events.map(({ id }) => id), next };
  };

  /** Reads until there are so many: an open transaction of any database of the server holds feeds back. */
  const readUntil = (count: number, ...from: Parameters<typeof read>) =>
    until(async () => {
      const page = await read(...from);
      return page.ids.length === count && page;
    });

  it('is empty at first, and leaves the reader where it is', async () => {
    expect(await read()).toEqual({ ids: [], next: feedStart });
  });

  it('has the events of its key in the order of their transactions', async () => {
    const later = newId();
    const earlier = newId();
    await add(earlier);
    await add(later);
    await database.sql(insert, [newId(), newId(), 'message.status']);
    expect((await readUntil(2)).ids).toEqual([earlier, later]);
  });

  it('counts transactions as numbers: the hundredth comes after the ninety-ninth', async () => {
    const ids: string[] = [];
    for (const xid of ['9', '10', '99', '100', '101']) {
      const id = newId();
      ids.push(id);
      await database.sql(
        `insert into feed_events (xid, id, api_key_id, type, body)
         values ($1::xid8, $2, $3, 'message.status', '{}')`,
        [xid, id, apiKeyId],
      );
    }
    const read1 = [];
    for (let after = feedStart; read1.length < ids.length; ) {
      const { ids: page, next } = await read(after, null, 1);
      if (page.length === 0) break;
      read1.push(...page);
      after = next;
    }
    expect(read1).toEqual(ids);
    expect((await read()).ids).toEqual(ids);
  });

  it('goes on where the reader was', async () => {
    const ids = [await add(), await add(), await add()];
    await readUntil(3);
    const first = await read(feedStart, null, 2);
    expect(first.ids).toEqual(ids.slice(0, 2));
    const second = await read(first.next, null, 2);
    expect(second.ids).toEqual(ids.slice(2));
    expect(await read(second.next)).toEqual({ ids: [], next: second.next });
  });

  it('shows nothing behind a transaction that is still open, so a late commit is not skipped', async () => {
    const before = await add();
    const slow = await addSlowly();
    const after = await add();
    const first = await readUntil(1);
    expect(first.ids).toEqual([before]);
    await slow.commit();
    expect((await readUntil(2, first.next)).ids).toEqual([slow.id, after]);
  });

  it('has an event of a late commit even if its id is lower than one that was read', async () => {
    const low = newId();
    const read1 = await add();
    const first = await readUntil(1);
    expect(first.ids).toEqual([read1]);
    await add(low);
    expect((await readUntil(1, first.next)).ids).toEqual([low]);
  });

  it('finds events of some types however many others lie between', async () => {
    for (let count = 0; count < 7; count += 1) await add();
    const wanted = await add(newId(), 'message.received');
    const found = await readUntil(1, feedStart, ['message.received'], 2);
    expect(found.ids).toEqual([wanted]);
    expect((await read(found.next)).ids).toEqual([]);
  });

  it('keeps the ids of transactions that were read out of use, even if the database crashes', async () => {
    const flushed = async () => {
      const [row] = await database.sql(
        `select (pg_current_wal_flush_lsn() - $1::pg_lsn)::float8 as ahead`,
        [mark],
      );
      return row.ahead;
    };
    // As the worker writes: a commit that does not wait for the disk.
    const client = new Client({ connectionString: database.url });
    clients.push(client);
    await client.connect();
    await client.query('set synchronous_commit = off');
    await client.query(insert, [newId(), apiKeyId, 'message.status']);
    const [{ mark }] = await database.sql('select pg_current_wal_insert_lsn() as mark');
    await readUntil(1);
    expect(await flushed()).toBeGreaterThanOrEqual(0);
  });

  it('goes on in a restored database, where transactions are counted from the start', async () => {
    const [old = '', other = ''] = [newId(), newId()].toSorted((a, b) => (a < b ? -1 : 1));
    const ahead = '9000000000000000000';
    await database.sql(
      `insert into feed_events (xid, id, api_key_id, type, body)
       select $1::xid8, unnest($2::uuid[]), $3, 'message.status', '{}'`,
      [ahead, [old, other], apiKeyId],
    );
    // Its id must be above both: within a millisecond ids have no order.
    const fresh = await add(newId(Date.now() + 1_000));
    // A reader from before the backup: it goes on behind what it has read.
    const page = await readUntil(2, { xid: ahead, id: old });
    expect(new Set(page.ids)).toEqual(new Set([other, fresh]));
    // And one that begins: everything is there, once.
    const all = await readUntil(3);
    expect(new Set(all.ids)).toEqual(new Set([fresh, old, other]));
    expect((await read(all.next)).ids).toEqual([]);
  });

  it('lets only so many readers wait; the others are answered at once, and all when the process stops', async () => {
    const waiting = module.get(FeedWaiting);
    const read1 = { apiKeyId, after: feedStart };
    const waiters = Array.from({ length: 20 }, () => waiting.wait(read1, 600_000));
    expect(await waiting.wait(read1, 600_000)).toBe(false);
    for (let key = 1; key < 100; key += 1) {
      const other = { apiKeyId: newId(), after: feedStart };
      for (let reader = 0; reader < 20; reader += 1) waiters.push(waiting.wait(other, 600_000));
    }
    expect(await waiting.wait({ apiKeyId: newId(), after: feedStart }, 600_000)).toBe(false);
    waiting.beforeApplicationShutdown();
    expect(new Set(await Promise.all(waiters))).toEqual(new Set([true]));
    expect(await waiting.wait(read1, 600_000)).toBe(false);
  });

  it('knows which of many readers have something to read', async () => {
    await add();
    const { next } = await readUntil(1);
    const reads = [
      { apiKeyId: newId(), after: feedStart },
      { apiKeyId, after: next },
    ];
    expect(await feed.find(reads)).toEqual([]);
    await add();
    expect(
      await until(async () => (await feed.find(reads)).length > 0 && feed.find(reads)),
    ).toEqual([1]);
  });
});
