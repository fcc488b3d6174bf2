import { pino } from 'pino';
import { newId } from '../database/ids.js';
import { Metrics } from '../metrics/metrics.js';
import type { LoggedRequest } from './logged-request.js';
import type { KeptBody, RequestBodies } from './request-bodies.js';
import { RequestBuffer } from './request-buffer.js';
import type { RequestRows } from './request-rows.js';
import { RequestWriter } from './request-writer.js';

const requestWith = (change: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id: newId(),
  accountId: newId(),
  apiKeyId: newId(),
  mode: 'live',
  method: 'POST',
  route: '/messages/text',
  status: 200,
  code: null,
  fields: null,
  address: '203.0.113.7',
  latencyMs: 12,
  messageId: null,
  calls: 1,
  ...change,
});

const idsOf = (rows: readonly LoggedRequest[]) => rows.map(({ id }) => id);

describe('requests that are not written yet', () => {
  let dropped = 0;
  let buffer: RequestBuffer;

  beforeEach(() => {
    dropped = 0;
    buffer = new RequestBuffer(
      (requests) => {
        dropped += requests;
      },
      { kept: 10, strangers: 2, drop: 3 },
    );
  });

  const stranger = { address: '203.0.113.7', status: 401, code: 'INVALID_API_KEY' };
  const noonMs = Date.UTC(2026, 10, 25, 12);

  it('are as many as there is room for: the oldest go first, several at once, and are counted', () => {
    const requests = Array.from({ length: 11 }, () => requestWith());
    for (const request of requests) buffer.add(request);
    expect(dropped).toBe(3);
    expect(idsOf(buffer.take(100))).toEqual(idsOf(requests.slice(3)));
  });

  it('are taken back as the oldest', () => {
    const requests = Array.from({ length: 9 }, () => requestWith());
    for (const request of requests.slice(0, 4)) buffer.add(request);
    const taken = buffer.take(3);
    expect(idsOf(taken)).toEqual(idsOf(requests.slice(0, 3)));
    for (const request of requests.slice(4)) buffer.add(request);
    buffer.takeBack(taken);
    expect([dropped, idsOf(buffer.take(100))]).toEqual([0, idsOf(requests)]);
  });

  it('share a row without a known key, by minute, address and result', () => {
    buffer.addStranger(stranger, noonMs);
    buffer.addStranger(stranger, noonMs + 59_999);
    buffer.addStranger({ ...stranger, status: 429, code: 'RATE_LIMIT_EXCEEDED' }, noonMs);
    const taken = buffer.take(100);
    expect(taken.map(({ code, calls }) => [code, calls])).toEqual([
      ['INVALID_API_KEY', 2],
      ['RATE_LIMIT_EXCEEDED', 1],
    ]);
    buffer.addStranger(stranger, noonMs + 1);
    buffer.addStranger(stranger, noonMs + 60_000);
    buffer.takeBack(taken.slice(0, 1));
    expect(buffer.take(100).map(({ id, calls }) => [id === taken[0]?.id, calls])).toEqual([
      [true, 3],
      [false, 1],
    ]);
  });

  it('come from no more strangers than there is room for', () => {
    for (const last of [1, 1, 2, 3]) {
      buffer.addStranger({ ...stranger, address: `203.0.113.${last}` }, noonMs);
    }
    expect([dropped, buffer.take(100).map(({ address }) => address)]).toEqual([
      2,
      ['203.0.113.2', '203.0.113.3'],
    ]);
  });
});

describe('the writer of the request log', () => {
  const written: LoggedRequest[][] = [];
  const bodies: KeptBody[] = [];
  let metrics: Metrics;
  let writer: RequestWriter;
  /** What the database does with a group. */
  let insert: () => Promise<void>;

  beforeEach(() => {
    written.length = 0;
    insert = async () => {};
    metrics = new Metrics();
    const rows = {
      insert: async (group: LoggedRequest[]) => {
        written.push(group);
        await insert();
      },
    } as unknown as RequestRows;
    bodies.length = 0;
    const keptBodies = {
      insert: async (group: KeptBody[]) => {
        bodies.push(...group);
        await insert();
      },
    } as unknown as RequestBodies;
    writer = new RequestWriter(rows, keptBodies, metrics, pino({ level: 'silent' }));
  });

  const droppedInAll = async () => (await metrics.droppedRequests.get()).values[0]?.value;
  const addMany = (count: number) => {
    for (let left = count; left > 0; left -= 1) writer.add(requestWith());
  };

  it('writes what waits in groups', async () => {
    addMany(1_001);
    await writer.flush();
    expect(written.map(({ length }) => length)).toEqual([500, 500, 1]);
  });

  it('keeps what the database did not take, and writes it next time', async () => {
    insert = () => Promise.reject(new Error('Connection terminated'));
    addMany(2);
    await writer.flush();
    insert = async () => {};
    addMany(1);
    await writer.flush();
    expect(written.map(({ length }) => length)).toEqual([2, 3]);
    expect(written[1]?.slice(0, 2)).toEqual(written[0]);
    expect(await droppedInAll()).toBe(0);
  });

  it('counts what it gives up while the database takes nothing', async () => {
    insert = () => Promise.reject(new Error('Connection terminated'));
    addMany(20_000);
    await writer.flush();
    addMany(1);
    expect(await droppedInAll()).toBe(1_000);
  });

  it('takes requests while the database is silent, and asks it nothing more', async () => {
    let answer: () => void = () => {};
    insert = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    addMany(1);
    const flushed = writer.flush();
    addMany(1);
    void writer.flush();
    expect(written).toHaveLength(1);
    answer();
    await flushed;
    insert = async () => {};
    await writer.flush();
    expect(written.map(({ length }) => length)).toEqual([1, 1]);
  });

  it('gives up rows that the database will never take', async () => {
    insert = () => Promise.reject(Object.assign(new Error('too long'), { code: '22001' }));
    addMany(2);
    await writer.flush();
    insert = async () => {};
    await writer.flush();
    expect([written.length, await droppedInAll()]).toEqual([1, 2]);
  });

  it('writes the bodies that wait, a few a second', async () => {
    const body = () => ({ requestId: newId(), accountId: newId(), text: '{}' });
    for (let count = 0; writer.hasRoomForBody; count += 1) {
      expect(count).toBeLessThan(20);
      writer.addBody(body());
    }
    await writer.flush();
    expect([bodies.length, writer.hasRoomForBody]).toEqual([20, true]);
  });

  it('gives up bodies that could not be written, and no request with them', async () => {
    writer.addBody({ requestId: newId(), accountId: newId(), text: '{}' });
    insert = () => Promise.reject(new Error('Connection terminated'));
    await writer.flush();
    await writer.flush();
    expect([bodies.length, await droppedInAll()]).toEqual([1, 0]);
  });

  it('writes the rest before the process ends', async () => {
    writer.onApplicationBootstrap();
    addMany(2);
    await writer.onApplicationShutdown();
    expect(written.flat()).toHaveLength(2);
  });
});
