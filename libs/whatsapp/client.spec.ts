import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { WhatsAppClient, type WhatsAppClientOptions } from './client.js';
import { response, type Script, ScriptedServer } from './scripted-server.js';
import type { SendResult } from './send-result.js';
import type { Sender } from './sender.js';

const someToken = 'EAAGsecret0123456789';
const sender: Sender = { phoneNumberId: '106540352242922', accessToken: someToken };
const someBody = '{"to":"+16505551234","text":{"body":"Grüße 👋"}}';
const accepted = {
  contacts: [{ input: '+5215587654321', wa_id: '525587654321' }],
  messages: [{ id: 'wamid.HBgL', message_status: 'accepted' }],
};
const graphError = (code: number, more = {}) => ({
  error: { message: `(#${code}) no`, type: 'OAuthException', code, fbtrace_id: 'A1', ...more },
});

const servers: ScriptedServer[] = [];
const clients: WhatsAppClient[] = [];

async function serve(script: Script): Promise<ScriptedServer> {
  const server = await ScriptedServer.listen(script);
  servers.push(server);
  return server;
}

function connect(baseUrl: string, options: Partial<WhatsAppClientOptions> = {}): WhatsAppClient {
  const client = new WhatsAppClient({
    baseUrl,
    userAgent: 'Tests/1.0',
    connections: 4,
    ...options,
  });
  clients.push(client);
  return client;
}

/** The result of one send that is answered with these bytes. */
async function sendAnsweredBy(answer: string | Buffer): Promise<SendResult> {
  const server = await serve((socket) => socket.write(answer));
  return connect(server.origin).send(sender, someBody);
}

