import { createServer, type Server, type Socket } from 'node:net';
import { Config } from '../../src/config/config.js';
import { LeaseEndedError, WebhookClient } from '../../src/deliveries/attempts/webhook-client.js';
import { installation } from '../support/installation.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

describe('a request to a webhook', () => {
  let receiver: WebhookReceiver;
  let client: WebhookClient;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    client = new WebhookClient(
      new Config({
        DATABASE_URL: 'postgres://127.0.0.1/none',
        SECRET_KEY: installation.secretKey,
        WEBHOOK_ALLOW_PRIVATE: 'true',
      }),
    );
  });

  afterAll(async () => {
    client.onApplicationShutdown();
    await receiver.close();
  });

  it('is not written when the lease ends while the connection is made', async () => {
    let isOwned = true;
    const post = client.post(receiver.url('/late'), {}, '{}', () => isOwned);
    isOwned = false;
    await expect(post).rejects.toBeInstanceOf(LeaseEndedError);
    expect(receiver.at('/late')).toEqual([]);
  });

  it('is written when the lease lasts', async () => {
    const answer = await client.post(receiver.url('/owned'), {}, '{}', () => true);
    expect([answer.statusCode, receiver.at('/owned')]).toEqual([200, [expect.anything()]]);
  });

  it('asks for an answer that can be read as it comes', async () => {
    await client.post(receiver.url('/readable'), {}, '{}', () => true);
    expect(receiver.at('/readable')).toMatchObject([
      { headers: { 'accept-encoding': 'identity' } },
    ]);
  });

  describe('whose receiver says what it likes', () => {
    const sockets: Socket[] = [];
    let server: Server;
    let answers: string[];
    let requests: number;

    beforeAll(async () => {
      server = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.on('data', () => {
          requests += 1;
          const [first, ...later] = answers;
          socket.write(first ?? '');
          for (const answer of later) setImmediate(() => socket.write(answer));
        });
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    });

    beforeEach(() => {
      requests = 0;
    });

    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });

    const post = () => {
      const { port } = server.address() as { port: number };
      return client.post(`http://127.0.0.1:${port}/`, {}, '{}', () => true);
    };
    const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine';
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n';
    const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
    const working = 'HTTP/1.1 102 Processing\r\n\r\n';

    it.each([
      ['100', [goOn, ok]],
      ['100 in one piece with the answer', [goOn + ok]],
      ['100 twice', [goOn, goOn, ok]],
      ['102', [working, ok]],
      ['103', [early, ok]],
      ['100, 102 and 103', [goOn, working, early, ok]],
    ])('takes the answer after %s', async (_, said) => {
      answers = said;
      await expect(post()).resolves.toMatchObject({
        statusCode: 200,
        response: 'fine',
        error: null,
      });
      expect(requests).toBe(1);
    });

    it('keeps the connection after one', async () => {
      answers = [goOn, ok];
      await post();
      const connections = sockets.length;
      await post();
      expect([requests, sockets.length]).toEqual([2, connections]);
    });

    it.each([
      [
        'switches protocols',
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n',
      ],
      ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ])('has no answer from one that %s', async (_, said) => {
      answers = [said];
      await expect(post()).resolves.toMatchObject({ statusCode: null, error: 'reset' });
    });

    it('reads no more than 16 KiB, and keeps the first', async () => {
      answers = [`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(1_000_000)}`];
      await expect(post()).resolves.toMatchObject({ statusCode: 200, response: 'a'.repeat(1_024) });
    });

    it('takes a status whose answer breaks off', async () => {
      answers = ['HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\nhalf'];
      const answer = post();
      for (;;) {
        await new Promise((done) => setImmediate(done));
        if (requests > 0) break;
      }
      setImmediate(() => sockets.at(-1)?.end());
      await expect(answer).resolves.toMatchObject({
        statusCode: 200,
        response: 'half',
        error: null,
      });
    });
  });
});
