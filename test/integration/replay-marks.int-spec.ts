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

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({ databaseUrl: database.url });
    redis = store === 'redis' ? new Redis(await redisDatabase()) : null;
    const dataSource = process.get(DataSource, { strict: false });
    marks = redis
      ? new RedisReplayMarks(redis, pino({ level: 'silent' }))
      : new PostgresReplayMarks(dataSource);
    await marks.open();
  });

  afterAll(async () => {
    await marks.close();
    await process.close();
    await database.drop();
  });

  it('pass right after the first start, in a store that is new', async () => {
    expect(await marks.mark(newId(), signature('first'), nowSeconds())).toBe(true);
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

  it('are not forgotten by being lost: nobody can know any more, so none of before passes', async () => {
    const apiKeyId = newId();
    const stamped = nowSeconds();
    expect(await marks.mark(apiKeyId, signature('c'), stamped)).toBe(true);
    await redis?.flushdb();
    expect(await marks.mark(apiKeyId, signature('c'), stamped)).toBe(false);
    expect(await marks.mark(apiKeyId, signature('d'), stamped)).toBe(store === 'postgres');
    await until(async () => marks.mark(apiKeyId, signature('e'), nowSeconds()));
    expect(await marks.mark(apiKeyId, signature('e'), nowSeconds())).toBe(false);
  });
});
