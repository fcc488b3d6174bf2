import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { report } from './runs.js';

/** Longer than any time-out of the server: its sockets are free well before. */
const patienceMs = 180_000;

/** What strangers' sockets leave behind, and what a good caller notices of them. */
describe('sockets', () => {
  let stack: Stack;
  let sockets: Socket[] = [];

  beforeAll(async () => {
    stack = await Stack.start({ env: { LOG_LEVEL: 'warn' } });
    for (let call = 0; call < 50; call += 1) await send();
  });

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });

  afterAll(() => stack?.stop());

  const port = () => Number(new URL(stack.apis[0]?.url ?? '').port);
  const descriptors = () => readdirSync(`/proc/${stack.apis[0]?.pid}/fd`).length;

  async function externalBytes(): Promise<number> {
    const text = await (await fetch(`${stack.apis[0]?.url}/metrics`)).text();
    return Number(/^nodejs_external_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1]);
  }

  /** Opens connections that never close by themselves, and reads from them only on request. */
  function open(count: number, first: string | Buffer, reads = false): void {
    for (let index = 0; index < count; index += 1) {
      const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      if (reads) socket.resume();
      else socket.pause();
      if (first.length > 0) socket.write(first);
      sockets.push(socket);
    }
  }

  async function send(): Promise<void> {
    const answer = await fetch(`${stack.apis[0]?.url}/api/v1/external/templates`, {
      headers: { 'X-API-Key': installation.apiKey },
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }

  /**
   * Waits until descriptors and then memory are back. Other calls go on meanwhile, because V8 collects
   * garbage only when something is allocated, and old buffers only now and then.
   */
  async function freed(before: { descriptors: number; bytes: number }) {
    await until(() => descriptors() - before.descriptors <= 10, patienceMs);
    let moreBytes = 0;
    await until(async () => {
      for (let call = 0; call < 20; call += 1) await send();
      moreBytes = (await externalBytes()) - before.bytes;
      return moreBytes <= 16 * 2 ** 20;
    }, patienceMs).catch(() => undefined);
    expect(moreBytes / 2 ** 20).toBeLessThanOrEqual(16);
  }

  it('that are refused are free again though their clients never close, and a good caller is served', async () => {
    const before = { descriptors: descriptors(), bytes: await externalBytes() };
    open(1_000, 'nonsense\r\n\r\n');
    await until(() => descriptors() > before.descriptors + 500);
    for (let call = 0; call < 100; call += 1) await send();
    await freed(before);
  });

  it.each([
    ['say nothing', ''],
    ['send half a header', 'POST /api/v1/external/messages/text HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ])('that %s are refused and free again', async (_, first) => {
    const before = { descriptors: descriptors(), bytes: await externalBytes() };
    open(200, first);
    await until(() => descriptors() > before.descriptors + 150);
    await freed(before);
  });

  it('that send half of a large body, or never read, are free again', async () => {
    const before = { descriptors: descriptors(), bytes: await externalBytes() };
    const size = 4 * 1024 * 1024;
    const head = `POST /api/v1/platform/whatsapp/webhooks HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
    open(60, Buffer.concat([Buffer.from(head), Buffer.alloc(size - 1, 32)]));
    open(60, request.repeat(60));
    await until(() => descriptors() > before.descriptors + 60);
    let most = 0;
    const watch = setInterval(
      () =>
        void externalBytes().then(
          (now) => (most = Math.max(most, now)),
          () => undefined,
        ),
      500,
    );
    try {
      for (let call = 0; call < 50; call += 1) await send();
      await freed(before);
    } finally {
      clearInterval(watch);
    }
    report(
      `half-sent bodies and unread answers held ${Math.round((most - before.bytes) / 2 ** 20)} MiB at most`,
    );
  });

  it('of clients that close one half are answered', async () => {
    const answers = await Promise.all(
      Array.from(
        { length: 20 },
        () =>
          new Promise<string>((resolve) => {
            const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
            let text = '';
            socket.on('data', (chunk) => (text += chunk.toString()));
            socket.on('close', () => resolve(text));
            socket.on('end', () => socket.end());
            socket.end('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
          }),
      ),
    );
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});
