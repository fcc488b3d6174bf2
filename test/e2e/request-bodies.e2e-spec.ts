import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { sha256Hex, sign } from '../../src/auth/request-signature.js';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, listMessage, Stack } from '../support/stack.js';

const deep = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('a request', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  afterAll(() => stack?.stop());

  /** What is answered to a body that must be refused: always the envelope. */
  async function refusal(type: 'list' | 'button', body: unknown, headers = {}) {
    const answer = await stack.send(type, body, headers);
    expect(answer.body).toMatchObject({
      success: false,
      error: { code: expect.any(String), message: expect.any(String) },
      meta: {
        request_id: answer.headers.get('x-request-id'),
        rate_limit: { limit: 1_000_000, remaining: expect.any(Number) },
      },
    });
    const { code, details } = answer.body.error;
    return { status: answer.status, code, fields: details?.fields };
  }

  it('with several violations names them all', async () => {
    const sections = [{ title: 5, rows: [{ title: 'A' }] }, { rows: 'none' }];
    expect(
      await refusal('list', listMessage({ to: '12', header: '', sections, more: {} })),
    ).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: {
        to: expect.stringContaining('E.164'),
        header: 'must not be blank',
        'sections[0].title': 'must be a string',
        'sections[0].rows[0].id': 'is required',
        'sections[1].rows': 'must be a list',
        more: 'is not a known field',
      },
    });
  });

  it('to a text that is no phone number is INVALID_PHONE_NUMBER', async () => {
    expect(await refusal('button', buttonMessage({ to: '4155550123' }))).toEqual({
      status: 400,
      code: 'INVALID_PHONE_NUMBER',
      fields: { to: expect.stringContaining('E.164') },
    });
  });

  const json = { 'Content-Type': 'application/json' };
  const valid = JSON.stringify(buttonMessage());
  it.each<[string, string | Uint8Array, Record<string, string>, RegExp]>([
    ['malformed JSON', '{"to": ', json, /valid JSON/],
    ['two JSON texts', `${valid}${valid}`, json, /valid JSON/],
    ['a JSON array', '[]', json, /JSON object/],
    ['JSON null', 'null', json, /JSON object/],
    ['nothing in it', '', json, /empty|required/],
    ['white space in it', ' ', json, /valid JSON/],
    ['the wrong content type', valid, { 'Content-Type': 'text/plain' }, /application\/json/],
    [
      'a form',
      'to=1',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      /application\/json/,
    ],
    [
      'a JSON-like content type',
      valid,
      { 'Content-Type': 'application/jsonp' },
      /application\/json/,
    ],
    ['no content type', Buffer.from(valid), {}, /application\/json/],
    ['a broken content type', valid, { 'Content-Type': 'json' }, /application\/json/],
    ['more than 256 KiB', `{"body":"${'x'.repeat(256 * 1024)}"}`, json, /256 KiB/],
    ['33 levels', deep(33), json, /deeper than 32/],
    ['100,000 levels', deep(30_000), json, /deeper than 32/],
    [
      'bytes that are no UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      json,
      /UTF-8/,
    ],
  ])('whose body is or has %s is refused in the envelope', async (_, body, headers, rule) => {
    const { status, code, fields } = await refusal('button', body, headers);
    expect({ status, code, fields }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: { body: expect.stringMatching(rule) },
    });
  });

  it.each<[string, number, number, boolean, number, string]>([
    ['rightly', 300_000, 0, true, 400, 'VALIDATION_ERROR'],
    ['rightly', 8_000_000, 0, true, 400, 'VALIDATION_ERROR'],
    ['wrongly', 300_000, 1, true, 401, 'INVALID_SIGNATURE'],
    ['not', 300_000, 0, false, 401, 'INVALID_SIGNATURE'],
    // It is answered before its end has come in, so nobody can tell how it was signed.
    ['wrongly', 9_000_000, 1, true, 400, 'VALIDATION_ERROR'],
  ])(
    'that is %s signed and has %i bytes is refused for that',
    async (_, bytes, altered, isSigned, status, code) => {
      const operator = await Dashboard.signIn(stack);
      const created = await operator.newKey({ require_signature: true });
      const body = 'x'.repeat(bytes);
      const [timestamp, nonce] = [Math.floor(Date.now() / 1_000), randomUUID()];
      const target = '/api/v1/external/messages/text';
      const bodySha256 = sha256Hex(Buffer.from(body.slice(altered)));
      const request = { method: 'POST', target, bodySha256 };
      const signature = sign(created.signing_secret, request, timestamp, nonce).toString('hex');
      const answer = await stack.requestAt(target, {
        method: 'POST',
        apiKey: created.key,
        body,
        headers: {
          ...json,
          ...(isSigned && {
            'X-Timestamp': String(timestamp),
            'X-Nonce': nonce,
            'X-Signature': `v1=${signature}`,
          }),
        },
      });
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
      if (status === 400) expect(answer.body.error.message).toMatch(/256 KiB/);
    },
  );

  it('without any body at all is refused for it', async () => {
    const { status, body } = await stack.request('/messages/interactive/list', { method: 'POST' });
    expect({ status, fields: body.error.details.fields }).toEqual({
      status: 400,
      fields: { body: 'is required' },
    });
  });

  it('with NUL in a text, names that objects inherit, and other violations names them all', async () => {
    const body = `{"to":"12","body":"\\u0000","buttons":[],"foo":1,"constructor":{},"__proto__":1}`;
    expect(await refusal('button', body, json)).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: Object.fromEntries([
        ['to', expect.stringContaining('E.164')],
        ['body', 'must not contain NUL characters'],
        ['buttons', 'must have at least 1 item'],
        ['foo', 'is not a known field'],
        ['constructor', 'is not an allowed name'],
        ['__proto__', 'is not an allowed name'],
      ]),
    });
  });

  it('with a member twice, or an integer that would change, names it', async () => {
    const { fields } = await refusal('button', '{"to":"+14155550100","to":"+14155550101"}', json);
    expect(fields).toEqual({ to: 'is given more than once' });
    const flow = { type: 'flow', body: 'a', id: '1', cta: 'a', screen: 'A' };
    const sent = JSON.stringify({ to: '+14155550100', ...flow }).replace(
      '}',
      ',"data":{"id":12345678901234567890}}',
    );
    const answer = await stack.request('/messages/interactive/flow', {
      method: 'POST',
      body: sent,
      headers: json,
    });
    expect(answer.body.error.details.fields).toMatchObject({
      'data.id': expect.stringContaining('send a larger one as a string'),
    });
  });

  it('takes an address of 2,048 characters, however many bytes', async () => {
    const link = `https://e.com/${'😀'.repeat(2_034)}`;
    const answer = await stack.send(
      'button',
      buttonMessage({ header: { type: 'image', image: { link } } }),
      {
        Prefer: 'respond-async',
      },
    );
    expect(answer.status).toBe(202);
    await stack.sql('delete from messages');
  });

  it('with a charset and any letter case in its content type is read', async () => {
    const answer = await stack.send('button', '{}', {
      'Content-Type': 'Application/JSON; charset=utf-8',
    });
    expect(Object.keys(answer.body.error.details.fields)).toEqual(['body', 'buttons', 'to']);
  });

  it.each(['gzip', 'br', 'identity, gzip'])(
    'with Content-Encoding: %s is refused',
    async (encoding) => {
      const answer = await stack.send('button', buttonMessage(), { 'Content-Encoding': encoding });
      expect([answer.status, answer.body.error]).toEqual([
        400,
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          details: { fields: { body: expect.stringContaining('Content-Encoding') } },
        }),
      ]);
    },
  );

  it('with Content-Encoding: identity is read', async () => {
    const answer = await stack.send('button', {}, { 'Content-Encoding': 'Identity' });
    expect(Object.keys(answer.body.error.details.fields)).toEqual(['body', 'buttons', 'to']);
  });

  it.each(['', 'a\tb', 'x'.repeat(256), 'clé'])(
    'with the idempotency key %j is refused',
    async (idempotencyKey) => {
      const answer = await stack.send('button', buttonMessage(), {
        'Idempotency-Key': Buffer.from(idempotencyKey).toString('latin1'),
      });
      expect({ status: answer.status, details: answer.body.error.details }).toEqual({
        status: 400,
        details: { fields: { 'Idempotency-Key': expect.any(String) } },
      });
    },
  );

  it.each([
    ['GET', '/api/v1/external/nothing'],
    ['PUT', '/api/v1/external/nothing'],
    ['POST', '/api/v1/external/messages/interactive/list/'],
    ['POST', '/api/v2/external/messages/interactive/list'],
  ])('%s %s, which does not exist, is 404 NOT_FOUND in the envelope', async (method, path) => {
    const { status, headers, body } = await stack.requestAt(path, { method });
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        success: false,
        error: { code: 'NOT_FOUND', message: expect.any(String) },
        meta: { request_id: headers.get('x-request-id') },
      },
    });
  });

  it.each([
    ['GET', '/api/v1/external/messages/interactive/list', 'POST'],
    ['GET', '/api/v1/external/messages/text', 'POST'],
    ['GET', '/api/v1/external/messages/text?to=1', 'POST'],
    ['PUT', '/api/v1/external/messages/interactive/list', 'POST'],
    ['DELETE', '/api/v1/external/messages', 'GET, HEAD'],
    ['PUT', '/api/v1/external/messages/6f0e', 'GET, HEAD, PATCH'],
    ['POST', '/api/v1/external/webhooks/6f0e', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['DELETE', '/api/v1/dashboard/overview', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
  ])(
    '%s %s, which exists with other methods, is 405 and names them',
    async (method, path, allow) => {
      const { status, headers, body } = await stack.requestAt(path, { method, apiKey: '' });
      expect({ status, body }).toEqual({
        status: 405,
        body: {
          success: false,
          error: {
            code: 'METHOD_NOT_ALLOWED',
            message: expect.stringContaining('send it with '),
            details: { allow: allow.split(', ') },
          },
          meta: { request_id: headers.get('x-request-id') },
        },
      });
      expect(headers.get('allow')).toBe(allow);
    },
  );

  it('with a method that its path does not have takes no unit of the key', async () => {
    const { key } = await addApiKey(stack, { rateLimit: 1 });
    const [wrong, right] = [
      await stack.request('/messages/text', { apiKey: key }),
      await stack.request('/templates', { apiKey: key }),
    ];
    expect([wrong.status, right.status]).toEqual([405, 200]);
  });

  it('HEAD of a path with POST alone is answered as before', async () => {
    const { status } = await stack.requestAt('/api/v1/external/messages/text', { method: 'HEAD' });
    expect(status).toBe(404);
  });

  it.each([
    ['/api/v1/external/messages/%zz', 'MESSAGE_NOT_FOUND'],
    ['/api/v1/external/messages/%c0%80?x=%zz', 'MESSAGE_NOT_FOUND'],
    [`/api/v1/external/messages/${'x'.repeat(5_000)}`, 'MESSAGE_NOT_FOUND'],
    ['/%c0%80', 'NOT_FOUND'],
    [`/${'x'.repeat(5_000)}`, 'NOT_FOUND'],
  ])('for the unknown address %s is 404', async (path, code) => {
    const { status, headers, body } = await stack.requestAt(path);
    expect({ status, body }).toMatchObject({
      status: 404,
      body: { success: false, error: { code }, meta: { request_id: headers.get('x-request-id') } },
    });
  });

  it('for a message needs a key first, whatever the form of the id', async () => {
    for (const id of ['%zz', 'x'.repeat(5_000)]) {
      const { status } = await stack.requestAt(`/api/v1/external/messages/${id}`, { apiKey: '' });
      expect(status).toBe(401);
    }
  });

  it('with 12 MiB is refused, and the next one on its connection is answered', async () => {
    const { port } = new URL(stack.apis[0]?.url ?? '');
    const head = 'POST /api/v1/external/messages/text HTTP/1.1\r\nHost: x\r\n';
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head}Content-Length: ${12 * 1024 * 1024}\r\n\r\n`);
    socket.write('x'.repeat(12 * 1024 * 1024));
    socket.write(`${head}Content-Length: 2\r\nConnection: close\r\n\r\n{}`);
    expect((await text(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401']);
  });

  it.each([
    ['is no HTTP', 'HELLO\r\n\r\n', 400],
    ['has headers too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['names two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n', 400],
    ['is for a proxy', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405],
  ])('that %s is refused in the envelope', async (_, raw, status) => {
    const { port } = new URL(stack.apis[0]?.url ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(raw);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const [head, body = ''] = answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.any(String) }),
      meta: { request_id: head?.match(/x-request-id: (\S+)/i)?.[1] },
    });
  });

  it('that is answered before its body is read gets no second answer for a bad body', async () => {
    const { port } = new URL(stack.apis[0]?.url ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n');
    expect((await text(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 405']);
  });

  it('with an unknown Expect header is answered like any other', async () => {
    const { port } = new URL(stack.apis[0]?.url ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'GET /nothing HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    );
    expect(await text(socket)).toMatch(/^HTTP\/1.1 404 [^]*x-request-id: [^]*"NOT_FOUND"/);
  });

  it('that was refused leaves nothing behind', async () => {
    expect(await stack.sql('select id from messages')).toEqual([]);
    expect(await stack.sql('select key from idempotency_keys')).toEqual([]);
  });
});
