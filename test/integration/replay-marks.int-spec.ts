import type { TestingModule } from '@nestjs/testing';
import { ReplayMarks } from '../../src/auth/replay-marks.js';
import { newId } from '../../src/database/ids.js';
import { TestDatabase } from '../support/database.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe('replay marks', () => {
  let database: TestDatabase;
  let processes: TestingModule[];

  beforeEach(async () => {
    database = await TestDatabase.clone('seeded');
    processes = [];
  });

  afterEach(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  /** The marks of a process that starts now. */
  async function start(): Promise<ReplayMarks> {
    const process = await openModule({ databaseUrl: database.url, providers: [ReplayMarks] });
    processes.push(process);
    return process.get(ReplayMarks);
  }

  const request = (text: string, timestamp = nowSeconds(), apiKeyId = newId()) => ({
    apiKeyId,
    fingerprint: Buffer.from(text),
    timestamp,
  });

  /** As if the database were another one: restored, or a promoted standby. */
  const changeHistory = () =>
    database.sql(`update database_histories set history = history || 'before'`);

  it('let requests in right after the first start, even from a slow clock', async () => {
    const marks = await start();
    expect(await marks.mark(request('now'))).toBe(true);
    expect(await marks.mark(request('slow', nowSeconds() - 299))).toBe(true);
  });

  it('let one of fifty equal requests in, even over two processes', async () => {
    const [first, second] = [await start(), await start()];
    const same = request('a');
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? first : second).mark(same)),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
  });

  it('judge each request by itself, whatever else is in its group', async () => {
    const marks = await start();
    const used = request('used');
    expect(await marks.mark(used)).toBe(true);
    const requests = [request('x'), used, request('y'), used, request('z')];
    expect(await Promise.all(requests.map((one) => marks.mark(one)))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('are kept per key', async () => {
    const marks = await start();
    expect(await marks.mark(request('b'))).toBe(true);
    expect(await marks.mark(request('b'))).toBe(true);
  });

  it('may be missing after the database changed: every process refuses older timestamps', async () => {
    const former = await start();
    const used = request('c');
    expect(await former.mark(used)).toBe(true);
    await changeHistory();
    await database.sql('delete from replay_marks');
    for (const marks of [former, await start()]) {
      expect(await marks.mark(used)).toBe(false);
      expect(await marks.mark(request('d', used.timestamp - 100))).toBe(false);
    }
    await until(async () => former.mark(request('e')));
  });

  it('let requests in at once in a process that starts on another database', async () => {
    await start();
    await changeHistory();
    const marks = await start();
    expect(await marks.mark(request('f'))).toBe(true);
  });
});
