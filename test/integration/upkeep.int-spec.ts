import type { TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { dayMs } from '#libs/durations';
import { newId } from '../../src/database/ids.js';
import { PeriodicWorkModule } from '../../src/database/periodic-work.module.js';
import { TestDatabase } from '../support/database.js';
import { insertMessage } from '../support/messages.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

const retentionDays = 30;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

describe('upkeep', () => {
  let database: TestDatabase;
  let module: TestingModule;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
  });

  afterAll(async () => {
    await module?.close();
    await database.drop();
  });

  const start = async () => {
    module ??= await openModule({
      databaseUrl: database.url,
      environment: { RETENTION_DAYS: String(retentionDays) },
      imports: [PeriodicWorkModule],
    });
  };

  const addOpenEvent = async (createdAt: Date) => {
    const id = newId();
    await database.sql(
      `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body, created_at)
       values ($1, $1, $1, $1, 'live', 'webhook.test', '{}', $2)`,
      [id, createdAt],
    );
    return id;
  };

  it('deletes undelivered events, contacts without consents, forms of nobody and late rows that are older than the retention, and no others', async () => {
    const addMessage = (days: number) =>
      insertMessage(database, { id: newId(daysAgo(days).getTime()) });
    const events = [
      await addOpenEvent(daysAgo(retentionDays + 1)),
      await addOpenEvent(daysAgo(retentionDays - 1)),
    ];
    // No partition is made for months that are over: these rows are in the default one.
    const messages = [await addMessage(400), await addMessage(100)];
    const recent = await addMessage(0);
    const contacts = [newId(1e12), newId(2e12), newId(3e12)];
    await database.sql(
      `insert into contacts (id, account_id, mode, phone, active_at)
       select id, id, 'live', '+14155550123', at
       from unnest($1::uuid[], $2::timestamptz[]) as t (id, at)`,
      [contacts, [retentionDays + 1, retentionDays - 1, retentionDays + 1].map(daysAgo)],
    );
    await database.sql(
      `insert into contact_consents (contact_id, scope, state, source, at)
       values ($1, 'marketing', 'opted_out', 'api', now())`,
      [contacts[2]],
    );
    await database.sql(
      `insert into number_forms (account_id, mode, phone, form, learnt_at)
       select t.id, 'live', '+14155550122', '+14155550123', $2
       from unnest($1::uuid[]) as t (id)`,
      [contacts.slice(0, 2), daysAgo(retentionDays + 1)],
    );
    await start();
    const idsIn = async (table: string) =>
      (await database.sql(`select id from ${table} order by id`)).map(({ id }) => id);
    await until(async () => (await idsIn('messages')).length === 1);
    expect(await idsIn('open_events')).toEqual([events[1]]);
    expect(await idsIn('contacts')).toEqual(contacts.slice(1));
    expect(await idsIn('messages')).toEqual([recent]);
    const forms = await database.sql('select account_id from number_forms');
    expect(forms).toEqual([{ account_id: contacts[1] }]);
    expect(messages).not.toContain(recent);
  });

  it('gives up a partition that it has to wait for, so that nobody waits behind it', async () => {
    await start();
    const [part] = await database.sql(
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent = 'messages'::regclass order by inhrelid desc limit 1`,
    );
    await database.sql(`drop table ${part.name}`);
    const reader = new Client(database.url);
    await reader.connect();
    await reader.query('begin');
    await reader.query('select count(*) from messages_other');
    await database.sql(
      `update periodic_work set next_run_at = now(), last_error = null where name = 'partitions'`,
    );
    await until(async () => {
      const [work] = await database.sql(
        `select last_error from periodic_work where name = 'partitions'`,
      );
      return work.last_error?.includes('lock timeout');
    });
    await reader.end();
  });
});
