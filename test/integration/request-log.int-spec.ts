import { randomBytes } from 'node:crypto';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { dayMs } from '#libs/durations';
import { newId } from '../../src/database/ids.js';
import { PeriodicWorkModule } from '../../src/database/periodic-work.module.js';
import type { LoggedRequest } from '../../src/request-log/logged-request.js';
import { RequestBodies } from '../../src/request-log/request-bodies.js';
import { RequestBuffer } from '../../src/request-log/request-buffer.js';
import { RequestDaysModule } from '../../src/request-log/request-log.worker.module.js';
import { RequestRows } from '../../src/request-log/request-rows.js';
import { SecretBox } from '../../src/secrets/secret-box.js';
import { SecretRotation } from '../../src/secrets/secret-rotation.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

const requestWith = (change: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id: newId(),
  accountId: newId(),
  apiKeyId: newId(),
  mode: 'live',
  method: 'POST',
  route: '/messages/:uuid',
  status: 400,
  code: 'VALIDATION_ERROR',
  fields: ['to', 'sections[0].rows[1]', 'a"b\\c,d}'],
  address: '2001:db8::1',
  latencyMs: 12,
  messageId: newId(),
  calls: 1,
  ...change,
});

/** The partition of a day, counted from today. */
const partitionOf = (ahead: number) => {
  const day = new Date(Date.now() + ahead * dayMs).toISOString().slice(0, 10);
  return `request_log_${day.replaceAll('-', '_')}`;
};

describe('the rows of the request log', () => {
  let database: TestDatabase;
  let module: TestingModule;
  let rows: RequestRows;

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    module = await openModule({
      databaseUrl: database.url,
      providers: [RequestBodies, RequestRows],
    });
    rows = module.get(RequestRows);
  });

  afterEach(async () => {
    await module?.close();
    await database.drop();
  });

  const partitions = async () => {
    const found = await database.sql(
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent = 'request_log'::regclass order by 1`,
    );
    return found.map(({ name }) => name);
  };
  const addDay = (ahead: number) => {
    const first = (days: number) =>
      `first_id_of(date_trunc('day', now(), 'UTC') + ${days} * interval '24 hours')`;
    return database.sql(
      `do $$ begin execute format('create table ${partitionOf(ahead)} partition of request_log
         for values from (%L) to (%L)', ${first(ahead)}, ${first(ahead + 1)}); end $$`,
    );
  };

  it('are stored as they are', async () => {
    const refused = requestWith();
    const accepted = requestWith({ code: null, fields: null, status: 200 });
    await rows.insert([refused, accepted]);
    const stored = await database.sql(
      `select id, account_id as "accountId", api_key_id as "apiKeyId", mode, method, route, status, code, fields,
         address, latency_ms as "latencyMs", message_id as "messageId", calls from request_log order by status desc`,
    );
    expect(stored).toEqual([refused, accepted]);
  });

  it('add up requests without a known key that several processes count, and no others', async () => {
    const buffer = new RequestBuffer(() => {});
    buffer.addStranger({ address: '203.0.113.7', status: 401, code: 'INVALID_API_KEY' });
    const strangers = buffer.take(1);
    const request = requestWith();
    await rows.insert([...strangers, request]);
    await rows.insert([...strangers, request]);
    expect(await database.sql('select calls from request_log order by calls')).toEqual([
      { calls: 1 },
      { calls: 2 },
    ]);
  });

  it('find a place on a day that nobody has prepared', async () => {
    await rows.keepDays(0);
    await rows.insert([requestWith()]);
    expect(await partitions()).toContain(partitionOf(0));
    expect(await database.sql('select id from request_log')).toHaveLength(1);
  });

  it('have the next days ready, and lose those whose last request is too old, and no others', async () => {
    expect(await partitions()).toEqual([-1, 0, 1, 2].map(partitionOf));
    for (const ahead of [-9, -8, -7]) await addDay(ahead);
    await database.sql(`drop table ${partitionOf(2)}`);
    await rows.keepDays(7);
    // Of the day a week ago, the last request is not yet a week old.
    expect(await partitions()).toEqual([-7, -1, 0, 1, 2].map(partitionOf));
  });

  it.each(['America/Los_Angeles', 'Pacific/Kiritimati'])(
    'have the same days whatever the time zone of the session: %s',
    async (zone) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.sql(`alter database ${name} set timezone = '${zone}'`);
      for (const ahead of [-8, -7]) await addDay(ahead);
      await rows.keepDays(7);
      expect(await partitions()).toEqual([-7, -1, 0, 1, 2].map(partitionOf));
    },
  );

  it('go all together when requests are no longer logged', async () => {
    await rows.insert([requestWith()]);
    await rows.keepDays(0);
    expect(await partitions()).toEqual([]);
  });

  it('have bodies that a new SECRET_KEY still reads, once it has sealed them again', async () => {
    const [requestId, accountId] = [newId(), newId()];
    await module.get(RequestBodies).insert([{ requestId, accountId, text: '{"to": "…"}' }]);
    const newKey = randomBytes(32).toString('base64');
    const openWith = (secretKey: string) =>
      openModule({
        databaseUrl: database.url,
        environment: { SECRET_KEY: secretKey },
        providers: [RequestBodies],
      });
    const both = await openWith(`${newKey},${installation.secretKey}`);
    await new SecretRotation(both.get(DataSource), both.get(SecretBox)).rotateSecrets();
    await both.close();
    const fresh = await openWith(newKey);
    expect((await fresh.get(RequestBodies).find(requestId, accountId))?.text).toBe('{"to": "…"}');
    expect(await fresh.get(RequestBodies).find(requestId, newId())).toBeNull();
    await fresh.close();
  });

  it('are kept in shape by the worker', async () => {
    await addDay(-9);
    const worker = await openModule({
      databaseUrl: database.url,
      environment: { REQUEST_LOG_DAYS: '3' },
      imports: [PeriodicWorkModule, RequestDaysModule],
    });
    await until(async () => !(await partitions()).includes(partitionOf(-9)));
    await worker.close();
  });
});
