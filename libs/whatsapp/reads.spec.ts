import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { WhatsAppClient, type WhatsAppClientOptions } from './client.js';
import { PlatformRequestError } from './reads.js';
import { response, type Script, ScriptedServer } from './scripted-server.js';

const someToken = 'EAAGsecret0123456789';
const account = { businessAccountId: '102290129340398', accessToken: someToken };
const sender = { phoneNumberId: '106540352242922', accessToken: someToken };
const unknownObject = {
  error: {
    message: 'Unsupported get request',
    type: 'GraphMethodException',
    code: 100,
    error_subcode: 33,
    fbtrace_id: 'A',
  },
};

let server: ScriptedServer;
let client: WhatsAppClient;

async function serve(script: Script, options: Partial<WhatsAppClientOptions> = {}): Promise<void> {
  server = await ScriptedServer.listen(script);
  client = new WhatsAppClient({
    baseUrl: `${server.origin}/v25.0`,
    userAgent: 'Tests/1.0',
    connections: 1,
    ...options,
  });
}

/** Answers each request with the next body. */
const inTurn = (bodies: () => unknown[]): Script => {
  let turn = 0;
  return (socket) => socket.write(response(200, bodies()[turn++] ?? {}));
};
const template = (name: string, more = {}) => ({
  id: '1',
  name,
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hi {{1}}', example: { body_text: [['Ann']] } }],
  ...more,
});
const failure = (promise: Promise<unknown>): Promise<PlatformRequestError> =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: PlatformRequestError) => error,
  );

afterEach(async () => {
  await client.destroy();
  await server.close();
});

describe('listTemplates', () => {
  it('follows next to the last page and stops there, even though that page has a cursor', async () => {
    const cursors = { after: 'x' };
    await serve(
      inTurn(() => [
        { data: [template('a')], paging: { cursors, next: `${server.origin}/v25.0/w/p?after=1` } },
        { data: [template('b')], paging: { cursors, next: `${server.origin}/v25.0/w/p?after=2` } },
        { data: [template('c')], paging: { cursors } },
      ]),
    );
    const templates = await client.listTemplates(account);
    expect(templates.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(server.requests.map((text) => text.split(' ')[1]?.split('?')[0])).toEqual([
      '/v25.0/102290129340398/message_templates',
      '/v25.0/w/p',
      '/v25.0/w/p',
    ]);
    expect(server.requests.every((text) => text.includes(`Bearer ${someToken}`))).toBe(true);
  });

  it('reads a definition', async () => {
    const components = [{ type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: ['SALE'] }] }];
    await serve(
      inTurn(() => [
        {
          data: [
            template('a', {
              components,
              parameter_format: 'NAMED',
              quality_score: { score: 'GREEN' },
              rejected_reason: 'NONE',
            }),
          ],
        },
      ]),
    );
    expect(await client.listTemplates(account, { name: 'a b' })).toEqual([
      {
        id: '1',
        name: 'a',
        language: 'en_US',
        status: 'APPROVED',
        category: 'UTILITY',
        parameterFormat: 'NAMED',
        components,
        qualityScore: 'GREEN',
        rejectedReason: null,
      },
    ]);
    expect(server.requests[0]).toContain('name=a+b');
  });

  it('leaves out what is not a template', async () => {
    await serve(inTurn(() => [{ data: [null, 7, { name: 'a' }, template('b')] }]));
    expect((await client.listTemplates(account)).map(({ name }) => name)).toEqual(['b']);
  });

  it.each([
    ['another origin', () => 'http://127.0.0.1:1/v25.0/w?after=1'],
    ['no address at all', () => 'next'],
  ])('does not send the token to a next page on %s', async (_name, next) => {
    await serve(inTurn(() => [{ data: [], paging: { next: next() } }]));
    expect(await failure(client.listTemplates(account))).toMatchObject({ reason: 'bad_paging' });
  });

  it('gives up on endless pages', async () => {
    let page = 0;
    await serve((socket) => {
      page += 1;
      const next = `${server.origin}/v25.0/w?after=${page}`;
      socket.write(response(200, { data: [], paging: { next } }));
    });
    expect(await failure(client.listTemplates(account))).toMatchObject({ reason: 'bad_paging' });
    expect(server.requests.length).toBe(1000);
  });

  it('begins again once when the cursor of a later page is no longer valid', async () => {
    const staleCursor = response(400, { error: { code: 131059, message: 'Invalid cursor' } });
    const serveCursors = (staleRequests: number[]) =>
      serve((socket) => {
        const number = server.requests.length;
        const isFirstPage = !server.requests.at(-1)?.includes('after=');
        const next = `${server.origin}/v25.0/w?after=${number}`;
        const page = response(200, {
          data: [template(isFirstPage ? 'a' : 'b')],
          paging: isFirstPage ? { next } : {},
        });
        socket.write(staleRequests.includes(number) ? staleCursor : page);
      });
    await serveCursors([2]);
    expect((await client.listTemplates(account)).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(server.requests).toHaveLength(4);
    expect(server.requests[2]).not.toContain('after=');
    await client.destroy();
    await server.close();
    await serveCursors([2, 4]);
    expect(await failure(client.listTemplates(account))).toMatchObject({ error: { code: 131059 } });
  });

  it('fails as a whole when a later page fails', async () => {
    await serve((socket) => {
      const isFirst = server.requests.length === 1;
      const next = `${server.origin}/v25.0/w?after=1`;
      const page = response(200, { data: [template('a')], paging: { next } });
      socket.write(isFirst ? page : response(500, { error: { code: 2, message: 'down' } }));
    });
    const error = await failure(client.listTemplates(account));
    expect(error).toMatchObject({ reason: 'refused', error: { code: 2 }, httpStatus: 500 });
  });

  it.each<[string, Script, object]>([
    [
      'a Graph error, without the token',
      (socket) =>
        socket.write(
          response(401, { error: { code: 190, message: `Malformed ${someToken}`, type: 'O' } }),
        ),
      { reason: 'refused', error: { code: 190 }, message: 'refused: Malformed [token]' },
    ],
    [
      'HTTP 429',
      (socket) => socket.write(response(429, 'slow', { 'retry-after': '3' })),
      { reason: 'refused', error: { code: 4 }, retryAfterSeconds: 3 },
    ],
    [
      'HTML',
      (socket) => socket.write(response(502, '<html>')),
      { reason: 'server_error', error: null, httpStatus: 502 },
    ],
    ['a list', (socket) => socket.write(response(200, '[]')), { reason: 'unreadable' }],
    ['a reset', (socket) => socket.resetAndDestroy(), { reason: 'reset' }],
    ['silence', () => {}, { reason: 'timeout' }],
  ])('throws for %s', async (_name, script, expected) => {
    await serve(script, { timeoutMs: 60 });
    const error = await failure(client.listTemplates(account));
    expect(error).toBeInstanceOf(PlatformRequestError);
    expect(error).toMatchObject(expected);
  });

  it('never waits behind a send', async () => {
    await serve((socket, text) => {
      if (text.startsWith('GET')) {
        socket.write(response(200, { data: [] }));
      }
    });
    const sending = client.send(sender, '{}');
    expect(await client.listTemplates(account)).toEqual([]);
    await client.destroy();
    expect((await sending).outcome).toBe('ambiguous');
  });
});

