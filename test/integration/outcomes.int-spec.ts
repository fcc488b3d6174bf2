import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { hourMs } from '#libs/durations';
import type { Mode } from '../../src/access/mode.js';
import { newId } from '../../src/database/ids.js';
import { PeriodicWorkModule } from '../../src/database/periodic-work.module.js';
import { OutcomeCounts } from '../../src/outcomes/outcome-counts.js';
import { OutcomeHoursModule } from '../../src/outcomes/outcomes.worker.module.js';
import { countReplies } from '../../src/outcomes/reply-counts.js';
import { TestDatabase } from '../support/database.js';
import { insertMessage } from '../support/messages.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

const account = newId();
const other = newId();

const nothing = {
  accepted: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  concluded: 0,
  replies: 0,
  deliveryTimes: {},
  isComplete: true,
};

describe('the outcomes of messages', () => {
  let database: TestDatabase;
  let module: TestingModule;
  let counts: OutcomeCounts;

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    module = await openModule({ databaseUrl: database.url, providers: [OutcomeCounts] });
    counts = module.get(OutcomeCounts);
  });

  afterEach(async () => {
    await module?.close();
    await database.drop();
  });

  /** A message that was accepted so many hours ago, and delivered so many seconds later, if it was. */
  const add = (
    status: string,
    hoursAgo: number,
    secondsToDelivered?: number,
    accountId = account,
  ) => addAt(Date.now() - hoursAgo * hourMs, status, secondsToDelivered, accountId);
  const addAt = async (
    at: number,
    status: string,
    secondsToDelivered?: number,
    accountId = account,
  ) => {
    const id = await insertMessage(database, { id: newId(at), status, accountId });
    await database.sql(
      `update messages set created_at = $2::timestamptz,
         delivered_at = $2::timestamptz + make_interval(secs => $3) where id = $1`,
      [id, new Date(at), secondsToDelivered ?? null],
    );
    return id;
  };
  const addReplies = (hoursAgo: number, ...replies: number[]) =>
    database.sql(
      `insert into replies_by_minute (account_id, minute, replies)
       select $1, date_trunc('minute', now()) - make_interval(hours => $2, mins => position::int - 1), n
       from unnest($3::int[]) with ordinality as t (n, position)`,
      [account, hoursAgo, replies],
    );
  const since = async (
    hours: number,
    accountId: string | null = account,
    mode: Mode | null = null,
  ) => {
    const scope = { accountId, mode };
    const { fromMs: _, steps: __, ...outcomes } = await counts.since(hours * hourMs, 1, scope);
    return outcomes;
  };

  it('of the last day are counted at once, each message by what it has come to', async () => {
    for (const status of ['queued', 'sending', 'unconfirmed', 'cancelled', 'sent', 'failed']) {
      await add(status, 0.5);
    }
    const takenFirst = await add('failed', 0.5);
    await database.sql('update messages set sent_at = created_at where id = $1', [takenFirst]);
    await add('delivered', 0.5, 0.004);
    await add('delivered', 0.5, 1.234);
    await add('read', 0.5, 75);
    await add('read', 0.5);
    await add('sent', 2);
    await add('sent', 25.5);
    const lastHour = {
      ...nothing,
      accepted: 6,
      delivered: 4,
      read: 2,
      failed: 2,
      concluded: 7,
      deliveryTimes: { 10: 1, 1200: 1, 75000: 1 },
    };
    expect(await since(1)).toEqual(lastHour);
    expect(await since(24)).toEqual({ ...lastHour, accepted: 7, concluded: 8 });
  });

  it('begin with the release of a message that was to be sent later', async () => {
    const id = await add('delivered', 0.5, 600);
    await database.sql(
      `update messages set queued_at = delivered_at - interval '3 seconds' where id = $1`,
      [id],
    );
    expect(await since(1)).toMatchObject({ deliveryTimes: { 3000: 1 } });
  });

  it('are those of one account, or of all', async () => {
    for (const hoursAgo of [0.5, 50]) {
      await add('delivered', hoursAgo, 2);
      await add('delivered', hoursAgo, 2, other);
      await add('failed', hoursAgo, undefined, other);
    }
    await counts.keepHours();
    const own = { ...nothing, accepted: 2, delivered: 2, concluded: 2, deliveryTimes: { 2000: 2 } };
    expect(await since(100, account)).toEqual(own);
    expect(await since(100, other)).toEqual({ ...own, failed: 2, concluded: 4 });
    expect(await since(100, null)).toEqual({
      ...own,
      accepted: 4,
      delivered: 4,
      failed: 2,
      concluded: 6,
      deliveryTimes: { 2000: 4 },
    });
    expect(await since(100, newId())).toEqual(nothing);
  });

  it('are those of one mode, or of both', async () => {
    for (const hoursAgo of [0.5, 50]) {
      await add('delivered', hoursAgo, 2);
      const id = await add('delivered', hoursAgo, 2);
      await database.sql(`update messages set mode = 'test' where id = $1`, [id]);
      await add('failed', hoursAgo, undefined, other);
    }
    await addReplies(50, 3);
    await database.sql('update replies_by_minute set live = 1, test = 1');
    await counts.keepHours();
    const half = {
      ...nothing,
      accepted: 2,
      delivered: 2,
      concluded: 2,
      deliveryTimes: { 2000: 2 },
    };
    // One reply came for both modes.
    expect(await since(100, account, 'test')).toEqual({ ...half, replies: 2 });
    expect(await since(100, account, 'live')).toEqual({ ...half, replies: 2 });
    expect(await since(100, null, 'live')).toEqual({
      ...half,
      failed: 2,
      concluded: 4,
      replies: 2,
    });
    expect(await since(1, account, 'test')).toMatchObject({ accepted: 1, delivered: 1 });
    expect(await since(100)).toMatchObject({ accepted: 4, replies: 3 });
    expect(await since(100, other, 'test')).toEqual(nothing);
  });

  it('of one mode are complete once the hours of an earlier version are counted again', async () => {
    await add('sent', 50);
    await counts.keepHours();
    await database.sql('update outcomes_hourly set by_mode = null');
    expect(await since(100)).toMatchObject({ accepted: 1, isComplete: true });
    expect(await since(100, account, 'live')).toMatchObject({ accepted: 0, isComplete: false });
    await counts.keepHours();
    expect(await since(100, account, 'live')).toMatchObject({ accepted: 1, isComplete: true });
  });

  it('of whole hours and of the time that is counted at once meet without a gap', async () => {
    const hour = Math.floor(Date.now() / hourMs) * hourMs;
    const meeting = hour - 24 * hourMs;
    for (const at of [meeting - hourMs, meeting - 1, meeting, meeting + hourMs]) {
      await addAt(at, 'sent');
    }
    await addReplies(26, 1);
    await addReplies(1, 2, 4);
    await counts.keepHours();
    expect(await since(7 * 24)).toEqual({ ...nothing, accepted: 4, concluded: 4, replies: 7 });
  });

  it('stand in steps, each message once, also where whole hours and the last day meet', async () => {
    const stepMs = 6 * hourMs;
    const scope = { accountId: account, mode: null };
    const { fromMs } = await counts.since(stepMs, 28, scope);
    const meeting = Math.floor(Date.now() / hourMs) * hourMs - 24 * hourMs;
    const times = [fromMs, fromMs + stepMs - 1, fromMs + stepMs, meeting - 1, meeting, Date.now()];
    for (const at of times) await addAt(at, 'sent');
    await counts.keepHours();
    const { steps } = await counts.since(stepMs, 28, scope);
    const accepted = Array(28).fill(0);
    for (const at of times) accepted[Math.min(27, Math.floor((at - fromMs) / stepMs))] += 1;
    expect(steps.map((step) => step.accepted)).toEqual(accepted);
    expect(steps.map((step) => step.atMs)).toEqual(
      accepted.map((_, index) => fromMs + index * stepMs),
    );
  });

  it.each([
    ['an hour', hourMs / 12, 12, 1.5],
    ['a day', hourMs, 24, 36],
    ['a week', 6 * hourMs, 28, 10 * 24],
    ['30 days', 24 * hourMs, 30, 45 * 24],
  ])('of as long a time before %s can be had', async (_, stepMs, steps, hoursAgo) => {
    await add('delivered', hoursAgo, 1);
    await add('sent', 0);
    await counts.keepHours();
    const scope = { accountId: account, mode: null };
    const now = await counts.since(stepMs, steps, scope);
    const before = await counts.before(now.fromMs, stepMs, steps, scope);
    expect([now.accepted, before.accepted, before.delivered]).toEqual([1, 1, 1]);
    expect(before.steps.reduce((sum, step) => sum + step.accepted, 0)).toBe(1);
    expect(before.isComplete).toBe(true);
    expect(before.fromMs + steps * stepMs).toBeLessThanOrEqual(now.fromMs);
  });

  it('of the day before are not complete until its hours are counted', async () => {
    await add('sent', 36);
    const scope = { accountId: account, mode: null };
    const { fromMs } = await counts.since(hourMs, 24, scope);
    expect(await counts.before(fromMs, hourMs, 24, scope)).toMatchObject({ isComplete: false });
  });

  it('are nothing where there is nothing', async () => {
    for (const hours of [1, 24, 7 * 24, 30 * 24]) expect(await since(hours)).toEqual(nothing);
    await counts.keepHours();
    expect(await since(30 * 24)).toEqual(nothing);
    expect(await database.sql('select 1 from outcomes_hourly')).toEqual([]);
  });

  it('say when hours have not been counted yet', async () => {
    await add('sent', 100);
    await add('sent', 0);
    expect(await since(50)).toEqual({ ...nothing, accepted: 1, concluded: 1 });
    expect(await since(200)).toMatchObject({ accepted: 1, isComplete: false });
    await counts.keepHours();
    expect(await since(200)).toMatchObject({ accepted: 2, isComplete: true });
    await database.sql(
      'delete from outcomes_hourly where hour = (select max(hour) from outcomes_hourly)',
    );
    expect(await since(200)).toMatchObject({ isComplete: true });
    await database.sql(
      'delete from outcomes_hourly where hour = (select max(hour) from outcomes_hourly)',
    );
    expect(await since(200)).toMatchObject({ isComplete: false });
  });

  it('take up late statuses: an hour is counted again when its age has grown by a thirtieth', async () => {
    const id = await add('sent', 60.5);
    await counts.keepHours();
    await database.sql(
      `update messages set receipt = 'read', delivered_at = created_at + interval '2 hours' where id = $1`,
      [id],
    );
    await counts.keepHours();
    expect(await since(70)).toMatchObject({ accepted: 1, read: 0 });
    const age = (hours: number) =>
      database.sql(`update outcomes_hourly set counted_at = now() - make_interval(mins => $1)`, [
        Math.round(hours * 60),
      ]);
    await age(1.8);
    await counts.keepHours();
    expect(await since(70)).toMatchObject({ accepted: 1, read: 0 });
    await age(2.2);
    await counts.keepHours();
    expect(await since(70)).toMatchObject({
      accepted: 1,
      delivered: 1,
      read: 1,
      deliveryTimes: { 7_200_000: 1 },
    });
  });

  it('count replies together, minute by minute', async () => {
    const dataSource = module.get(DataSource);
    await dataSource.transaction((manager) =>
      countReplies(manager, [
        { accountId: account, mode: 'live' },
        { accountId: other, mode: 'live' },
        { accountId: account, mode: 'test' },
      ]),
    );
    await dataSource.transaction((manager) =>
      countReplies(manager, [{ accountId: account, mode: null }]),
    );
    await dataSource.transaction((manager) => countReplies(manager, []));
    expect([await since(1), await since(1, other), await since(1, null)]).toMatchObject(
      [3, 1, 4].map((replies) => ({ replies })),
    );
    // One came for both modes.
    expect([await since(1, account, 'live'), await since(1, null, 'live')]).toMatchObject([
      { replies: 2 },
      { replies: 3 },
    ]);
    expect(await since(1, account, 'test')).toMatchObject({ replies: 2 });
  });

  it('are kept for 61 days, by workers', async () => {
    await add('sent', 70 * 24);
    await add('sent', 30 * 24 - 1);
    await addReplies(70 * 24, 1);
    await addReplies(30 * 24 - 1, 2);
    await database.sql(
      `insert into outcomes_hourly (hour, accepted, delivered, read, failed, concluded, replies, delivery_times)
       values (date_trunc('hour', now()) - interval '70 days', 1, 0, 0, 0, 0, 0, '{}')`,
    );
    const worker = await openModule({
      databaseUrl: database.url,
      imports: [PeriodicWorkModule, OutcomeHoursModule],
    });
    try {
      await until(async () => (await since(30 * 24)).isComplete);
      expect(await since(30 * 24)).toMatchObject({ accepted: 1, replies: 2 });
      await until(async () => {
        const [row] = await database.sql(
          `select (select count(*) from replies_by_minute) + (select count(*) from outcomes_hourly
             where hour < now() - interval '62 days') as rows`,
        );
        return row.rows === '1';
      });
    } finally {
      await worker.close();
    }
  });
});
