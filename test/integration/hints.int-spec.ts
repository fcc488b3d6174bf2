import { getQueueToken } from '@nestjs/bullmq';
import type { TestingModule } from '@nestjs/testing';
import type { Queue } from 'bullmq';
import { newId } from '../../src/database/ids.js';
import { NotificationsQueue } from '../../src/hints/notifications-queue.js';
import { queueNames } from '../../src/hints/queue-names.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { SendsQueue } from '../../src/hints/sends-queue.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { stores } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

// BullMQ's backend is chosen for a whole process, and PostgreSQL is never taken back.
describe.each(stores.toReversed())('jobs in %s', (store) => {
  let database: TestDatabase;
  let process: TestingModule;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      redisUrl: store === 'redis' ? await redisDatabase() : null,
      imports: [QueuesModule.forRole('producer')],
    });
  });

  afterAll(async () => {
    await process.close();
    await database.drop();
  });

  const id = newId();
  const given: [keyof typeof queueNames, () => unknown, object][] = [
    [
      'sends',
      () => process.get(SendsQueue).addHint({ waiting: [id], background: [] }),
      { waiting: [id], background: [] },
    ],
    ['notifications', () => process.get(NotificationsQueue).addHint({ ids: [id] }), { ids: [id] }],
  ];

  it.each(given)(
    'of %s hold only ids, run at once, are tried once and are not kept',
    async (name, add, data) => {
      const queue = process.get<Queue>(getQueueToken(queueNames[name]));
      const [job] = await until(async () => {
        await add();
        const jobs = await queue.getJobs(['waiting']);
        return jobs.length > 0 && jobs;
      });
      expect(job?.data).toEqual(data);
      expect(job?.opts).toMatchObject({ attempts: 1, removeOnComplete: true, removeOnFail: true });
      expect(job?.opts.delay ?? 0).toBe(0);
    },
  );
});