describe('getPhoneNumber', () => {
  it('reads the health of the number', async () => {
    const file = 'libs/whatsapp/fixtures/restfb/phone-number-full-response.json';
    await serve(inTurn(() => [JSON.parse(readFileSync(file, 'utf8'))]));
    expect(await client.getPhoneNumber(sender)).toMatchObject({
      ok: true,
      phoneNumber: {
        status: 'CONNECTED',
        qualityRating: 'GREEN',
        throughputLevel: 'STANDARD',
        messagingLimit: 'TIER_1K',
        canSendMessage: 'BLOCKED',
        health: [
          { entityType: 'PHONE_NUMBER', errors: [{ code: '141000' }] },
          { entityType: 'WABA', canSendMessage: 'AVAILABLE', errors: [] },
          { entityType: 'BUSINESS' },
          { entityType: 'APP' },
        ],
      },
    });
    expect(server.requests[0]).toContain('health_status');
  });

  it('answers with the refusal', async () => {
    await serve((socket) => socket.write(response(400, unknownObject)));
    expect(await client.getPhoneNumber(sender)).toMatchObject({
      ok: false,
      error: { reason: 'refused', error: { code: 100, subcode: 33 } },
    });
  });
});

describe('inspectToken', () => {
  const facts = (data: object) => {
    const answer = { data: { is_valid: true, scopes: ['a', 'b'], ...data } };
    return serve(inTurn(() => [answer])).then(() => client.inspectToken(someToken));
  };

  it('asks with the token itself', async () => {
    expect(await facts({ expires_at: 1_800_000_000 })).toEqual({
      isValid: true,
      scopes: ['a', 'b'],
      expiresAt: new Date(1_800_000_000_000),
      problem: null,
    });
    expect(server.requests[0]).toContain(`GET /v25.0/debug_token?input_token=${someToken} `);
    expect(server.requests[0]).toContain(`authorization: Bearer ${someToken}\r\n`);
  });

  it.each([[{ expires_at: 0 }], [{}], [{ expires_at: 1e15 }]])('has no end in %j', async (data) => {
    expect(await facts(data)).toMatchObject({ expiresAt: null });
  });

  it('says why it is not valid, without the token', async () => {
    const error = { code: 190, message: `Malformed access token ${someToken}` };
    expect(await facts({ is_valid: false, scopes: [], error })).toMatchObject({
      isValid: false,
      problem: 'Malformed access token [token]',
    });
  });

  it('throws for an answer without facts', async () => {
    await serve((socket) => socket.write(response(200, { data: {} })));
    expect(await failure(client.inspectToken(someToken))).toMatchObject({ reason: 'unreadable' });
  });
});

