import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { Dashboard } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { type Call, Caller, describeCall, faultOf } from './answers.js';
import { isDashboard, isExternal, pathWith, routes } from './routes.js';
import { inGroups, report, runs } from './runs.js';
import { countRows } from './stored-rows.js';

/** Texts in places where ids, filters and cursors are expected. */
const words = fc.oneof(
  fc.constantFrom(
    ...[
      ['', ' ', '0', '-1', '1e9', '101', 'null', 'true', '[object Object]', '*', '%', '_', "'"],
      ["' or 1=1 --", '../..', '%2e%2e%2f', '\0', '\n', '\u2028', '😀', 'x'.repeat(4_000)],
      ['00000000-0000-0000-0000-000000000000', '01a1fe24-d4ba-71e8-a502-760746519a21'],
      ['2026-13-45', '2026-11-21T12:00:00Z', '+14155550123', '14155550123', 'sent', 'queued'],
      ['wamid.X', 'eyJhIjoxfQ', 'live', 'test', 'name', '__proto__', 'constructor'],
    ].flat(),
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.uuid(),
  fc.base64String({ maxLength: 60 }),
);

/** Parts of an address: mostly encoded as they should be, sometimes as they are. */
const parts = fc.oneof(
  { weight: 6, arbitrary: words.map((word) => encodeURIComponent(word.toWellFormed())) },
  { weight: 1, arbitrary: fc.constantFrom('%zz', '%', '%c0%80', '%00', '%ff%fe', 'a%2Fb', ';a=b') },
);

const headerValues = words.map((word) => word.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').trim());

const extraHeaders = fc.dictionary(
  fc.constantFrom(
    ...[
      ['prefer', 'idempotency-key', 'x-timestamp', 'x-nonce', 'x-signature', 'x-request-id'],
      ['accept', 'accept-encoding', 'if-none-match', 'range', 'origin', 'x-forwarded-for'],
      ['x-http-method-override', 'forwarded', 'content-type', 'authorization', 'traceparent'],
    ].flat(),
  ),
  headerValues,
  { maxKeys: 3 },
);

/** Raw bytes for the socket, and whether they are valid HTTP. */
const rawRequests: readonly [name: string, bytes: string][] = [
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG',
  ],
  ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
  ['a hidden coding', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\nX B: c\r\n\r\n'],
  ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
  ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['another protocol', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['an endless line', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: a\r\n'.repeat(10_000)}\r\n`],
  ['one huge header', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['the start of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a bad chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n'],
];

describe('requests', () => {
  let stack: Stack;
  let caller: Caller;
  let operator: Dashboard;

  beforeAll(async () => {
    // Without a worker, only the calls write.
    stack = await Stack.start({
      store: stores.at(-1),
      workers: 0,
      env: { LOG_LEVEL: 'warn' },
    });
    caller = new Caller(stack.apis[0]?.url ?? '');
    operator = await Dashboard.signIn(stack);
  });

  afterAll(async () => {
    await caller?.close();
    await stack?.stop();
  });

  it('without a body get an answer in the envelope, never a 5xx, whatever they ask for', async () => {
    const bodiless = routes.filter(
      (route) =>
        (isExternal(route) || isDashboard(route)) &&
        !route.hasBody &&
        !/\/sessions?$|\/sync$/.test(route.path),
    );
    const calls: fc.Arbitrary<Call> = fc
      .record({
        route: fc.constantFrom(...bodiless),
        ids: fc.tuple(parts, parts),
        query: fc.array(fc.tuple(fc.nat(20), parts), { maxLength: 4 }),
        headers: extraHeaders,
      })
      .map(({ route, ids: [one, other], query, headers }) => {
        const names = [...route.query, '__proto__', 'a[b]', ''];
        const search = query.map(([index, value]) => `${names[index % names.length]}=${value}`);
        const ids = { id: one, uuid: one, wamid: one, template_id: other };
        const path = pathWith(route.path, ids);
        return {
          method: route.method,
          path: search.length > 0 ? `${path}?${search.join('&')}` : path,
          headers: {
            ...headers,
            ...(isExternal(route)
              ? { 'x-api-key': installation.apiKey }
              : { cookie: operator.cookie ?? '' }),
          },
          body: null,
        };
      });
    const before = await countRows(stack);
    let tried = 0;
    await inGroups(runs, calls, async (group) => {
      const answers = await Promise.all(group.map((call) => caller.call(call)));
      for (const [index, answer] of answers.entries()) {
        const fault = faultOf(answer);
        const call = group[index];
        if (fault && call) throw new Error(`an answer ${fault}:\n${describeCall(call, answer)}`);
        tried += 1;
      }
    });
    expect(await countRows(stack)).toEqual(before);
    report(`requests without a body: ${tried} calls of ${bodiless.length} routes`);
  });

  it.each(rawRequests)(
    'with %s are refused in the envelope, and the socket ends',
    async (_, bytes) => {
      const socket = connect(stack.apis[0]?.port ?? 0, '127.0.0.1');
      socket.on('error', () => {});
      socket.end(Buffer.from(bytes, 'latin1'));
      const answer = await text(socket).catch(() => '');
      // What comes after an answer would be an answer to a smuggled request.
      const answers = answer.split('HTTP/1.1 ').slice(1);
      expect(answers.length).toBeLessThanOrEqual(1);
      for (const one of answers) {
        expect(one).toMatch(/^4\d\d /);
        expect(JSON.parse(one.split('\r\n\r\n')[1] ?? '')).toMatchObject({ success: false });
      }
      expect(await stack.apis[0]?.health('live')).toBe(200);
    },
  );

  it('with slow bodies do not delay others, and are given up after half a minute', async () => {
    const port = stack.apis[0]?.port ?? 0;
    const head =
      'POST /api/v1/external/messages/interactive/button HTTP/1.1\r\nHost: x\r\n' +
      `X-API-Key: ${installation.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
    const slow = Array.from({ length: 200 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(head);
      return text(socket).catch(() => '');
    });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => stack.send('button', buttonMessage())),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const ends = await Promise.all(slow);
    for (const end of ends) expect(end).toMatch(/^HTTP\/1\.1 408 /);
  });
});
