import type { DataSource } from 'typeorm';
import { hourMs } from '#libs/durations';
import type { SignedInUser } from '../../src/access/signed-in-user.js';
import { ContactReads } from '../../src/contacts/contact-reads.js';
import type { ContactSearch } from '../../src/contacts/search/contact-search.js';
import { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import type { DeliveryMatches } from '../../src/deliveries/delivery-matches.js';
import type { EndpointDeliveries } from '../../src/deliveries/endpoint-deliveries.js';
import { MessageMatches } from '../../src/messages/reads/message-matches.js';
import { type MessageFilter, MessageReads } from '../../src/messages/reads/message-reads.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';

const operator = { role: 'operator', accountId: null } as SignedInUser;

/** Ids of the time `at`, as `newId` makes them. */
const idOfTime = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
  || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

/** Two a minute for ten days; one in 10,000 failed. */
const history = `select n, n % 10000 = 77 as is_failed,
  now() - interval '10 days' + n * interval '30 seconds' as at from generate_series(1, 28800) n`;

describe('in a history of 28,800', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pages = 0;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    dataSource = countPages(database, (read) => {
      pages += read;
    });
    const [key] = await database.sql<{ id: string }>('select id from api_keys limit 1');
    const of = [installation.accountId, key?.id];
    await database.sql(
      `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
         status, receipt, attempt, created_at, next_attempt_at, give_up_at)
       select ${idOfTime}, $1, $2, 'live', 'text', '+14155550123', '{"a":1}', false,
         case when is_failed then 'failed' else 'sent' end,
         case when not is_failed then 'delivered' end, 1, at, at, at
       from (${history}) h`,
      of,
    );
    await database.sql(
      `insert into done_events (id, event_id, endpoint_id, account_id, mode, type, body, status,
         attempts, created_at)
       select ${idOfTime}, ${idOfTime}, $2, $1, 'live', 'message.status', '{}',
         case when is_failed then 'failed' else 'succeeded' end, 1, at
       from (${history}) h`,
      of,
    );
    await database.sql('analyze');
  });

  beforeEach(() => {
    pages = 0;
  });

  afterAll(() => database?.drop());

  it('contacts of one account are read in the order in which they wrote', async () => {
    await database.sql(
      `insert into contacts (id, account_id, mode, phone, last_inbound_at, wrote_at)
       select ${idOfTime}, $1, 'live', '+4930' || 1000000 + n, case when not is_failed then at end,
         case when not is_failed then date_bin('1 hour', at, 'epoch') end
       from (${history}) h`,
      [installation.accountId],
    );
    await database.sql('analyze contacts');
    pages = 0;
    const reads = new ContactReads(dataSource);
    const first = await reads.listWriters([installation.accountId], ['live', 'test'], {
      limit: 20,
    });
    const second = await reads.listWriters([installation.accountId], ['live', 'test'], {
      limit: 20,
      after: first.next ?? '',
    });
    const times = [...first.contacts, ...second.contacts].map(({ lastInboundAt }) => lastInboundAt);
    expect(times).toHaveLength(40);
    expect(times).toEqual(times.toSorted((a, b) => Number(b) - Number(a)));
    expect(pages).toBeLessThan(600);
  });

  describe.each([
    { whose: 'one account', accountId: () => installation.accountId, skewed: 5_000 },
    { whose: 'all accounts', accountId: () => null, skewed: 6_000 },
  ])('messages of $whose', ({ accountId, skewed }) => {
    const reads = () => new MessageReads(dataSource);
    const scope = () => ({ accountId: accountId(), mode: null });
    const list = async (filter: object) =>
      (await reads().list(scope(), { ...filter, limit: 20 })).records;

    it('are read only where they failed', async () => {
      expect(await list({ statuses: ['failed'] })).toHaveLength(3);
      expect(pages).toBeLessThan(100);
    });

    it.each([
      { statuses: ['read'] },
      { statuses: ['read', 'failed'] },
      { statuses: ['cancelled'] },
      { type: 'flow' },
      { apiKeyId: '019a3f6e-0000-7000-8000-000000000001' },
    ] satisfies Partial<MessageFilter>[])(
      'are searched part by part for what is rare: %j',
      async (filter: Partial<MessageFilter>) => {
        let [beforeId, asks, found]: [string | undefined, number, number] = [undefined, 0, 0];
        do {
          const part = { ...filter, limit: 20, ...(beforeId && { beforeId }) };
          const { records, horizon } = await reads().list(scope(), part);
          found += records.length;
          beforeId = horizon ?? undefined;
          asks += 1;
        } while (beforeId);
        // Of 28,800, 10,000 at a time.
        expect(asks).toBe(3);
        expect(found).toBe(filter.statuses?.includes('failed') ? 3 : 0);
        const { isCut } = await reads().count(scope(), { ...filter, limit: 20 });
        expect(isCut).toBe(true);
      },
    );

    it('are read no further than a page where they are frequent', async () => {
      expect(await list({ statuses: ['delivered'] })).toHaveLength(20);
      expect(pages).toBeLessThan(100);
    });

    it('are read only in the requested period', async () => {
      const createdBefore = new Date(Date.now() - 9 * 24 * hourMs);
      const createdAfter = new Date(createdBefore.getTime() - hourMs / 12);
      const messages = await list({ createdAfter, createdBefore });
      expect(messages).toHaveLength(10);
      expect(messages.every(({ createdAt }) => createdAt < createdBefore)).toBe(true);
      expect(pages).toBeLessThan(100);
    });

    it('are found by the store’s clock, not by the API’s', async () => {
      const [row] = await database.sql<{ id: string; created_at: Date }>(
        `update messages set created_at = created_at - interval '50 minutes'
         where id = (select id from messages order by id offset $1 limit 1)
         returning id, created_at`,
        [skewed],
      );
      const createdAfter = row?.created_at ?? new Date();
      const createdBefore = new Date(createdAfter.getTime() + 1);
      const messages = await list({ createdAfter, createdBefore });
      expect(messages.map(({ id }) => id)).toContain(row?.id);
    });

    it('may be requested for any year that a caller can write', async () => {
      const [first, last] = [new Date('0000-01-01'), new Date('9999-12-31T23:59:59.999-12:00')];
      expect(await list({ createdAfter: first, createdBefore: last })).toHaveLength(20);
      expect(await list({ createdAfter: last })).toEqual([]);
      expect(await list({ createdBefore: first })).toEqual([]);
    });
  });

  it.each([{}, { account_id: 'installation' }, { key_id: 'installation' }])(
    'deliveries are read only where they failed: %j',
    async (filter: { account_id?: string; key_id?: string }) => {
      const [key] = await database.sql<{ id: string }>('select id from api_keys limit 1');
      const service = new DeliveriesService(
        dataSource,
        {} as EndpointDeliveries,
        {} as DeliveryMatches,
      );
      const { deliveries } = await service.list(operator, {
        ...(filter.account_id && { account_id: installation.accountId }),
        ...(filter.key_id && key && { key_id: key.id }),
        status: 'failed',
        limit: 20,
      });
      expect(deliveries).toHaveLength(3);
      expect(pages).toBeLessThan(100);
    },
  );
});

