import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { dayMs, hourMs } from '#libs/durations';
import { ContactWindows } from '../../src/contacts/contact-windows.js';
import { newId } from '../../src/database/ids.js';
import { ApiPresence } from '../../src/notifications/api-presence.js';
import {
  forgetHeard,
  type Heard,
  LastNotifications,
} from '../../src/notifications/last-notifications.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

const phone = '+14155550123';
const { accountId } = installation;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

describe('the window of a contact', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let windows: ContactWindows;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      providers: [ContactWindows, LastNotifications, ApiPresence],
    });
    windows = process.get(ContactWindows);
  });

  afterAll(async () => {
    await process?.close();
    await database?.drop();
  });

  const find = (mode: 'live' | 'test' = 'live') =>
    windows.findWindow({ accountId, mode }, { phone, userId: null });
  const state = async () => (await find()).state;

  async function wrote(hours: number): Promise<void> {
    await database.sql(
      `insert into contacts (id, account_id, mode, phone, user_id, last_inbound_at)
       values ($1, $2, 'live', $3, 'US.1', $4)`,
      [newId(), accountId, phone, hoursAgo(hours)],
    );
  }

  /** A process of its own notes it, so that none has noted it in the last minute. */
  async function hear(change: Partial<Heard>): Promise<void> {
    const other = await openModule({ databaseUrl: database.url, providers: [LastNotifications] });
    other.get(LastNotifications).note([{ accountId, mode: 'live', at: new Date(), ...change }]);
    await until(async () => {
      const [row] = await database.sql(
        `select 1 from account_notifications where since is not null and history = database_history()`,
      );
      return row;
    });
    await other.close();
  }

  beforeEach(async () => {
    await database.empty('contacts, account_notifications, platform_notifications cascade');
    await database.sql('update api_presence set seen_at = now(), returned_at = null');
  });

  it('is open for 24 hours after they wrote', async () => {
    await wrote(23.9);
    expect(await find()).toMatchObject({ state: 'open' });
    const { expiresAt, lastInboundAt } = await find();
    expect(Number(expiresAt) - Number(lastInboundAt)).toBe(dayMs);
  });

  it('is closed after that, for an account that has heard everything for a day', async () => {
    await hear({ at: hoursAgo(25) });
    await wrote(24.1);
    expect(await state()).toBe('closed');
  });

  it('is closed where they never wrote, for such an account', async () => {
    await hear({ at: hoursAgo(25) });
    expect(await find()).toEqual({ state: 'closed', expiresAt: null, lastInboundAt: null });
  });

  it('is found by a user id as well', async () => {
    await wrote(1);
    const found = await windows.findWindow(
      { accountId, mode: 'live' },
      { phone: null, userId: 'US.1' },
    );
    expect(found.state).toBe('open');
  });

  it('is unknown before the account has heard for a day, by the platform’s time', async () => {
    expect(await state()).toBe('unknown');
    await hear({ at: hoursAgo(23.9) });
    expect(await state()).toBe('unknown');
  });

  it('is each mode’s own, where what is heard is for both', async () => {
    await hear({ at: hoursAgo(25), mode: 'live' });
    expect((await find('test')).state).toBe('unknown');
    await hear({ at: hoursAgo(25), mode: null });
    await until(async () => (await find('test')).state === 'closed');
  });

  it('counts from the first thing heard, not the last', async () => {
    await hear({ at: hoursAgo(25) });
    await database.sql(`update account_notifications set last_at = now() - interval '1 hour'`);
    await hear({ at: new Date() });
    await until(async () => {
      const [row] = await database.sql(
        `select 1 from account_notifications where last_at > now() - interval '1 minute'`,
      );
      return row;
    });
    expect(await state()).toBe('closed');
  });

  it('is unknown while notifications are late, whatever else is known', async () => {
    await hear({ at: hoursAgo(25) });
    const late = (seconds: number, accountIds: string[] | null) =>
      database.sql(
        `insert into platform_notifications (id, account_ids, body, received_at)
         values ($1, $2, '', now() - make_interval(secs => $3))`,
        [newId(), accountIds, seconds],
      );
    await late(0, null);
    await late(70, [newId()]);
    expect(await state()).toBe('closed');
    await late(70, [accountId]);
    expect(await state()).toBe('unknown');
    await database.sql('update platform_notifications set next_attempt_at = null');
    expect(await state()).toBe('closed');
    await late(70, null);
    await wrote(1);
    expect(await state()).toBe('open');
  });

  it('is unknown for an hour after no API was there for five minutes', async () => {
    await hear({ at: hoursAgo(25) });
    const comeBack = () => process.get(ApiPresence).onApplicationBootstrap();
    const away = (minutes: number) =>
      database.sql('update api_presence set seen_at = now() - make_interval(mins => $1)', [
        minutes,
      ]);
    await away(4);
    await comeBack();
    expect(await state()).toBe('closed');
    await away(6);
    await comeBack();
    expect(await state()).toBe('unknown');
    await database.sql(`update api_presence set returned_at = now() - interval '61 minutes'`);
    await comeBack();
    expect(await state()).toBe('closed');
  });

  it('takes the first start of an installation for no absence', async () => {
    await hear({ at: hoursAgo(25) });
    await database.sql('delete from api_presence');
    await process.get(ApiPresence).onApplicationBootstrap();
    expect(await state()).toBe('closed');
  });

  it('is unknown anew after a restore, and after a failed check of the subscription', async () => {
    await hear({ at: hoursAgo(25) });
    await database.sql(`update account_notifications set history = 'another'`);
    expect(await state()).toBe('unknown');
    await hear({ at: hoursAgo(1) });
    expect(await state()).toBe('unknown');
    await database.sql(`update account_notifications set since = now() - interval '25 hours'`);
    expect(await state()).toBe('closed');
    await forgetHeard(process.get(DataSource), accountId);
    expect(await state()).toBe('unknown');
  });
});
