import type { TestingModule } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import {
  PostgresReplayMarks,
  RedisReplayMarks,
  type ReplayMarks,
} from '../../src/auth/replay-marks.js';
import { newId } from '../../src/database/ids.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { stores } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/npm-start.js';

const signature = (text: string) => Buffer.from(text);
const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe.each(stores)('signatures that were used, in %s', (store) => {
  let database: TestDatabase;
  let process: TestingModule;
  let redis: Redis | null;
  let marks: ReplayMarks;

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({ databaseUrl: database.url });
    redis = store === 'redis' ? new Redis(await redisDatabase()) : null;
    marks = open();
    await marks.open();
  });

  afterEach(async () => {
    await marks.close();
    await process.close();
    await database.drop();
  });

  /** The marks of another process. */
  function open(): ReplayMarks {
    const dataSource = process.get(DataSource, { strict: false });
    return redis
      ? new RedisReplayMarks(redis, dataSource, pino({ level: 'silent' }))
      : new PostgresReplayMarks(dataSource, pino({ level: 'silent' }));
  }

  async function loseMarks(): Promise<void> {
    if (redis) await redis.flushdb();
    else await database.sql('truncate replay_marks');
  }

  it('pass right after the first start, in a store that is new, with a slow clock too', async () => {
    expect(await marks.mark(newId(), signature('now'), nowSeconds())).toBe(true);
    expect(await marks.mark(newId(), signature('slow'), nowSeconds() - 299)).toBe(true);
  });

  it('pass in a store that was emptied before it held any', async () => {
    await loseMarks();
    expect(await marks.mark(newId(), signature('slow'), nowSeconds() - 299)).toBe(true);
  });

  it('pass once, of fifty at once too', async () => {
    const apiKeyId = newId();
    const all = await Promise.all(
      Array.from({ length: 50 }, () => marks.mark(apiKeyId, signature('a'), nowSeconds())),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
  });

  it('are each key’s own', async () => {
    expect(await marks.mark(newId(), signature('b'), nowSeconds())).toBe(true);
    expect(await marks.mark(newId(), signature('b'), nowSeconds())).toBe(true);
  });

  it('are not forgotten by being lost: what was stamped before passes no more, in any process', async () => {
    const apiKeyId = newId();
    const stamped = nowSeconds();
    expect(await marks.mark(apiKeyId, signature('c'), stamped)).toBe(true);
    await loseMarks();
    const others = [marks, open()];
    for (const each of others) {
      await each.open();
      expect(await each.mark(apiKeyId, signature('c'), stamped)).toBe(false);
      expect(await each.mark(apiKeyId, signature('d'), stamped - 100)).toBe(false);
    }
    await until(async () => marks.mark(apiKeyId, signature('e'), nowSeconds()));
    expect(await marks.mark(apiKeyId, signature('e'), nowSeconds())).toBe(false);
  });
});
