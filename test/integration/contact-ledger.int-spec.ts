import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { phoneForms } from '#libs/phone-numbers';
import type { Config } from '../../src/config/config.js';
import type { Sighting } from '../../src/contacts/contact.js';
import { ContactLedger } from '../../src/contacts/contact-ledger.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { HotStatements } from '../../src/database/hot-statements.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';

describe('the ledger of contacts', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let statements: HotStatements;
  let ledger: ContactLedger;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    dataSource = new DataSource({
      ...dataSourceOptions(database.url),
      entities: [],
      logging: false,
    });
    await dataSource.initialize();
    statements = new HotStatements(
      { databaseUrl: database.url } as Config,
      pino({ level: 'silent' }),
    );
    ledger = new ContactLedger(statements);
  });

  afterAll(async () => {
    await statements.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  const seen = (change: Partial<Sighting>): Sighting => ({
    accountId: installation.accountId,
    mode: 'live',
    phone: null,
    userId: null,
    parentUserId: null,
    username: null,
    name: null,
    at: new Date(),
    isInbound: true,
    previous: null,
    ...change,
  });

  const learn = (...sightings: Sighting[]) =>
    dataSource.transaction((manager) => ledger.learn(manager, sightings));

  const rows = () =>
    database.sql('select id, phone, user_id, merged_into from contacts order by id');

  beforeEach(() => database.sql('delete from contacts'));

  it('returns the contact of each sighting, and null for one without ids', async () => {
    const { contactIds } = await learn(
      seen({ phone: '+14155550001', userId: 'US.1' }),
      seen({}),
      seen({ userId: 'US.1' }),
      seen({ phone: '+14155550001', mode: 'test' }),
    );
    expect(contactIds[1]).toBeNull();
    expect(contactIds[2]).toBe(contactIds[0]);
    expect(new Set(contactIds)).toEqual(new Set([contactIds[0], null, contactIds[3]]));
    expect(await rows()).toHaveLength(2);
  });

  it('leads from a merged contact to the one that stayed, through further merges', async () => {
    const made = [{ phone: '+14155550001' }, { userId: 'US.2' }, { userId: 'US.3' }];
    const { contactIds } = await learn(...made.map(seen));
    const [kept, ...lost] = contactIds.map(String).toSorted();
    await learn(
      seen({
        userId: 'US.3',
        previous: { phone: null, userId: 'US.2', parentUserId: null },
        isInbound: false,
      }),
    );
    await learn(seen({ phone: '+14155550001', userId: 'US.3' }));
    expect(await rows()).toEqual([
      { id: kept, phone: '+14155550001', user_id: 'US.3', merged_into: null },
      ...lost.map((id) => ({ id, phone: null, user_id: null, merged_into: kept })),
    ]);
    const former = await database.sql('select user_id, contact_id from contact_former_ids');
    expect(former).toEqual([{ user_id: 'US.2', contact_id: kept }]);
  });

  it('moves a number from one contact to another in one step', async () => {
    const { contactIds } = await learn(
      seen({ phone: '+14155550001', userId: 'US.1' }),
      seen({ phone: '+14155550002', userId: 'US.2' }),
    );
    const later = new Date(Date.now() + 1_000);
    await learn(
      seen({ phone: '+14155550002', userId: 'US.1', at: later }),
      seen({ phone: '+14155550001', userId: 'US.2', at: later }),
    );
    const stored = new Map((await rows()).map(({ id, phone, user_id }) => [id, [phone, user_id]]));
    expect(contactIds.map((id) => stored.get(id))).toEqual([
      ['+14155550002', 'US.1'],
      ['+14155550001', 'US.2'],
    ]);
  });

  it('takes two batches with the same users in different orders, 300 times, without a deadlock', async () => {
    const users = Array.from({ length: 8 }, (_, index) =>
      seen({ phone: `+1415555100${index}`, userId: `US.${index}` }),
    );
    for (let round = 0; round < 300; round += 1) {
      if (round % 10 === 0) await database.sql('delete from contacts');
      await Promise.all([learn(...users), learn(...users.toReversed())]);
    }
    expect(await rows()).toHaveLength(users.length);
  });

  it('takes pairs of ids in one statement, unless they change a contact that is known', async () => {
    const pair = seen({ phone: '+14155550001', userId: 'US.1', isInbound: false });
    expect(await ledger.learnPairs([pair])).toEqual([]);
    expect(await ledger.learnPairs([pair])).toEqual([]);
    expect(await rows()).toEqual([
      expect.objectContaining({ phone: '+14155550001', user_id: 'US.1' }),
    ]);
    await learn(seen({ phone: '+14155550002' }), seen({ userId: 'US.3' }));
    await learn(
      seen({ userId: 'US.5', previous: { phone: null, userId: 'US.4', parentUserId: null } }),
    );
    const before = await rows();
    const changing = [
      seen({ phone: '+14155550002', userId: 'US.2' }),
      seen({ phone: '+14155550003', userId: 'US.3' }),
      seen({ phone: '+14155550004', userId: 'US.4' }),
      seen({ phone: '+14155550001', userId: 'US.9' }),
    ];
    expect(new Set(await ledger.learnPairs([...changing, pair]))).toEqual(new Set(changing));
    expect(await rows()).toEqual(before);
  });

  it('keeps the day on which a pair was last named', async () => {
    const pair = seen({ phone: '+14155550001', userId: 'US.1' });
    await ledger.learnPairs([pair]);
    const activeDays = async () => {
      const [row] = await database.sql(
        'select extract(day from now() - active_at)::int as days from contacts',
      );
      return row.days;
    };
    await database.sql(`update contacts set active_at = now() - interval '30 days'`);
    expect(await activeDays()).toBe(30);
    expect(await ledger.learnPairs([pair])).toEqual([]);
    expect(await activeDays()).toBe(0);
  });

  it('keeps the day on which a contact last wrote; whoever writes often changes no index', async () => {
    const active = async () =>
      (
        await database.sql(
          `select extract(epoch from now() - active_at)::int / 3600 as hours from contacts`,
        )
      )[0].hours;
    await learn(seen({ phone: '+14155550001' }));
    for (const [before, after] of [
      [2, 2],
      [25, 0],
    ]) {
      await database.sql(`update contacts set active_at = now() - make_interval(hours => $1)`, [
        before,
      ]);
      await learn(seen({ phone: '+14155550001' }));
      expect(await active()).toBe(after);
    }
    const [before, after] = await dataSource.transaction(async (manager) => {
      const updates = async () =>
        (
          await manager.query(
            `select n_tup_upd::int as rows, n_tup_hot_upd::int as hot
             from pg_stat_xact_user_tables where relname = 'contacts'`,
          )
        )[0];
      const counted = [await updates()];
      await ledger.learn(manager, [seen({ phone: '+14155550001' })]);
      return [...counted, await updates()];
    });
    expect(after).toEqual({ rows: before.rows + 1, hot: before.hot + 1 });
  });

  it('takes pairs while others change the same contacts, 300 times, without an error', async () => {
    const pairs = Array.from({ length: 6 }, (_, index) =>
      seen({ phone: `+1415555200${index}`, userId: `US.2${index}`, isInbound: false }),
    );
    for (let round = 0; round < 300; round += 1) {
      if (round % 10 === 0) await database.sql('delete from contacts');
      const halves = pairs.map((one) =>
        round % 2 === 0 ? { ...one, phone: null } : { ...one, userId: null },
      );
      await Promise.all([
        ledger.learnPairs(pairs).then((changing) => learn(...changing)),
        ledger.learnPairs(pairs.toReversed()).then((changing) => learn(...changing)),
        learn(...halves),
      ]);
    }
    expect(await rows()).toHaveLength(pairs.length);
  });

  it('derives the forms of a number as the database does', async () => {
    const numbers = [
      '+5511987654321',
      '+551187654321',
      '+551132654321',
      '+5511932654321',
      '+14155550123',
      '+5215587654321',
      '+525587654321',
      '+521155876543',
      '+5491187654321',
      '+542966412345',
      '+541287654321',
      '+55119876543210',
    ];
    for (const number of numbers) {
      const [row] = await database.sql('select phone_forms($1) as forms', [number]);
      expect(row.forms).toEqual(phoneForms(number));
    }
  });
});
