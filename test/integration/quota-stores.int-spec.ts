import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { newId } from '../../src/database/ids.js';
import { AccountVersions } from '../../src/quota/account-versions.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { QuotaService } from '../../src/quota/quota.service.js';
import { QuotaStore } from '../../src/quota/quota-store.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { installation, stores } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/npm-start.js';
import { type RedisServer, startRedis } from '../support/redis.mjs';

const { accountId } = installation;
const ask = (change: Partial<Parameters<QuotaStore['take']>[0][number]> = {}) => ({
  apiKeyId: newId(),
  accountId,
  minuteLimit: 1_000,
  dayLimit: 1_000,
  count: 1,
  ...change,
});

const versionAt = async (quotas: QuotaStore) => (await quotas.take([ask()]))[0]?.accountVersion;

/** The minute must not end between the requests of a test. */
const earlyInTheMinute = () => until(() => new Date().getUTCSeconds() < 55, 15_000);

describe.each(stores)('quotas in %s', (store) => {
  let database: TestDatabase;
  let redisUrl: string | null;
  let processes: TestingModule[];
  let one: QuotaStore;
  let other: QuotaStore;

  /** With the longest patience, for where Redis was silent for a moment, two stores have counted. */
  const open = () =>
    openModule({
      databaseUrl: database.url,
      redisUrl,
      sendWaitMs: 25_000,
      imports: [QuotaModule],
    });

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    redisUrl = store === 'redis' ? await redisDatabase() : null;
    processes = [await open(), await open()];
    [one, other] = processes.map((process) => process.get(QuotaStore, { strict: false })) as [
      QuotaStore,
      QuotaStore,
    ];
    for (const quotas of [one, other]) await until(() => counts(quotas));
  });

  beforeEach(earlyInTheMinute);

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  /** A Redis that is not connected yet is replaced by PostgreSQL. */
  async function counts(quotas: QuotaStore): Promise<boolean> {
    const request = ask();
    await quotas.take([request]);
    return (await isInPostgres(request.apiKeyId)) === (store === 'postgres');
  }

  async function isInPostgres(apiKeyId: string): Promise<boolean> {
    const rows = await database.sql('select 1 from quota_counters where api_key_id = $1', [
      apiKeyId,
    ]);
    return rows.length > 0;
  }

  async function loseCounters(): Promise<void> {
    await database.sql('truncate quota_counters');
    if (!redisUrl) return;
    const { Redis } = await import('ioredis');
    const redis = new Redis(redisUrl);
    await redis.flushdb();
    redis.disconnect();
  }

  it.each([
    ['minute', { minuteLimit: 50 }],
    ['day', { dayLimit: 50 }],
  ])('let exactly 50 of 200 through a %s of 50, over two processes', async (_, limit) => {
    await until(async () => {
      const request = ask(limit);
      const answers = await Promise.all(
        Array.from({ length: 200 }, (__, index) => (index % 2 ? one : other).take([request])),
      );
      const [after] = await one.take([request]);
      // Where Redis was silent for a moment, two stores have counted: that is another test's matter.
      if (store === 'redis' && (await isInPostgres(request.apiKeyId))) return false;
      const granted = answers.filter(([answer]) => answer?.granted === 1);
      expect(granted).toHaveLength(50);
      expect(after).toMatchObject({ granted: 0, minuteUsed: 50, dayUsed: 50 });
      return true;
    });
  });

  it('grant a group what both windows still hold', async () => {
    const request = ask({ minuteLimit: 8, dayLimit: 5 });
    const granted = [];
    for (const count of [3, 4, 1]) {
      granted.push((await one.take([{ ...request, count }]))[0]?.granted);
    }
    expect(granted).toEqual([3, 2, 0]);
  });

  it('answer several keys in the order of the questions, known ones and new ones', async () => {
    const keys = Array.from({ length: 6 }, () => newId());
    await one.take([ask({ apiKeyId: keys[2] ?? '', count: 5 })]);
    const order = [3, 0, 2, 5, 1, 4];
    const answers = await other.take(
      order.map((index) => ask({ apiKeyId: keys[index] ?? '', count: index + 1 })),
    );
    expect(answers.map(({ granted }) => granted)).toEqual([4, 1, 3, 6, 2, 5]);
    expect(answers.map(({ minuteUsed }) => minuteUsed)).toEqual([4, 1, 8, 6, 2, 5]);
  });

  it('tell the store’s time', async () => {
    const [answer] = await one.take([ask()]);
    expect(Math.abs((answer?.nowMs ?? 0) - Date.now())).toBeLessThan(5_000);
  });

  it('give units of the day back, never below none, and not those of the minute', async () => {
    const request = ask({ count: 3 });
    await one.take([request]);
    await other.giveBackDay(new Map([[request.apiKeyId, 2]]));
    expect(await one.take([{ ...request, count: 1 }])).toMatchObject([
      { minuteUsed: 4, dayUsed: 2 },
    ]);
    await one.giveBackDay(new Map([[request.apiKeyId, 100]]));
    expect(await one.take([{ ...request, count: 1 }])).toMatchObject([
      { minuteUsed: 5, dayUsed: 1 },
    ]);
    await one.giveBackDay(new Map([[newId(), 1]]));
  });

  it('go on with the day where its counter is lost', async () => {
    const request = ask({ dayLimit: 10 });
    const process = await open();
    const service = process.get(QuotaService, { strict: false });
    const key = {
      principal: { apiKeyId: request.apiKeyId, accountId },
      rateLimitPerMinute: 1_000,
      dailyLimit: 10,
    } as Parameters<QuotaService['take']>[0];
    await Promise.all(Array.from({ length: 7 }, () => service.take(key)));
    await process.close();
    await loseCounters();
    expect(await one.take([{ ...request, count: 5 }])).toMatchObject([{ granted: 3, dayUsed: 10 }]);
  });

  it('tell the account’s version, and the new one as soon as its change has been published', async () => {
    const versions = processes[0]?.get(AccountVersions, { strict: false });
    const dataSource = processes[0]?.get(DataSource, { strict: false });
    const before = (await versionAt(other)) ?? 0;
    for (const step of [1, 2]) {
      const raised = await dataSource?.transaction(
        (manager) => versions?.raise(manager, accountId) ?? Promise.resolve(0),
      );
      await versions?.publish(accountId, raised ?? 0);
      expect([await versionAt(one), await versionAt(other)]).toEqual([
        before + step,
        before + step,
      ]);
    }
    // A publication that comes late lowers nothing.
    await versions?.publish(accountId, before);
    expect(await versionAt(other)).toBe(before + 2);
    await loseCounters();
    expect(await versionAt(other)).toBe(before + 2);
  });

  it('of one key share a group, as if its requests had come one by one', async () => {
    const service = (processes[0] as TestingModule).get(QuotaService, { strict: false });
    const key = {
      principal: { apiKeyId: newId(), accountId },
      rateLimitPerMinute: 3,
      dailyLimit: 100,
    } as Parameters<QuotaService['take']>[0];
    const taken = await Promise.all(Array.from({ length: 5 }, () => service.take(key)));
    expect(taken.map((each) => each.refusedBy)).toEqual([null, null, null, 'minute', 'minute']);
    expect(taken.map((each) => each.minuteUsed)).toEqual([1, 2, 3, 3, 3]);
  });
});