/** As PostgreSQL's statistics see it, where one of many accounts has half of all messages, and none of those that failed. */
describe('among 300,000 messages of 501 accounts', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pages = 0;
  const owner = `case when n % 2 = 0 then $1::uuid
    else ('018f0000-0000-7000-8000-' || lpad((n / 2 % 500)::text, 12, '0'))::uuid end`;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    dataSource = countPages(database, (read) => {
      pages += read;
    });
    await database.sql(
      `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting, status,
         created_at, next_attempt_at, give_up_at)
       select uuidv7(make_interval(secs => -n)), ${owner}, gen_random_uuid(), 'live', 'text',
         '+1415' || 5000000 + n, '{}', false, case when n % 20 = 7 then 'failed' else 'sent' end, now(), now(), now()
       from generate_series(1, 300000) n`,
      [installation.accountId],
    );
    await database.sql(
      `insert into done_events (id, event_id, endpoint_id, account_id, mode, type, body, status, attempts, created_at)
       select uuidv7(make_interval(secs => -n)), uuidv7(make_interval(secs => -n)), ${owner}, ${owner}, 'live',
         'message.status', '{}', case when n % 20 = 7 then 'failed' else 'succeeded' end, 1, now()
       from generate_series(1, 300000) n`,
      [installation.accountId],
    );
    await database.sql('vacuum (analyze) messages');
    await database.sql('vacuum (analyze) done_events');
  });

  beforeEach(() => {
    pages = 0;
  });

  afterAll(() => database?.drop());

  it('those to a number are looked for among no others', async () => {
    const noContacts = { find: () => Promise.resolve([]) } as unknown as ContactSearch;
    const matches = new MessageMatches(dataSource, noContacts);
    const { ids } = await matches.read('+14155000042', [installation.accountId]);
    expect(ids).toHaveLength(1);
    expect(pages).toBeLessThan(100);
  });

  it('those that failed of an account that has none are not looked for among those of others', async () => {
    const reads = new MessageReads(dataSource);
    const scope = { accountId: installation.accountId, mode: null };
    const filter = { statuses: ['failed'], limit: 20 } as const;
    expect((await reads.list(scope, filter)).records).toEqual([]);
    expect((await reads.count(scope, filter)).count).toBe(0);
    expect(pages).toBeLessThan(100);
  });

  it('nor are the failed deliveries of such an account', async () => {
    const service = new DeliveriesService(
      dataSource,
      {} as EndpointDeliveries,
      {} as DeliveryMatches,
    );
    const filter = { account_id: installation.accountId, status: 'failed', limit: 20 } as const;
    expect((await service.list(operator, filter)).deliveries).toEqual([]);
    expect(pages).toBeLessThan(100);
  });
});

/** Counts the pages that each query reads, by its plan. */
function countPages(database: TestDatabase, add: (pages: number) => void): DataSource {
  const query = async (text: string, values: unknown[]) => {
    const [row] = await database.sql(`explain (analyze, buffers, format json) ${text}`, values);
    const { Plan: plan } = row['QUERY PLAN'][0];
    add(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    return database.sql(text, values);
  };
  return { query } as unknown as DataSource;
}
