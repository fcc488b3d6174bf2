import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { buttonMessage, listMessage, Stack } from '../support/stack.js';

const rows = (count: number) =>
  Array.from({ length: count }, (_, row) => ({ id: `row ${row}`, title: `Row ${row}` }));
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

  it.each<[string, 'list' | 'button', Record<string, unknown>, Record<string, unknown>]>([
    ['a missing body', 'button', { body: undefined }, { body: 'is required' }],
    ['a blank body', 'button', { body: ' \n ' }, { body: 'must not be blank' }],
    ['a body of another type', 'button', { body: 1 }, { body: 'must be a string' }],
    [
      'a body too long',
      'button',
      { body: 'x'.repeat(1_025) },
      { body: 'must be at most 1024 characters; this has 1025' },
    ],
    ['no buttons', 'button', { buttons: [] }, { buttons: 'must have at least 1 item' }],
    [
      'four buttons',
      'button',
      { buttons: rows(4) },
      { buttons: 'must have at most 3 items; this has 4' },
    ],
    ['buttons that are no list', 'button', { buttons: {} }, { buttons: 'must be a list' }],
    [
      'a button that is null, and another that is wrong',
      'button',
      { buttons: [null, { id: 'a', title: 'x'.repeat(21) }] },
      {
        buttons: 'must be a list of objects',
        'buttons[0]': 'must be an object',
        'buttons[1].title': 'must be at most 20 characters; this has 21',
      },
    ],
    [
      'four buttons, of which one has no title',
      'button',
      { buttons: [...rows(3), { id: 'a' }] },
      {
        buttons: 'must have at most 3 items; this has 4',
        'buttons[3].title': 'is required',
      },
    ],
    [
      'two buttons with one id',
      'button',
      {
        buttons: [
          { id: 'a', title: 'A' },
          { id: 'a', title: 'B' },
        ],
      },
      { buttons: 'must have unique ids; "a" is used more than once' },
    ],
    [
      'a button without title',
      'button',
      { buttons: [{ id: 'a', title: 'A' }, { id: 'b' }] },
      { 'buttons[1].title': 'is required' },
    ],
    [
      'a header of an unknown type',
      'button',
      { header: { type: 'audio' } },
      { 'header.type': 'must be one of text, image, video, document' },
    ],
    [
      'a text header without text',
      'button',
      { header: { type: 'text' } },
      { 'header.text': 'is required' },
    ],
    [
      'a header with the fields of another type',
      'button',
      { header: { type: 'text', text: 'T', image: { link: 'https://example.com/a.jpg' } } },
      { 'header.image': 'belongs to a header of type image only' },
    ],
    [
      'a header of another type, whose own fields do not matter',
      'button',
      { header: { type: 'text', text: 'T', image: {}, video: [{}] } },
      {
        'header.image': 'belongs to a header of type image only',
        'header.video': 'belongs to a header of type video only',
      },
    ],
    ['a header that is a list', 'button', { header: [{}] }, { header: 'must be an object' }],
    [
      'an address of more than 2,048 characters',
      'button',
      { header: { type: 'image', image: { link: `https://e.com/${'😀'.repeat(2_035)}` } } },
      { 'header.image.link': 'must be at most 2048 characters; this has 2049' },
    ],
    [
      'an image that is no web address',
      'button',
      { header: { type: 'image', image: { link: 'ftp://example.com/a.jpg' } } },
      { 'header.image.link': 'must be a link that begins with http:// or https://' },
    ],
    [
      'a document without link',
      'button',
      { header: { type: 'document', document: { filename: 'a.pdf' } } },
      { 'header.document.link': 'is required' },
    ],
    ['an unknown field', 'button', { buton: 'x' }, { buton: 'is not a known field' }],
    [
      'an unknown field deep down',
      'list',
      { sections: [{ rows: [{ id: 'a', title: 'A', descripton: 'x' }] }] },
      { 'sections[0].rows[0].descripton': 'is not a known field' },
    ],
    [
      'a row title too long',
      'list',
      { sections: [{ rows: [rows(1)[0], { id: 'b', title: 'x'.repeat(25) }] }] },
      { 'sections[0].rows[1].title': 'must be at most 24 characters; this has 25' },
    ],
    [
      'a section without rows',
      'list',
      { sections: [{ rows: [] }] },
      { 'sections[0].rows': 'must have at least 1 item' },
    ],
    [
      'eleven rows in a section',
      'list',
      { sections: [{ rows: rows(11) }] },
      { 'sections[0].rows': 'must have at most 10 items; this has 11' },
    ],
    [
      'eleven sections',
      'list',
      {
        sections: Array.from({ length: 11 }, (_, section) => ({
          title: 'S',
          rows: [{ id: `${section}`, title: 'R' }],
        })),
      },
      { sections: 'must have at most 10 items; this has 11' },
    ],
    [
      'one row id in two sections',
      'list',
      { sections: [{ rows: rows(1) }, { rows: rows(1) }] },
      { sections: 'must have unique ids; "row 0" is used more than once' },
    ],
    [
      'repeated ids together with wrong titles',
      'list',
      {
        sections: [
          { title: 'x'.repeat(25), rows: [...rows(1), { ...rows(1)[0], title: '', foo: 1 }] },
          { rows: [] },
        ],
      },
      {
        sections: 'must have unique ids; "row 0" is used more than once',
        'sections[0].title': 'must be at most 24 characters; this has 25',
        'sections[0].rows[1].title': 'must not be blank',
        'sections[0].rows[1].foo': 'is not a known field',
        'sections[1].rows': 'must have at least 1 item',
      },
    ],
    ['no button text', 'list', { button: null }, { button: 'is required' }],
    ['a long reference', 'list', { reference: 'x'.repeat(101) }, { reference: expect.any(String) }],
    [
      'a header that is no text',
      'list',
      { header: { type: 'text' } },
      { header: 'must be a string' },
    ],
  ])('with %s names the field', async (_, type, change, fields) => {
    const message = type === 'list' ? listMessage(change) : buttonMessage(change);
    expect(await refusal(type, message)).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields,
    });
  });

  it('with several violations names them all', async () => {
    const { fields } = await refusal('list', {
      to: '12',
      header: '',
      footer: 'x'.repeat(61),
      button: 'Choose',
      sections: [
        { title: 5, rows: [{ title: 'A' }, { id: 'b', title: 'B', extra: true }] },
        { rows: 'none' },
      ],
      more: {},
    });
    expect(Object.keys(fields).toSorted()).toEqual([
      'body',
      'footer',
      'header',
      'more',
      'sections[0].rows[0].id',
      'sections[0].rows[1].extra',
      'sections[0].title',
      'sections[1].rows',
      'to',
    ]);
  });

  it('with thousands of wrong items gets one error for the list', async () => {
    const { fields } = await refusal(
      'button',
      buttonMessage({ buttons: Array.from({ length: 60_000 }, () => ({})) }),
    );
    expect(fields).toEqual({ buttons: 'must have at most 3 items; this has 60000' });
  });

  it.each([
    '4155550123',
    '+04155550123',
    '+1',
    '+1415555012345678',
    '+1 415 555 0123',
    '+1415555o123',
    ' +14155550123',
    '+14155550123\n',
  ])('to the text %j is INVALID_PHONE_NUMBER', async (to) => {
    expect(await refusal('button', buttonMessage({ to }))).toEqual({
      status: 400,
      code: 'INVALID_PHONE_NUMBER',
      fields: { to: expect.stringContaining('E.164') },
    });
  });

  it.each([undefined, null, '', '   ', 14155550123, ['+14155550123']])(
    'to %j, which is no number at all, is VALIDATION_ERROR',
    async (to) => {
      const { code, fields } = await refusal('button', buttonMessage({ to }));
      expect({ code, fields: Object.keys(fields) }).toEqual({
        code: 'VALIDATION_ERROR',
        fields: ['to'],
      });
    },
  );

  it('to a wrong number with another violation is VALIDATION_ERROR with both', async () => {
    const { code, fields } = await refusal('button', buttonMessage({ to: '12', body: '' }));
    expect({ code, fields: Object.keys(fields).toSorted() }).toEqual({
      code: 'VALIDATION_ERROR',
      fields: ['body', 'to'],
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

  it('without any body at all is refused for it', async () => {
    const { status, body } = await stack.request('/messages/interactive/list', { method: 'POST' });
    expect({ status, fields: body.error.details.fields }).toEqual({
      status: 400,
      fields: { body: 'is required' },
    });
  });

  it.each([
    ['NUL', '\\u0000', 'must not contain NUL characters'],
    ['a lone surrogate', '\\ud83d', 'must not contain lone surrogates'],
  ])('with %s in a text names the field', async (_, escape, rule) => {
    const body = JSON.stringify(listMessage()).replace('At noon', `At ${escape} noon`);
    expect(await refusal('list', body, json)).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: { 'sections[0].rows[0].title': rule },
    });
  });

  it('with such a text and other violations names them all', async () => {
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

  it('with a name that every object inherits, at any depth, names it', async () => {
    const name = { constructor: { prototype: { admin: true } } };
    const body = JSON.stringify(buttonMessage({ header: name, buttons: [name], body: name }));
    const { code, fields } = await refusal('button', body, json);
    expect(code).toBe('VALIDATION_ERROR');
    for (const path of ['header', 'buttons[0]', 'body']) {
      expect(fields[`${path}.constructor`]).toBe('is not an allowed name');
    }
    expect(fields.body).toBe('must be a string');
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
    expect(Object.keys(answer.body.error.details.fields)).toEqual(['to', 'body', 'buttons']);
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
    expect(Object.keys(answer.body.error.details.fields)).toEqual(['to', 'body', 'buttons']);
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
    ['GET', '/'],
    ['GET', '/api/v1/external/messages/interactive/list'],
    ['PUT', '/api/v1/external/messages/interactive/list'],
    ['DELETE', '/api/v1/external/messages'],
    ['POST', '/api/v1/external/messages/interactive/list/'],
    ['POST', '/api/v2/external/messages/interactive/list'],
  ])('%s %s, which does not exist, is 404 NOT_FOUND in the envelope', async (method, path) => {
    const { status, headers, body } = await stack.requestAt(path, { method });
    // GET …/interactive/list has the form of a message id, under which there is none.
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

  it('for a message with an id of any form needs a key first', async () => {
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
      error: { code: 'VALIDATION_ERROR', message: expect.any(String) },
      meta: { request_id: head?.match(/x-request-id: (\S+)/i)?.[1] },
    });
  });

  it('that expects what is not known is answered as any other', async () => {
    const { port } = new URL(stack.apis[0]?.url ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 404 [^]*x-request-id: [^]*"NOT_FOUND"/);
  });

  it('that was refused has left nothing behind', async () => {
    expect(await stack.sql('select id from messages')).toEqual([]);
    expect(await stack.sql('select key from idempotency_keys')).toEqual([]);
  });
});