describe('setting up', () => {
  it.each([
    ['51', '51'],
    [51, '51'],
    [undefined, null],
    ['0', null],
    ['', null],
  ])('finds with primary_funding_id %j the payment method %j', async (given, found) => {
    await serve(inTurn(() => [{ id: '1', primary_funding_id: given }]));
    expect(await client.getFundingId(account)).toBe(found);
  });

  it('subscribes the app and registers the number', async () => {
    await serve((socket) => socket.write(response(200, { success: true })));
    await client.subscribeApp(account);
    await client.registerNumber(sender, '123456');
    expect(server.requests[0]).toContain('POST /v25.0/102290129340398/subscribed_apps ');
    expect(server.requests[1]).toContain('POST /v25.0/106540352242922/register ');
    expect(server.requests[1]).toContain('{"messaging_product":"whatsapp","pin":"123456"}');
  });

  it('throws for a refusal, and for an answer without success', async () => {
    const answers = [response(400, unknownObject), response(200, { success: false })];
    await serve((socket) => socket.write(answers.shift() ?? ''));
    expect(await failure(client.subscribeApp(account))).toMatchObject({
      reason: 'refused',
      error: { code: 100 },
    });
    expect(await failure(client.registerNumber(sender, '123456'))).toMatchObject({
      reason: 'unreadable',
    });
  });
});

describe('media', () => {
  it('is found by its id and fetched with the token', async () => {
    await serve((socket, text) => {
      const url = `${server.origin}/file?mid=1`;
      socket.write(
        text.startsWith('GET /v25.0/985569392615996 ')
          ? response(200, { url, mime_type: 'image/jpeg', file_size: '5', sha256: 'x' })
          : response(200, 'bytes', { 'content-type': 'image/jpeg' }),
      );
    });
    const media = await client.getMedia('985569392615996', someToken);
    expect(media).toMatchObject({ mimeType: 'image/jpeg', fileSize: 5, sha256: 'x' });
    const download = await client.downloadMedia(media.url, someToken);
    expect(download).toMatchObject({ mimeType: 'image/jpeg', contentLength: 5 });
    expect((await buffer(download.stream)).toString()).toBe('bytes');
    expect(server.requests[1]).toContain(`authorization: Bearer ${someToken}\r\n`);
  });

  it.each([
    'http://lookaside.fbsbx.com/x',
    'https://fbsbx.com.example/x',
    'https://evilfbsbx.com/x',
    'file:///etc/passwd',
    'x',
  ])('is not fetched from %s', async (url) => {
    await serve(() => {});
    const error = await failure(client.downloadMedia(url, someToken));
    expect(error).toMatchObject({ reason: 'untrusted_url' });
  });

  it.each<[string, string, object]>([
    ['an expired URL', response(404, unknownObject), { reason: 'refused', error: { code: 100 } }],
    ['a redirection', response(302, '', { location: 'http://x.example' }), { httpStatus: 302 }],
    [
      'more than 100 MB',
      'HTTP/1.1 200 OK\r\ncontent-length: 104857601\r\n\r\n',
      { reason: 'too_large' },
    ],
  ])('throws for %s', async (_name, answer, expected) => {
    await serve((socket) => socket.write(answer));
    const error = await failure(client.downloadMedia(`${server.origin}/f`, someToken));
    expect(error).toBeInstanceOf(PlatformRequestError);
    expect(error).toMatchObject(expected);
  });

  it('breaks the stream when the file is cut short', async () => {
    await serve((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'));
    const { stream } = await client.downloadMedia(`${server.origin}/f`, someToken);
    expect(await failure(buffer(stream))).toMatchObject({ reason: 'reset' });
  });

  it('throws when the answer has no url', async () => {
    await serve((socket) => socket.write(response(200, {})));
    expect(await failure(client.getMedia('1', someToken))).toMatchObject({ reason: 'unreadable' });
  });
});
