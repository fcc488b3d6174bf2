import type { TestingModule } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { newId } from '../../src/database/ids.js';
import { PaceStore } from '../../src/quota/pace-store.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { stores } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/npm-start.js';

/** So slow that nothing comes back while a test runs. */
const oneInAnHour = 1 / 3_600;

describe.each(stores)('the paces of numbers in %s', (store) => {
  let database: TestDatabase;
  let redisUrl: string | null;
  let processes: TestingModule[];
  let one: PaceStore;
  let other: PaceStore;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    redisUrl = store === 'redis' ? await redisDatabase() : null;
    const open = () => openModule({ databaseUrl: database.url, redisUrl, imports: [QuotaModule] });
    processes = [await open(), await open()];
    [one, other] = processes.map((process) => process.get(PaceStore, { strict: false })) as [
      PaceStore,
      PaceStore,
    ];
    for (const paces of [one, other]) await until(() => isIn(paces));
  });

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  /** A Redis that is not connected yet is replaced by PostgreSQL. */
  async function isIn(paces: PaceStore): Promise<boolean> {
    const accountId = newId();
    await paces.takeTokens({ accountId, perSecond: 1, count: 1 });
    const rows = await database.sql('select from pace_buckets where account_id = $1', [accountId]);
    return rows.length > 0 === (store === 'postgres');
  }

  /** Lets time pass for one bucket. */
  async function passHour(accountId: string): Promise<void> {
    if (redisUrl === null) {
      await database.sql(
        `update pace_buckets set at = at - interval '1 hour' where account_id = $1`,
        [accountId],
      );
      return;
    }
    const redis = new Redis(redisUrl);
    const key = `parley:pace:${accountId}`;
    await redis.hset(key, 'at', Number(await redis.hget(key, 'at')) - 3_600);
    redis.disconnect();
  }

  it('grant a quarter of a second’s worth at once', async () => {
    expect((await one.takeTokens({ accountId: newId(), perSecond: 40, count: 40 })).granted).toBe(
      10,
    );
  });

  it('are shared by all processes', async () => {
    const request = { accountId: newId(), perSecond: oneInAnHour, count: 1 };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).takeTokens(request)),
    );
    expect(answers.filter(({ granted }) => granted === 1)).toHaveLength(1);
  });

  it('let one message go at once even when that is more, and say how long the next one waits', async () => {
    const accountId = newId();
    const take = () => one.takeTokens({ accountId, perSecond: oneInAnHour, count: 5 });
    expect((await take()).granted).toBe(1);
    const { granted, waitMs } = await take();
    expect(granted).toBe(0);
    expect(waitMs).toBeGreaterThan(3_000_000);
    expect(waitMs).toBeLessThanOrEqual(3_600_000);
  });

  it('refill over time, up to the burst', async () => {
    const accountId = newId();
    const take = (count: number) => one.takeTokens({ accountId, perSecond: 20, count });
    expect((await take(5)).granted).toBe(5);
    await until(async () => (await take(1)).granted === 1);
    await passHour(accountId);
    expect((await take(50)).granted).toBe(5);
  });

  it('take back unused units', async () => {
    const accountId = newId();
    const take = (count: number) => one.takeTokens({ accountId, perSecond: oneInAnHour, count });
    expect((await take(1)).granted).toBe(1);
    await take(-1);
    expect((await take(1)).granted).toBe(1);
    // More than there was before is not counted.
    await take(-50);
    expect((await take(50)).granted).toBe(1);
  });

  it('count each number separately', async () => {
    await one.takeTokens({ accountId: newId(), perSecond: 1, count: 1 });
    expect((await one.takeTokens({ accountId: newId(), perSecond: 1, count: 1 })).granted).toBe(1);
  });
});
