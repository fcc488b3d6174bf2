import type { TestingModule } from '@nestjs/testing';
import fc from 'fast-check';
import { newId } from '../../src/database/ids.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { QuotaStore } from '../../src/quota/quota-store.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { installation, stores } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

const { accountId } = installation;

/** Keys, by number. */
const keys = fc.integer({ min: 0, max: 2 });

/** One of a group's requests; limits come with each, since a key's may change between two of them. */
const request = fc.record({
  key: keys,
  count: fc.integer({ min: 1, max: 6 }),
  minuteLimit: fc.integer({ min: 1, max: 20 }),
  dayLimit: fc.integer({ min: 1, max: 25 }),
});

/** What two processes may ask of the counters, in any order. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      process: fc.constantFrom(0, 1),
      requests: fc.uniqueArray(request, {
        minLength: 1,
        maxLength: 3,
        selector: ({ key }) => key,
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('accept' as const),
      process: fc.constantFrom(0, 1),
      key: keys,
      count: fc.integer({ min: 1, max: 6 }),
      dayLimit: fc.integer({ min: 1, max: 25 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('give back' as const),
      process: fc.constantFrom(0, 1),
      key: keys,
      count: fc.integer({ min: 1, max: 30 }),
    }),
  },
);

/**
 * What a key has used, by the rules: a group is granted what the minute still holds, nothing once the
 * day is used up, and takes units of the day when it is accepted.
 */
class Counter {
  private minute = 0;
  private day = 0;

  take({ count, minuteLimit, dayLimit }: { count: number; minuteLimit: number; dayLimit: number }) {
    const left = this.day < dayLimit ? minuteLimit - this.minute : 0;
    const granted = Math.max(0, Math.min(count, left));
    this.minute += granted;
    return { granted, minuteUsed: this.minute, dayUsed: this.day };
  }

  accept({ count, dayLimit }: { count: number; dayLimit: number }) {
    const granted = Math.max(0, Math.min(count, dayLimit - this.day));
    this.day += granted;
    return { granted, used: this.day };
  }

  giveBack(count: number): void {
    this.minute = Math.max(0, this.minute - count);
  }
}

describe.each(stores)('quotas in %s, against a model', (store) => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let quotas: QuotaStore[];

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    const options = {
      databaseUrl: database.url,
      redisUrl: store === 'redis' ? await redisDatabase() : null,
      // The longest time-out: if Redis were silent for a moment, PostgreSQL would start its own count.
      sendWaitMs: 25_000,
      imports: [QuotaModule],
    };
    processes = await Promise.all([openModule(options), openModule(options)]);
    quotas = processes.map((process) => process.get(QuotaStore, { strict: false }));
    for (const each of quotas) await until(() => countsInTheStore(each));
  });

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  const probe = () => ({ apiKeyId: newId(), accountId, minuteLimit: 9, dayLimit: 9, count: 1 });

  /** A Redis that is not connected yet is replaced by PostgreSQL. */
  async function countsInTheStore(each: QuotaStore): Promise<boolean> {
    const asked = probe();
    await each.takeUnits([asked]);
    return (await isInPostgres([asked.apiKeyId])) === (store === 'postgres');
  }

  async function isInPostgres(ids: string[]): Promise<boolean> {
    const sql = 'select 1 from quota_counters where api_key_id = any ($1)';
    return (await database.sql(sql, [ids])).length > 0;
  }

  /** Takes units of the day as an acceptance does. */
  async function accept(
    each: QuotaStore,
    units: { apiKeyId: string; count: number; dayLimit: number },
  ): Promise<{ granted?: number; used?: number }> {
    const [day] = await each.takeDay([units]);
    if (day) await each.publishDays(new Map([[units.apiKeyId, day]]));
    return { granted: day?.granted, used: day?.used };
  }

  const minuteOf = async () =>
    Math.floor(((await quotas[0]?.takeUnits([probe()]))?.[0]?.nowMs ?? 0) / 60_000);

  it('answer as it does, whatever two processes take, accept and give back in turn', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        const minute = await minuteOf();
        const ids = [newId(), newId(), newId()];
        const counters = ids.map(() => new Counter());
        const found: unknown[] = [];
        const expected: unknown[] = [];
        for (const each of steps) {
          const asked = quotas[each.process] as QuotaStore;
          if (each.kind === 'give back') {
            const apiKeyId = ids[each.key] as string;
            await asked.giveBackMinute([{ apiKeyId, minute, count: each.count }]);
            counters[each.key]?.giveBack(each.count);
            continue;
          }
          if (each.kind === 'accept') {
            const apiKeyId = ids[each.key] as string;
            found.push(await accept(asked, { apiKeyId, ...each }));
            expected.push(counters[each.key]?.accept(each));
            continue;
          }
          const answers = await asked.takeUnits(
            each.requests.map(({ key, ...rest }) => ({
              ...rest,
              apiKeyId: ids[key] as string,
              accountId,
            })),
          );
          found.push(
            ...answers.map(({ granted, minuteUsed, dayUsed }) => ({
              granted,
              minuteUsed,
              dayUsed,
            })),
          );
          expected.push(...each.requests.map((one) => counters[one.key]?.take(one)));
        }
        // Other tests cover the end of a minute, and a Redis that is silent on a busy machine.
        if ((await minuteOf()) !== minute) return;
        if (store === 'redis' && (await isInPostgres(ids))) return;
        expect(found).toEqual(expected);
      }),
      { numRuns: 80 },
    );
  });

  it('grant as much as it does in all, whatever is taken at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 100 }),
        fc.integer({ min: 1, max: 100 }),
        async (counts, minuteLimit) => {
          const minute = await minuteOf();
          const apiKeyId = newId();
          const asking = { apiKeyId, accountId, minuteLimit, dayLimit: 1 };
          const answers = await Promise.all(
            counts.map((count, index) =>
              (quotas[index % 2] as QuotaStore).takeUnits([{ ...asking, count }]),
            ),
          );
          const [after] = (await quotas[0]?.takeUnits([{ ...asking, count: 0 }])) ?? [];
          if ((await minuteOf()) !== minute) return;
          if (store === 'redis' && (await isInPostgres([apiKeyId]))) return;
          const granted = answers.reduce((sum, [answer]) => sum + (answer?.granted ?? 0), 0);
          const asked = counts.reduce((sum, count) => sum + count, 0);
          expect(granted).toBe(Math.min(asked, minuteLimit));
          expect(after).toMatchObject({ minuteUsed: granted, dayUsed: 0 });
        },
      ),
      { numRuns: 30 },
    );
  });
});
