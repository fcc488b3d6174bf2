import { randomUUID } from 'node:crypto';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { newId } from '../../src/database/ids.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { type ReplyHint, ReplyHints } from '../../src/hints/reply-hints.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { stores } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

describe.each(stores)('reply hints over %s', (store) => {
  let database: TestDatabase;
  let listening: TestingModule;
  let publishing: TestingModule;
  let publisher: ReplyHints;
  const processId = randomUUID();
  let heard: ReplyHint[] = [];

  beforeAll(async () => {
    database = await TestDatabase.clone('migrated');
    const redisUrl = store === 'redis' ? await redisDatabase() : null;
    const open = () =>
      openModule({ databaseUrl: database.url, redisUrl, imports: [RepliesModule] });
    listening = await open();
    publishing = await open();
    publisher = publishing.get(ReplyHints, { strict: false });
    await listening.get(ReplyHints, { strict: false }).listen(processId, (hints) => {
      heard.push(...hints);
    });
    // The publisher's connection may still be on its way.
    await until(async () => {
      await publisher.publish(processId, [{ id: newId(), status: 'sent' }]);
      return heard.length > 0;
    });
  });

  beforeEach(async () => {
    const last = { id: newId(), status: 'read' as const };
    await publisher.publish(processId, [last]);
    await until(() => heard.some(({ id }) => id === last.id));
    heard = [];
  });

  afterAll(async () => {
    await listening.close();
    await publishing.close();
    await database.drop();
  });

  it('reach the process that they are addressed to, in order, however many', async () => {
    const hints = Array.from({ length: 250 }, (_, index) => ({
      id: newId(),
      status: index % 2 ? ('sent' as const) : ('unconfirmed' as const),
    }));
    await publisher.publish(processId, hints);
    await until(() => heard.length >= 250);
    expect(heard).toEqual(hints);
  });

  it('reach no other process', async () => {
    await publisher.publish(randomUUID(), [{ id: newId(), status: 'sent' }]);
    const own = { id: newId(), status: 'failed' as const };
    await publisher.publish(processId, [own]);
    await until(() => heard.length > 0);
    expect(heard).toEqual([own]);
  });

  it('are heard again after the connection was lost', async () => {
    if (store === 'postgres') {
      await database.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'parley hints'`,
      );
    } else {
      const { Redis } = await import('ioredis');
      const redis = new Redis(process.env.PARLEY_TEST_REDIS_URL ?? '');
      await redis.client('KILL', 'TYPE', 'pubsub');
      redis.disconnect();
    }
    const hint = { id: newId(), status: 'sent' as const };
    await until(async () => {
      await publisher.publish(processId, [hint]);
      return heard.length > 0;
    });
    expect(heard[0]).toEqual(hint);
  });
});

describe.each(stores)('reply hints over a %s that is down', (store) => {
  it('are lost without an error', async () => {
    const database = await TestDatabase.clone('migrated');
    const nowhere = 'redis://127.0.0.1:1';
    const module = await openModule({
      databaseUrl: database.url,
      redisUrl: store === 'redis' ? nowhere : null,
      imports: [RepliesModule],
    });
    const hints = module.get(ReplyHints, { strict: false });
    if (store === 'postgres') await module.get(DataSource).destroy();
    await hints.publish(randomUUID(), [{ id: newId(), status: 'sent' }]);
    await module.close();
    await database.drop();
  });
});
