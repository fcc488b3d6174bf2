import type { TestingModule } from '@nestjs/testing';
import { newId } from '../../src/database/ids.js';
import { PaceStore } from '../../src/quota/pace-store.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { stores } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/npm-start.js';

describe.each(stores)('the paces of numbers in %s', (store) => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let one: PaceStore;
  let other: PaceStore;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    const redisUrl = store === 'redis' ? await redisDatabase() : null;
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
    await paces.take({ accountId, perSecond: 1, count: 1 });
    const rows = await database.sql('select from pace_buckets where account_id = $1', [accountId]);
    return rows.length > 0 === (store === 'postgres');
  }

  it('grant a quarter of a second’s worth at once, to any process', async () => {
    const accountId = newId();
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? one : other).take({ accountId, perSecond: 40, count: 1 }),
      ),
    );
    const granted = answers.reduce((sum, answer) => sum + answer.granted, 0);
    expect(granted).toBeGreaterThanOrEqual(10);
    const cameBackMeanwhile = ((performance.now() - startedAt) / 1_000) * 40;
    expect(granted).toBeLessThanOrEqual(10 + cameBackMeanwhile);
  });

  it('let one go at once even where that is more', async () => {
    const accountId = newId();
    const take = () => one.take({ accountId, perSecond: 1, count: 5 });
    expect((await take()).granted).toBe(1);
    const { granted, waitMs } = await take();
    expect(granted).toBe(0);
    expect(waitMs).toBeGreaterThan(500);
    expect(waitMs).toBeLessThanOrEqual(1_000);
  });

  it('fill up as time goes by, to the burst and no further', async () => {
    const accountId = newId();
    const take = (count: number) => one.take({ accountId, perSecond: 20, count });
    expect((await take(5)).granted).toBe(5);
    const startedAt = performance.now();
    let granted = 0;
    while (performance.now() - startedAt < 1_000) granted += (await take(1)).granted;
    expect(granted).toBeGreaterThanOrEqual(18);
    expect(granted).toBeLessThanOrEqual(22);
  });

  it('take back what was not used', async () => {
    const accountId = newId();
    const take = (count: number) => one.take({ accountId, perSecond: 4, count });
    expect((await take(1)).granted).toBe(1);
    await take(-1);
    expect((await take(1)).granted).toBe(1);
    // More than there was before is not counted.
    await take(-50);
    expect((await take(50)).granted).toBe(1);
  });

  it('know each number by itself', async () => {
    await one.take({ accountId: newId(), perSecond: 1, count: 1 });
    expect((await one.take({ accountId: newId(), perSecond: 1, count: 1 })).granted).toBe(1);
  });
});