const reset = (socket: Socket) => socket.resetAndDestroy();

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('the request', () => {
  it('goes to the number under the base URL with the token and the very bytes given', async () => {
    const server = await serve((socket) => socket.write(response(200, accepted)));
    await connect(`${server.origin}/v25.0/`).send(sender, someBody);
    const [request = ''] = server.requests;
    expect(request.split('\r\n')[0]).toBe('POST /v25.0/106540352242922/messages HTTP/1.1');
    expect(request).toContain(`authorization: Bearer ${someToken}\r\n`);
    expect(request).toContain('content-type: application/json\r\n');
    expect(request).toContain('user-agent: Tests/1.0\r\n');
    expect(request.endsWith(`\r\n\r\n${someBody}`)).toBe(true);
  });

  it('reuses an idle socket', async () => {
    const server = await serve((socket) => socket.write(response(200, accepted)));
    const client = connect(server.origin, { connections: 1 });
    await client.send(sender, someBody);
    await client.send(sender, someBody);
    expect([server.requests.length, server.sockets.size]).toEqual([2, 1]);
  });

  it('shares no socket with a request in flight', async () => {
    const waiting: Socket[] = [];
    const server = await serve((socket) => {
      waiting.push(socket);
      if (waiting.length === 3) {
        for (const each of waiting) {
          each.write(response(200, accepted));
        }
      }
    });
    const client = connect(server.origin);
    const results = await Promise.all([1, 2, 3].map(() => client.send(sender, someBody)));
    expect(results.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(server.sockets.size).toBe(3);
  });
});

describe('a send is accepted', () => {
  it('when the answer has a message id', async () => {
    expect(await sendAnsweredBy(response(200, accepted))).toEqual({
      outcome: 'accepted',
      platformMessageId: 'wamid.HBgL',
      messageStatus: 'accepted',
      waId: '525587654321',
      httpStatus: 200,
      durationMs: expect.any(Number),
    });
  });

  it.each([200, 201, 202])('with HTTP %i and no message status', async (status) => {
    const result = await sendAnsweredBy(response(status, { messages: [{ id: 'wamid.1' }] }));
    expect(result).toMatchObject({ outcome: 'accepted', messageStatus: null, httpStatus: status });
  });

  it('when an interim response comes first', async () => {
    const result = await sendAnsweredBy(
      `HTTP/1.1 103 Early Hints\r\n\r\n${response(200, accepted)}`,
    );
    expect(result.outcome).toBe('accepted');
  });
});

describe('a process that was held up past the time-out', () => {
  it('still finds the answer that came in time', async () => {
    const server = await serve((socket) => {
      socket.write(response(200, accepted));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    });
    const result = await connect(server.origin, { timeoutMs: 100 }).send(sender, someBody);
    expect(result).toMatchObject({ outcome: 'accepted', platformMessageId: 'wamid.HBgL' });
  });
});

describe('a send is refused', () => {
  it.each([400, 401, 403, 404, 429, 500, 503])(
    'by a Graph error body with HTTP %i',
    async (status) => {
      const result = await sendAnsweredBy(response(status, graphError(131009)));
      expect(result).toMatchObject({
        outcome: 'refused',
        httpStatus: status,
        error: { code: 131009 },
      });
    },
  );

  it('with every fact of the error', async () => {
    const body = graphError(131009, {
      error_subcode: 2494010,
      is_transient: false,
      error_data: { messaging_product: 'whatsapp', details: 'Total row count exceed' },
    });
    const result = await sendAnsweredBy(response(400, body));
    expect(result).toEqual({
      outcome: 'refused',
      httpStatus: 400,
      retryAfterSeconds: null,
      durationMs: expect.any(Number),
      response: JSON.stringify(body),
      error: {
        code: 131009,
        message: '(#131009) no',
        type: 'OAuthException',
        subcode: 2494010,
        details: 'Total row count exceed',
        isTransient: false,
        fbtraceId: 'A1',
      },
    });
  });

  it.each([
    ['a plain string', 'too long', 'too long'],
    ['a string holding JSON', '{"details":"too long"}', 'too long'],
    ['absent', undefined, null],
  ])('also when error_data is %s', async (_name, errorData, details) => {
    const result = await sendAnsweredBy(response(400, graphError(100, { error_data: errorData })));
    expect(result).toMatchObject({ outcome: 'refused', error: { details } });
  });

  it.each([
    ['an HTML page', response(429, '<html>slow down</html>')],
    ['nothing', response(429, '')],
    ['less than it announced', 'HTTP/1.1 429 X\r\nconnection: close\r\ncontent-length: 9\r\n\r\n{'],
  ])('by HTTP 429 with %s', async (_name, answer) => {
    const server = await serve((socket) => socket.end(answer));
    const result = await connect(server.origin).send(sender, someBody);
    expect(result).toMatchObject({
      outcome: 'refused',
      httpStatus: 429,
      error: { code: 4, message: 'HTTP 429' },
    });
  });

  it.each([
    ['seconds', '7', 7],
    ['a date in the past', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['nonsense', 'soon', null],
  ])('with Retry-After in %s', async (_name, value, seconds) => {
    const answer = response(400, graphError(130429), { 'retry-after': value });
    expect(await sendAnsweredBy(answer)).toMatchObject({ retryAfterSeconds: seconds });
  });
});

describe('nothing was written', () => {
  it('when the connection is refused', async () => {
    const result = await connect(`http://127.0.0.1:${await closedPort()}`).send(sender, someBody);
    expect(result).toMatchObject({ outcome: 'not_written', reason: 'connect_refused' });
  });

  it('when the name does not resolve', async () => {
    const result = await connect('http://platform.invalid').send(sender, someBody);
    expect(result).toMatchObject({ outcome: 'not_written', reason: 'dns' });
  });

  it('when the TLS handshake is answered with something else', async () => {
    const server = await serve(() => {});
    const spoken = new Promise<void>((resolve) => {
      const greet = setInterval(() => {
        for (const socket of server.sockets) {
          socket.end('220 smtp.example ready\r\n');
          clearInterval(greet);
          resolve();
        }
      }, 5);
    });
    const sending = connect(server.origin.replace('http:', 'https:')).send(sender, someBody);
    await spoken;
    expect(await sending).toMatchObject({ outcome: 'not_written', reason: 'tls' });
  });

  it('when the handshake does not end within the connect time-out', async () => {
    const server = await serve(() => {});
    const client = connect(server.origin.replace('http:', 'https:'), { connectTimeoutMs: 50 });
    const result = await client.send(sender, someBody);
    expect(result).toMatchObject({ outcome: 'not_written', reason: 'connect_timeout' });
  });

  it('when no socket becomes free within the connect time-out, then or later', async () => {
    const held: Socket[] = [];
    const server = await serve((socket, text) => {
      if (text.endsWith('first')) {
        held.push(socket);
      } else {
        socket.write(response(200, accepted));
      }
    });
    const client = connect(server.origin, { connections: 1, connectTimeoutMs: 50 });
    const first = client.send(sender, 'first');
    expect(await client.send(sender, 'second')).toMatchObject({
      outcome: 'not_written',
      reason: 'connect_timeout',
    });
    held[0]?.write(response(200, accepted));
    expect((await first).outcome).toBe('accepted');
    expect((await client.send(sender, 'third')).outcome).toBe('accepted');
    expect(server.requests.map((text) => text.split('\r\n\r\n')[1])).toEqual(['first', 'third']);
  });

  it('when the signal was aborted before', async () => {
    const server = await serve((socket) => socket.write(response(200, accepted)));
    const result = await connect(server.origin).send(sender, someBody, {
      signal: AbortSignal.abort(),
    });
    expect(result).toMatchObject({ outcome: 'not_written', reason: 'connect_failed' });
    expect(server.requests).toEqual([]);
  });

  it('when the signal is aborted while the request waits for a socket', async () => {
    const server = await serve((socket) => socket.write(response(200, accepted)));
    const client = connect(server.origin, { connections: 1 });
    const giveUp = new AbortController();
    const first = client.send(sender, 'first');
    const second = client.send(sender, 'second', { signal: giveUp.signal });
    giveUp.abort();
    expect((await second).outcome).toBe('not_written');
    expect((await first).outcome).toBe('accepted');
    expect((await client.send(sender, 'third')).outcome).toBe('accepted');
    expect(server.requests.length).toBe(2);
  });

  it('when the client is closed', async () => {
    const server = await serve(() => {});
    const client = connect(server.origin);
    await client.close();
    expect(await client.send(sender, someBody)).toMatchObject({ outcome: 'not_written' });
  });

  it('when the token cannot be put in a header', async () => {
    const server = await serve(() => {});
    const result = await connect(server.origin).send({ ...sender, accessToken: 'a\nb' }, someBody);
    expect(result).toMatchObject({ outcome: 'not_written', reason: 'connect_failed' });
  });
});

describe('a send is ambiguous', () => {
  it.each<[string, string, Script, number | null]>([
    ['the socket is reset after the request', 'reset', reset, null],
    ['the socket ends without an answer', 'reset', (socket) => socket.end(), null],
    [
      'the socket is reset within the headers',
      'reset',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-le', () => reset(socket)),
      null,
    ],
    [
      'the answer ends early',
      'reset',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"messages":[{"id":"w"'),
      200,
    ],
    ['the answer is not HTTP', 'unreadable', (socket) => socket.end('SSH-2.0\r\n'), null],
  ])('when %s', async (_name, reason, script, httpStatus) => {
    const server = await serve(script);
    const result = await connect(server.origin).send(sender, someBody);
    expect(result).toMatchObject({ outcome: 'ambiguous', reason, httpStatus });
    expect(server.requests.length).toBe(1);
  });

  it('when a reused socket is closed under the second request, which is not repeated', async () => {
    const server = await serve((socket) => {
      if (server.requests.length === 1) {
        socket.write(response(200, accepted));
      } else {
        reset(socket);
      }
    });
    const client = connect(server.origin, { connections: 1 });
    await client.send(sender, someBody);
    expect(await client.send(sender, someBody)).toMatchObject({
      outcome: 'ambiguous',
      reason: 'reset',
    });
    expect([server.requests.length, server.sockets.size]).toEqual([2, 1]);
  });

  it.each<[string, string, string, number]>([
    ['HTTP 200 without an id', 'unreadable', response(200, { success: true }), 200],
    ['HTTP 200 with an empty id', 'unreadable', response(200, { messages: [{ id: '' }] }), 200],
    ['HTTP 200 with an error', 'unreadable', response(200, graphError(131000)), 200],
    ['HTTP 200 that is cut JSON', 'unreadable', response(200, '{"messages":[{"id":"wam'), 200],
    ['HTTP 200 with null', 'unreadable', response(200, 'null'), 200],
    ['a redirection', 'unreadable', response(307, '', { location: 'http://127.0.0.1/' }), 307],
    ['HTTP 408 without a Graph error', 'unreadable', response(408, 'time-out'), 408],
    ['HTTP 404 without a Graph error', 'unreadable', response(404, { error: 'none' }), 404],
    ['an HTML 502', 'server_error', response(502, '<html>Bad Gateway</html>'), 502],
    [
      'a gateway error in the shape of Graph',
      'server_error',
      response(503, { error: { code: 503, message: 'no upstream' } }),
      503,
    ],
  ])('when the answer is %s', async (_name, reason, answer, httpStatus) => {
    const result = await sendAnsweredBy(answer);
    expect(result).toMatchObject({ outcome: 'ambiguous', reason, httpStatus });
  });

  it('when the answer exceeds 1 MiB', async () => {
    const result = await sendAnsweredBy(response(200, ' '.repeat(1024 * 1024 + 1)));
    expect(result).toMatchObject({ outcome: 'ambiguous', reason: 'unreadable', httpStatus: 200 });
  });

  it('when no answer comes within the time-out', async () => {
    const server = await serve(() => {});
    const result = await connect(server.origin, { timeoutMs: 50 }).send(sender, someBody);
    expect(result).toMatchObject({ outcome: 'ambiguous', reason: 'timeout', httpStatus: null });
    expect(server.requests.length).toBe(1);
  });

  it('when the body keeps trickling past the time-out', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n');
      const trickle = setInterval(() => socket.write(' '), 5);
      socket.on('close', () => clearInterval(trickle));
    });
    const result = await connect(server.origin, { timeoutMs: 60 }).send(sender, someBody);
    expect(result).toMatchObject({ outcome: 'ambiguous', reason: 'timeout', httpStatus: 200 });
  });

  it('when the signal is aborted after the write', async () => {
    const giveUp = new AbortController();
    const server = await serve(() => giveUp.abort());
    const result = await connect(server.origin).send(sender, someBody, { signal: giveUp.signal });
    expect(result).toMatchObject({ outcome: 'ambiguous', reason: 'aborted' });
  });

  it('when the client is destroyed after the write', async () => {
    const server = await serve(() => void client.destroy());
    const client = connect(server.origin);
    const result = await client.send(sender, someBody);
    expect(result).toMatchObject({ outcome: 'ambiguous', reason: 'aborted' });
  });
});

describe('kept texts', () => {
  it('never contain the token', async () => {
    const body = graphError(190, { message: `Malformed access token ${someToken}` });
    const result = await sendAnsweredBy(response(400, body));
    expect(result).toMatchObject({ error: { message: 'Malformed access token [token]' } });
    expect(JSON.stringify(result)).not.toContain(someToken);
  });

  it('are at most 4 KiB', async () => {
    const result = await sendAnsweredBy(response(502, 'é'.repeat(9000)));
    const text = result.outcome === 'ambiguous' ? result.response : null;
    expect(text).toBe('é'.repeat(2048));
  });
});
