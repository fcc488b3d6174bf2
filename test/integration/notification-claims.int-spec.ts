import type { TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { newId } from '../../src/database/ids.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { NotificationsModule } from '../../src/notifications/notifications.worker.module.js';
import { NotificationProcessing } from '../../src/notifications/processing/notification-processing.js';
import { NotificationRows } from '../../src/notifications/processing/notification-rows.js';
import { TestDatabase } from '../support/database.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';
import { notification, platformJson, textMessage } from '../support/webhooks.js';

describe('claims of notifications', () => {
  let database: TestDatabase;
  let worker: TestingModule;
  let rows: NotificationRows;
  let other: Client;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    other = new Client({ connectionString: database.url, application_name: 'test' });
    await other.connect();
    worker = await openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('consumer'), RepliesModule, NotificationsModule],
    });
    rows = worker.get(NotificationRows, { strict: false });
  });

  afterAll(async () => {
    await other.query('rollback');
    await worker.close();
    await other.end();
    await database.drop();
  });

  /** A notification as the API has stored it. */
  async function store(): Promise<string> {
    const id = newId();
    await database.sql('insert into platform_notifications (id, body) values ($1, $2)', [
      id,
      Buffer.from(platformJson(notification({ messages: [textMessage()] }))),
    ]);
    return id;
  }

  const rowOf = async (id: string) =>
    (
      await database.sql(
        `select attempts, processed_at, next_attempt_at,
           extract(epoch from next_attempt_at - clock_timestamp()) as lease_seconds
         from platform_notifications where id = $1`,
        [id],
      )
    )[0];
  const isProcessed = async (id: string) => (await rowOf(id)).processed_at !== null;

  it('of a dead worker end after five seconds', async () => {
    const id = await store();
    await rows.claim([id]);
    expect(Number((await rowOf(id)).lease_seconds)).toBeLessThanOrEqual(5);
    await until(() => isProcessed(id));
    expect(await rowOf(id)).toMatchObject({ attempts: 2 });
  });

  it('are kept as long as the work goes on, however slow the store is', async () => {
    await other.query('begin');
    await other.query('lock table notification_keys in exclusive mode');
    const id = await store();
    worker.get(NotificationProcessing, { strict: false }).offer([id]);
    const claimed = await until(async () => {
      const row = await rowOf(id);
      return row.attempts === 1 && row;
    });
    const renewed = claimed.next_attempt_at.getTime() + 2_000;
    await until(async () => (await rowOf(id)).next_attempt_at.getTime() > renewed);
    expect(await rows.claimDue(10)).toEqual([]);
    await other.query('rollback');
    await until(() => isProcessed(id));
    expect(await rowOf(id)).toMatchObject({ attempts: 1 });
  });

  it('that the store broke off do not count, so that nothing is set aside for them', async () => {
    await other.query('begin');
    await other.query('lock table notification_keys in exclusive mode');
    const id = await store();
    worker.get(NotificationProcessing, { strict: false }).offer([id]);
    // More often than a notification is tried.
    for (let breaks = 0; breaks < 6; breaks += 1) {
      await until(async () => {
        const ended = await database.sql(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'
             and query like '%notification_keys%'`,
        );
        return ended.length > 0;
      });
    }
    await other.query('rollback');
    await until(() => isProcessed(id));
    expect(await rowOf(id)).toMatchObject({ attempts: 1 });
    expect(await database.sql(`select from notification_events where state = 'set_aside'`)).toEqual(
      [],
    );
  });
});
