import type { TestingModule } from '@nestjs/testing';
import { PeriodicWorkModule } from '../../src/database/periodic-work.module.js';
import { UnconfirmedWatch } from '../../src/sending/unconfirmed-watch.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { insertMessage } from '../support/messages.js';
import { openModule } from '../support/module.js';

describe('the alert of unconfirmed messages', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let watch: UnconfirmedWatch;

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      imports: [PeriodicWorkModule],
      providers: [UnconfirmedWatch],
    });
    watch = process.get(UnconfirmedWatch);
  });

  afterEach(async () => {
    await process.close();
    await database.drop();
  });

  async function add(count: number, createdIn = -400): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      await insertMessage(database, { status: 'unconfirmed', attempt: 1, createdIn });
    }
  }

  const alerts = () =>
    database.sql(
      `select account_id, message, details->'count' as count, resolved_at is null as "isOpen"
       from alerts where kind = 'unconfirmed_messages' order by id`,
    );

  it('comes with ten that WhatsApp has not reported for five minutes', async () => {
    await add(9);
    await add(20, -200);
    await watch.look();
    expect(await alerts()).toEqual([]);
    await add(1);
    await watch.look();
    expect(await alerts()).toMatchObject([
      {
        account_id: installation.accountId,
        message: expect.stringMatching(/^10 messages have been unconfirmed/),
        count: 10,
        isOpen: true,
      },
    ]);
  });

  it('stays one alert, with a current count', async () => {
    await add(10);
    await watch.look();
    await add(7);
    await watch.look();
    expect(await alerts()).toMatchObject([
      { message: expect.stringMatching(/^17 messages/), count: 17, isOpen: true },
    ]);
  });

  it('is resolved when WhatsApp has reported', async () => {
    await add(12);
    await watch.look();
    await database.sql(`update messages set status = 'sent'`);
    await watch.look();
    expect(await alerts()).toMatchObject([{ isOpen: false }]);
    await database.sql(`update messages set status = 'unconfirmed'`);
    await watch.look();
    expect(await alerts()).toMatchObject([{ isOpen: false }, { count: 12, isOpen: true }]);
  });

  it('does not count what was sent again', async () => {
    await add(12);
    await database.sql(
      `update messages set resent_from = (select min(id::text)::uuid from messages)
       where id <> (select min(id::text)::uuid from messages)`,
    );
    await database.sql(`update messages set status = 'failed', error = '{"reason": "withdrawn"}'
       where resent_from is not null`);
    await add(9);
    await watch.look();
    expect(await alerts()).toMatchObject([{ count: 10, isOpen: true }]);
    await database.sql(`update messages set error = '{}' where status = 'failed'`);
    await watch.look();
    expect(await alerts()).toMatchObject([{ isOpen: false }]);
  });

  it('that was resolved by hand comes again with ten more', async () => {
    await add(10);
    await watch.look();
    await database.sql('update alerts set resolved_at = now()');
    await add(9);
    await watch.look();
    expect(await alerts()).toHaveLength(1);
    await add(1);
    await watch.look();
    expect(await alerts()).toMatchObject([{ isOpen: false }, { count: 20, isOpen: true }]);
  });
});
