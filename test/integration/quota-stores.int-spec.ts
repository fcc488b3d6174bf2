import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { dayMs } from '#libs/durations';
import { AccountVersions, raiseVersion } from '../../src/accounts/account-versions.js';
import { newId } from '../../src/database/ids.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { QuotaService } from '../../src/quota/quota.service.js';
import { QuotaStore } from '../../src/quota/quota-store.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { installation, stores } from '../support/installation.js';
import { Link } from '../support/link.js';
import { openModule } from '../support/module.js';
import { withinOneMinute } from '../support/one-minute.js';
import { type RedisServer, startRedis } from '../support/redis.mjs';
import { freePort } from '../support/server-process.js';
import { until } from '../support/until.js';

const { accountId } = installation;
/** A key as the guard knows it. */
const keyWith = (limits: { perMinute: number; perDay: number }, apiKeyId = newId()) =>
  ({
    principal: { apiKeyId, accountId, dailyLimit: limits.perDay },
    rateLimitPerMinute: limits.perMinute,
  }) as Parameters<QuotaService['takeUnit']>[0];

const ask = (change: Partial<Parameters<QuotaStore['takeUnits']>[0][number]> = {}) => ({
  apiKeyId: newId(),
  accountId,
  minuteLimit: 1_000,
  dayLimit: 1_000,
  count: 1,
  ...change,
});

const versionAt = async (quotas: QuotaStore) =>
  (await quotas.takeUnits([ask()]))[0]?.accountVersion;