const describeWithRedis = stores.includes('redis') ? describe : describe.skip;

describeWithRedis('quotas while Redis is away', () => {
  it('are counted by PostgreSQL, and by Redis when it is back', async () => {
    const database = await TestDatabase.clone('seeded');
    let redis: RedisServer = await startRedis();
    const module = await openModule({
      databaseUrl: database.url,
      redisUrl: redis.url,
      imports: [QuotaModule],
    });
    const quotas = module.get(QuotaStore, { strict: false });
    await earlyInTheMinute();
    const request = ask({ minuteLimit: 5 });
    const counted = () =>
      database.sql('select 1 from quota_counters where api_key_id = $1', [request.apiKeyId]);
    await until(async () => (await quotas.take([ask()]))[0]?.granted === 1);
    await redis.stop('SIGKILL');
    expect(await quotas.take([{ ...request, count: 9 }])).toMatchObject([{ granted: 5 }]);
    expect(await counted()).toHaveLength(1);
    await quotas.giveBackDay(new Map([[request.apiKeyId, 5]]));

    redis = await startRedis({ port: redis.port });
    const back = ask();
    await until(async () => {
      await quotas.take([back]);
      await database.sql('delete from quota_counters where api_key_id = $1', [back.apiKeyId]);
      const [answer] = await quotas.take([back]);
      return (answer?.minuteUsed ?? 0) > 1;
    });
    await module.close();
    await redis.stop();
    await database.drop();
  });
});
