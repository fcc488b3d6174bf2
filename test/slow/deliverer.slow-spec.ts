import { jest } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { newId } from '../../src/database/ids.js';
import { WebhookClient } from '../../src/deliveries/attempts/webhook-client.js';
import { WebhookDeliveriesModule } from '../../src/deliveries/deliveries.worker.module.js';
import { EndpointScan } from '../../src/deliveries/leases/endpoint-scan.js';
import { OpenEvents } from '../../src/deliveries/open-events.js';
import { EventHints } from '../../src/hints/event-hints.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { redisDatabase, TestDatabase } from '../support/database.js';
import { installation, stores } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';
import { type Reaction, WebhookReceiver } from '../support/webhook-receiver.js';
import { sealWebhookSecret } from '../support/webhooks.js';

describe.each(stores)('workers that deliver events, over %s', (store) => {
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let workers: TestingModule[] = [];
  let redisUrl: string | null;

  beforeAll(async () => {
    redisUrl = store === 'redis' ? await redisDatabase() : null;
    receiver = await WebhookReceiver.start();
  });

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    workers = [];
    await database.drop();
  });

  afterAll(() => receiver.close());

  async function startWorker(): Promise<TestingModule> {
    const worker = await openModule({
      databaseUrl: database.url,
      redisUrl,
      environment: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SECONDS: '0.1,0.1' },
      imports: [RepliesModule, WebhookDeliveriesModule],
    });
    workers.push(worker);
    return worker;
  }

  let hooks = 0;
  /** An endpoint that reacts in its own way. */
  async function addEndpoint(reaction: Reaction = { status: 200 }) {
    const hook = `/${store}/deliverer/${(hooks += 1)}`;
    receiver.react(hook, () => reaction);
    const id = newId();
    await database.sql(
      `with key as (
         insert into api_keys (id, account_id, name, digest, display, permissions, signing_secret)
         values ($1, $2, $6, $3, '', '{send_text}', '') returning *
       )
       insert into webhook_endpoints (id, api_key_id, account_id, mode, name, secret, url)
       select id, id, account_id, mode, 'default', $4, $5 from key`,
      [
        id,
        installation.accountId,
        Buffer.from(id),
        sealWebhookSecret(id, `whsec_${Buffer.alloc(32).toString('base64')}`),
        receiver.url(hook),
        id,
      ],
    );
    return { id, hook };
  }

  async function addEvents(
    endpoint: string,
    count: number,
    { isHinted = true } = {},
  ): Promise<void> {
    await database.sql(
      `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body)
       select uuidv7(), uuidv7(), $1, $2, 'live', 'webhook.test',
         '{"event":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","data":{"message":"' || n || '"}}'
       from generate_series(1, $3::int) n`,
      [endpoint, installation.accountId, count],
    );
    if (!isHinted) return;
    const [row] = await database.sql('select extract(epoch from now()) * 1000 - 1000 as ms');
    workers[0]?.get(EventHints, { strict: false }).wake(endpoint, Math.floor(Number(row.ms)));
  }

  const idsAt = (hook: string) => receiver.at(hook).map(({ headers }) => headers['webhook-id']);
  const openAt = async (endpoint: string) =>
    Number(
      (await database.sql('select count(*) from open_events where endpoint_id = $1', [endpoint]))[0]
        .count,
    );

  it.each([1, 2])(
    '%d of them: deliver each event, and none again while a lease lasts',
    async (count) => {
      await Promise.all(Array.from({ length: count }, startWorker));
      const endpoints = await Promise.all([addEndpoint(), addEndpoint(), addEndpoint()]);
      for (let round = 0; round < 20; round += 1) {
        await Promise.all(endpoints.map(({ id }) => addEvents(id, 25)));
      }
      for (const { id, hook } of endpoints) {
        await until(async () => (await openAt(id)) === 0, 60_000);
        expect(new Set(idsAt(hook)).size).toBe(500);
        // Two workers in one process stand still together, and one then takes what the other had in flight.
        expect(idsAt(hook).length - 500).toBeLessThanOrEqual(count === 1 ? 0 : 64);
      }
    },
  );

  it('find events without a hint', async () => {
    const { id, hook } = await addEndpoint();
    await addEvents(id, 3);
    await startWorker();
    await until(() => receiver.at(hook).length === 3);
    expect(new Set(idsAt(hook)).size).toBe(3);
  });

  it('take over from a dead worker, including its retries, even when nothing new comes', async () => {
    const { id, hook } = await addEndpoint();
    await addEvents(id, 3);
    await database.sql(
      `update open_events set attempts = 1, due_at = now() + interval '6 seconds'
       where id = (select id from open_events where endpoint_id = $1 limit 1)`,
      [id],
    );
    // What a killed worker leaves behind: a lease that still runs.
    await database.sql(
      `insert into endpoint_leases (endpoint_id, term, until)
       values ($1, gen_random_uuid(), clock_timestamp() + interval '3 seconds')`,
      [id],
    );
    const worker = await startWorker();
    const scans = jest.spyOn(worker.get(OpenEvents, { strict: false }), 'unowned');
    await until(() => receiver.at(hook).length === 2);
    // When the worker started, the endpoint was owned. No later scan was needed to find it.
    expect(scans).not.toHaveBeenCalled();
    await until(() => receiver.at(hook).length === 3);
    expect(new Set(idsAt(hook)).size).toBe(3);
  });

  it('look again when they were asked to while they were looking', async () => {
    const worker = await startWorker();
    const { id, hook } = await addEndpoint();
    const scan = worker.get(EndpointScan, { strict: false });
    const events = worker.get(OpenEvents, { strict: false });
    const look = events.unowned.bind(events);
    const looks = jest.spyOn(events, 'unowned').mockImplementation(async () => {
      const found = await look();
      if (looks.mock.calls.length > 1) return found;
      // It comes after what this look has seen, and its hint is lost with the connection.
      await addEvents(id, 1, { isHinted: false });
      scan.scanSoon();
      return found;
    });
    scan.scanSoon();
    await until(() => receiver.at(hook).length === 1);
    expect(looks).toHaveBeenCalledTimes(2);
  });

  it('read an event again at once that was not written because the lease had ended', async () => {
    const worker = await startWorker();
    const { id, hook } = await addEndpoint();
    const client = worker.get(WebhookClient, { strict: false });
    const post = client.post.bind(client);
    const posts = jest.spyOn(client, 'post').mockImplementation((url, headers, body, mayWrite) => {
      const isFirst = posts.mock.calls.length === 1;
      return post(url, headers, body, isFirst ? () => false : mayWrite);
    });
    const terms = () =>
      database.sql('select term from endpoint_leases where endpoint_id = $1', [id]);
    await addEvents(id, 1);
    await until(() => posts.mock.calls.length > 0);
    const before = await terms();
    await until(async () => (await openAt(id)) === 0);
    expect(posts).toHaveBeenCalledTimes(2);
    expect(idsAt(hook)).toHaveLength(1);
    // Whoever takes the endpoint next finds a forgotten event again.
    expect(await terms()).toEqual(before);
  });

  it('hand over what is under way, so that a restart repeats nothing', async () => {
    const old = await startWorker();
    const { id, hook } = await addEndpoint({ status: 200, delayMs: 2_000 });
    await addEvents(id, 20);
    await until(() => receiver.at(hook).length === 8);
    await startWorker();
    workers = workers.filter((worker) => worker !== old);
    await old.close();
    await until(async () => (await openAt(id)) === 0);
    expect(idsAt(hook)).toHaveLength(20);
    expect(new Set(idsAt(hook)).size).toBe(20);
  });

  it('go on at an endpoint whose worker lost its lease, and repeat no more than was under way', async () => {
    await startWorker();
    const { id, hook } = await addEndpoint({ status: 200, delayMs: 300 });
    await addEvents(id, 60);
    await until(() => receiver.at(hook).length >= 8);
    // What a worker finds when it continues after a freeze.
    await database.sql(
      `update endpoint_leases set term = gen_random_uuid(), until = now() where endpoint_id = $1`,
      [id],
    );
    await until(async () => (await openAt(id)) === 0, 30_000);
    expect(new Set(idsAt(hook)).size).toBe(60);
    expect(idsAt(hook)).toHaveLength(60);
  });

  it('post up to 64 at once to an endpoint that takes them', async () => {
    await startWorker();
    const { id, hook } = await addEndpoint({ status: 200, delayMs: 100 });
    await addEvents(id, 640);
    await until(async () => (await openAt(id)) === 0, 60_000);
    expect(idsAt(hook)).toHaveLength(640);
    // It starts with eight and takes more while the endpoint keeps up.
    expect(receiver.mostAtOnce(hook)).toBeGreaterThan(32);
    expect(receiver.mostAtOnce(hook)).toBeLessThanOrEqual(64);
  });

  it('post at most 64 unsettled events, however slow the database is', async () => {
    await startWorker();
    const { id, hook } = await addEndpoint();
    await addEvents(id, 60);
    await until(async () => (await openAt(id)) === 0);
    // So many, and each so slow, that most of them still wait when the table is locked.
    receiver.react(hook, () => ({ status: 200, delayMs: 50 }));
    await addEvents(id, 1000);
    const locks = new Client({ connectionString: database.url, application_name: 'test' });
    await locks.connect();
    await locks.query('begin');
    await locks.query('lock table open_events in exclusive mode');
    const unsettled = async () => {
      const [{ settled }] = await database.sql(
        'select count(*)::int as settled from done_events where endpoint_id = $1',
        [id],
      );
      return receiver.at(hook).length - settled;
    };
    await until(async () => (await unsettled()) >= 8);
    const overtakes = until(async () => (await unsettled()) > 64, 2_000);
    await expect(overtakes).rejects.toThrow('never came true');
    // A worker that is killed now leaves these to the next one; all others it has not posted.
    await locks.query('rollback');
    await locks.end();
    await until(async () => (await openAt(id)) === 0, 60_000);
    expect(idsAt(hook)).toHaveLength(1060);
    expect(new Set(idsAt(hook)).size).toBe(1060);
  });

  it('try again after the schedule, and give up at its end', async () => {
    await startWorker();
    const { id, hook } = await addEndpoint({ status: 500 });
    await addEvents(id, 2);
    await until(async () => (await openAt(id)) === 0);
    expect(idsAt(hook)).toHaveLength(6);
    const rows = await database.sql('select status, attempts from done_events');
    expect(rows).toEqual([
      { status: 'failed', attempts: 3 },
      { status: 'failed', attempts: 3 },
    ]);
  });

  it('go on under the same lease after all connections were cut', async () => {
    await startWorker();
    const { id, hook } = await addEndpoint();
    const terms = () =>
      database.sql('select term from endpoint_leases where endpoint_id = $1', [id]);
    await addEvents(id, 2);
    await until(() => receiver.at(hook).length === 2);
    const before = await terms();
    await database.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'parley%'`,
    );
    await addEvents(id, 2);
    await until(async () => (await openAt(id)) === 0, 30_000);
    expect(new Set(idsAt(hook)).size).toBe(4);
    expect(await terms()).toEqual(before);
  });
});