describe.each(stores)('quotas in %s', (store) => {
  let database: TestDatabase;
  let redisUrl: string | null;
  let processes: TestingModule[];
  let one: QuotaStore;
  let other: QuotaStore;

  /** With the longest time-out: if Redis were silent for a moment, two stores would have counted. */
  const open = () =>
    openModule({
      databaseUrl: database.url,
      redisUrl,
      sendWaitMs: 25_000,
      imports: [QuotaModule],
      providers: [AccountVersions],
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

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  /** A Redis that is not connected yet is replaced by PostgreSQL. */
  async function counts(quotas: QuotaStore): Promise<boolean> {
    const request = ask();
    await quotas.takeUnits([request]);
    return (await isInPostgres(request.apiKeyId)) === (store === 'postgres');
  }

  async function isInPostgres(apiKeyId: string): Promise<boolean> {
    const rows = await database.sql('select 1 from quota_counters where api_key_id = $1', [
      apiKeyId,
    ]);
    return rows.length > 0;
  }

  async function loseCounters(): Promise<void> {
    await database.empty('quota_counters');
    if (!redisUrl) return;
    const { Redis } = await import('ioredis');
    const redis = new Redis(redisUrl);
    await redis.flushdb();
    redis.disconnect();
  }

  it(
    'let exactly 50 of 200 through a daily limit of 50, over two processes',
    withinOneMinute(async () => {
      const services = processes.map((process) => process.get(QuotaService, { strict: false }));
      const key = keyWith({ perMinute: 1_000, perDay: 50 });
      const results = await Promise.allSettled(
        Array.from({ length: 200 }, (_, index) =>
          (services[index % 2] as QuotaService).takeDay(key),
        ),
      );
      const days = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(days.map((each) => each?.used).toSorted((a = 0, b = 0) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
      const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['DAILY_LIMIT_EXCEEDED']));
      const request = ask({ apiKeyId: key.principal.apiKeyId, dayLimit: 50 });
      await until(async () => (await other.takeUnits([request]))[0]?.dayUsed === 50);
      expect(await one.takeUnits([request])).toMatchObject([{ granted: 0, minuteUsed: 0 }]);
      // A raised limit holds at once.
      expect(await one.takeUnits([{ ...request, dayLimit: 51 }])).toMatchObject([{ granted: 1 }]);
    }),
  );

  it(
    'never count less for a day than they have heard',
    withinOneMinute(async () => {
      const request = ask();
      const [answer] = await one.takeUnits([request]);
      const day = Math.floor((answer?.nowMs ?? 0) / dayMs);
      const [taken] = await one.takeDay([{ ...request, count: 7 }]);
      expect(taken).toMatchObject({ day, used: 7 });
      await other.publishDays(new Map([[request.apiKeyId, { day, used: 3 }]]));
      expect(await one.takeUnits([request])).toMatchObject([{ dayUsed: 7 }]);
      await other.publishDays(new Map([[request.apiKeyId, { day: day - 1, used: 99 }]]));
      expect(await one.takeUnits([request])).toMatchObject([{ dayUsed: 7 }]);
    }),
  );

  it(
    'return the store’s time',
    withinOneMinute(async () => {
      const before = Date.now();
      const [answer] = await one.takeUnits([ask()]);
      // Its clock is ours here; it rounds down.
      expect(answer?.nowMs).toBeGreaterThanOrEqual(before - 1);
      expect(answer?.nowMs).toBeLessThanOrEqual(Date.now());
    }),
  );

  it(
    'give back no units of another minute, nor of a key that has taken none',
    withinOneMinute(async () => {
      const request = ask({ count: 2 });
      const { apiKeyId } = request;
      const [answer] = await one.takeUnits([request]);
      const minute = Math.floor((answer?.nowMs ?? 0) / 60_000);
      await one.giveBackMinute([{ apiKeyId, minute: minute - 1, count: 1 }]);
      expect(await one.takeUnits([{ ...request, count: 0 }])).toMatchObject([{ minuteUsed: 2 }]);
      const unused = ask();
      await one.giveBackMinute([{ apiKeyId: unused.apiKeyId, minute, count: 1 }]);
      expect(await one.takeUnits([unused])).toMatchObject([{ minuteUsed: 1 }]);
    }),
  );

  it(
    'keep the day’s count when the minute’s counters are lost',
    withinOneMinute(async () => {
      const request = ask({ dayLimit: 10 });
      await one.takeDay([{ ...request, count: 10 }]);
      await loseCounters();
      expect(await other.takeUnits([request])).toMatchObject([{ granted: 0, dayUsed: 10 }]);
    }),
  );

  it(
    'return the account’s version, and the new one as soon as the change is published',
    withinOneMinute(async () => {
      const versions = processes[0]?.get(AccountVersions, { strict: false });
      const dataSource = processes[0]?.get(DataSource, { strict: false });
      const before = (await versionAt(other)) ?? 0;
      for (const step of [1, 2]) {
        const raised = await dataSource?.transaction((manager) => raiseVersion(manager, accountId));
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
    }),
  );

  it(
    'of one key share a group, as if its requests had come one by one',
    withinOneMinute(async () => {
      const service = (processes[0] as TestingModule).get(QuotaService, { strict: false });
      const key = keyWith({ perMinute: 3, perDay: 100 });
      const taken = await Promise.all(Array.from({ length: 5 }, () => service.takeUnit(key)));
      expect(taken.map((each) => each.refusedBy)).toEqual([null, null, null, 'minute', 'minute']);
      expect(taken.map((each) => each.minuteUsed)).toEqual([1, 2, 3, 3, 3]);
    }),
  );
});

const describeWithRedis = stores.includes('redis') ? describe : describe.skip;

describeWithRedis('quotas while Redis is down', () => {
  it(
    'are counted by PostgreSQL, and by Redis when it is back',
    withinOneMinute(async () => {
      const database = await TestDatabase.clone('seeded');
      let redis: RedisServer = await startRedis();
      const module = await openModule({
        databaseUrl: database.url,
        redisUrl: redis.url,
        imports: [QuotaModule],
      });
      const quotas = module.get(QuotaStore, { strict: false });
      const request = ask({ minuteLimit: 5 });
      const counted = () =>
        database.sql('select 1 from quota_counters where api_key_id = $1', [request.apiKeyId]);
      await until(async () => (await quotas.takeUnits([ask()]))[0]?.granted === 1);
      await redis.stop('SIGKILL');
      expect(await quotas.takeUnits([{ ...request, count: 9 }])).toMatchObject([{ granted: 5 }]);
      expect(await counted()).toHaveLength(1);
      const minute = Math.floor(Date.now() / 60_000);
      await quotas.giveBackMinute([{ apiKeyId: request.apiKeyId, minute, count: 5 }]);
      expect(await quotas.takeUnits([{ ...request, count: 9 }])).toMatchObject([{ granted: 5 }]);
      await quotas.publishDays(new Map([[request.apiKeyId, { day: 1, used: 1 }]]));

      redis = await startRedis({ port: redis.port });
      const back = ask();
      await until(async () => {
        await quotas.takeUnits([back]);
        await database.sql('delete from quota_counters where api_key_id = $1', [back.apiKeyId]);
        const [answer] = await quotas.takeUnits([back]);
        return (answer?.minuteUsed ?? 0) > 1;
      });
      await module.close();
      await redis.stop();
      await database.drop();
    }),
  );
});

describeWithRedis('quotas after a replica has taken the place of Redis', () => {
  it(
    'know a version that the replica never got',
    withinOneMinute(async () => {
      const { Redis } = await import('ioredis');
      const database = await TestDatabase.clone('seeded');
      const master = await startRedis({ more: ['--repl-diskless-sync-delay', 0] });
      const replica = await startRedis();
      const link = new Link(await freePort());
      link.target = master.port;
      await link.join();
      const module = await openModule({
        databaseUrl: database.url,
        redisUrl: `redis://127.0.0.1:${link.port}`,
        sendWaitMs: 25_000,
        imports: [QuotaModule],
        providers: [AccountVersions],
      });
      const quotas = module.get(QuotaStore, { strict: false });
      const client = new Redis(replica.url);
      const request = ask();
      /** Whether the replica has counted this key's minute. */
      const isCounted = async () => {
        await quotas.takeUnits([request]);
        return (await client.keys(`parley:quota:${request.apiKeyId}:m:*`)).length > 0;
      };

      await client.replicaof('127.0.0.1', master.port);
      await until(isCounted);
      const before = await versionAt(quotas);
      expect(await client.get(`parley:version:${accountId}`)).toBe(String(before));
      await client.replicaof('NO', 'ONE');
      const version = await raiseVersion(module.get(DataSource).manager, accountId);
      await module.get(AccountVersions).publish(accountId, version);
      await client.del(await client.keys('parley:quota:*:m:*'));
      link.cut();
      link.target = replica.port;
      await link.join();

      await until(isCounted);
      // The copy of this key's day is there, so nothing is read from PostgreSQL on its account.
      expect(await quotas.takeUnits([request])).toMatchObject([{ accountVersion: version }]);
      await module.close();
      link.cut();
      client.disconnect();
      await Promise.all([master.stop(), replica.stop()]);
      await database.drop();
    }),
  );
});
