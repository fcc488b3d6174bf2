import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import type { SignedInUser } from '../../src/access/signed-in-user.js';
import { ContactSearch } from '../../src/contacts/search/contact-search.js';
import { EventSearch } from '../../src/dashboard/search/event-search.js';
import { ManagedSearch } from '../../src/dashboard/search/managed-search.js';
import { MessageSearch } from '../../src/dashboard/search/message-search.js';
import { RequestSearch } from '../../src/dashboard/search/request-search.js';
import { SearchService } from '../../src/dashboard/search/search.service.js';
import { MessageMatches } from '../../src/messages/reads/message-matches.js';
import { MessageReads } from '../../src/messages/reads/message-reads.js';
import { RequestReads } from '../../src/request-log/request-reads.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';

const operator = { role: 'operator', accountId: null } as SignedInUser;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/** The tables that a plan reads as a whole. */
function scansOf({ 'Node Type': type, 'Relation Name': table, Plans: parts }: PlanNode): string[] {
  const own = type === 'Seq Scan' && table !== undefined ? [table] : [];
  return [...own, ...(parts ?? []).flatMap(scansOf)];
}

describe('a search among 20,000 messages and as many contacts', () => {
  let database: TestDatabase;
  let search: SearchService;
  let large: Set<string>;
  let scans: string[] = [];
  let pages = 0;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    // Looks at the plan of each query before it is run.
    const query = async (text: string, values: unknown[]) => {
      const [row] = await database.sql(`explain (analyze, buffers, format json) ${text}`, values);
      const { Plan: plan } = row['QUERY PLAN'][0];
      scans.push(...scansOf(plan).filter((table) => large.has(table)));
      pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return database.sql(text, values);
    };
    const accounts = await database.sql('select id, name from accounts');
    const dataSource = {
      query,
      getRepository: () => ({ find: async () => accounts }),
    } as unknown as DataSource;
    const reads = new MessageReads(dataSource);
    const contacts = new ContactSearch(dataSource);
    search = new SearchService(
      dataSource,
      contacts,
      new MessageSearch(dataSource, new MessageMatches(dataSource, contacts), reads),
      new EventSearch(dataSource),
      new ManagedSearch(dataSource),
      new RequestSearch(new RequestReads(dataSource)),
    );
    const [key] = await database.sql<{ id: string }>('select id from api_keys limit 1');
    // One recipient has a quarter of the messages, the others have one each.
    await database.sql(
      `insert into messages (id, account_id, api_key_id, mode, type, recipient, reference, payload, waiting,
         status, platform_message_id, created_at, next_attempt_at, give_up_at)
       select new_id(), $1, $2, 'live', 'text',
         case when n % 4 = 0 then '+14155550000' else '+49301' || lpad(n::text, 6, '0') end,
         'order-' || n, '{"a":1}', false, 'sent', 'wamid.' || n, now(), now(), now()
       from generate_series(1, 20000) n`,
      [installation.accountId, key?.id],
    );
    await database.sql(
      `insert into contacts (id, account_id, mode, phone, name, username, user_id)
       select new_id(), $1, 'live', '+49301' || lpad(n::text, 6, '0'), 'Contact ' || n, 'user.' || n, 'DE.' || n
       from generate_series(1, 20000) n`,
      [installation.accountId],
    );
    await database.sql(
      `insert into done_events (id, event_id, endpoint_id, account_id, mode, type, body, status, attempts, created_at)
       select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
         || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid, new_id(), $2, $1, 'live',
         'message.status', '{}', 'succeeded', 1, at
       from (select now() - n * interval '30 seconds' as at from generate_series(1, 20000) n) h`,
      [installation.accountId, key?.id],
    );
    await database.sql('analyze');
    // The partitions of other months are empty.
    const tables = await database.sql<{ relname: string }>(
      'select relname from pg_class where reltuples > 10000',
    );
    large = new Set(tables.map(({ relname }) => relname));
    expect(large).toContain('contacts');
    const [message] = await database.sql(`select id from messages where reference = 'order-7'`);
    const [event] = await database.sql('select id from done_events limit 1');
    Object.assign(ids, { message: message.id, event: event.id });
  });

  afterAll(() => database.drop());

  beforeEach(() => {
    scans = [];
    pages = 0;
  });

  const found = async (q: string) =>
    (await search.search(operator, { q })).results.map(({ kind }) => kind);

  it.each([
    ['the last digits of a number', () => '0123', ['contact', 'message']],
    ['a whole number', () => '+49 301 000123', ['contact', 'message']],
    ['a number without its country code', () => '0301 000123', ['contact', 'message']],
    ['the recipient of a quarter of all messages', () => '+14155550000', ['message']],
    ['a recipient of one message', () => '+49301019999', ['contact', 'message']],
    ['a number that nobody has', () => '+442079460882', []],
    ['a beginning of all numbers', () => '+4930', ['contact', 'message']],
    ['a reference', () => 'order-123', ['message']],
    ['a beginning of all references', () => 'order', ['message']],
    ['a name', () => 'contact 77', ['contact']],
    ['a beginning of all names', () => 'cont', ['page', 'contact']],
    ['a username', () => '@user.77', ['contact']],
    ['a user id', () => 'DE.77', ['contact']],
    ['the id of a message', () => ids.message ?? '', ['message']],
    ['WhatsApp’s id of a message', () => 'wamid.77', ['message']],
    ['the id of a delivery', () => ids.event ?? '', ['event']],
    ['nothing that is there', () => 'xyzzy', []],
  ])('reads no whole table for %s', async (_, q, kinds) => {
    expect([...new Set(await found(q()))]).toEqual(kinds);
    expect(scans).toEqual([]);
    expect(pages).toBeLessThan(3_000);
  });
});

describe('the indexes of the search', () => {
  it('are not taken for one that names a contact, by plans made while the table was empty', async () => {
    const database = await TestDatabase.clone('seeded');
    const client = new Client({ connectionString: database.url });
    await client.connect();
    // As on the connections of the hot path.
    await client.query(
      'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off',
    );
    await client.query(
      `prepare contact (uuid, text, text) as select id from contacts
       where account_id = $1 and mode = $2 and phone = any (phone_forms($3))`,
    );
    const { rows } = await client.query(
      `explain execute contact ('${installation.accountId}', 'live', '+14155550123')`,
    );
    await client.end();
    await database.drop();
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/using contacts_phone on/);
    expect(plan).toMatch(/Index Cond: .*phone = ANY/);
  });
});
