import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const send =
  (status: number, headers: Record<string, string>, body = ''): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** A platform whose word about a file is not to be trusted. */
class Platform {
  /** Paths of requests that brought a token. */
  readonly trusted: string[] = [];
  media: Record<string, unknown> = {};
  file: Answer = send(200, { 'Content-Type': 'image/jpeg' }, 'bytes');

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Platform> {
    const server = createServer();
    const platform = new Platform(server);
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      if (request.headers.authorization !== undefined) platform.trusted.push(path);
      if (path.startsWith('/file')) platform.file(request, response);
      else response.end(JSON.stringify({ url: `${platform.url}/file`, ...platform.media }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

describe('a file of an end user that the platform tells odd things of', () => {
  let platform: Platform;
  let stack: Stack;
  let files = 0;

  beforeAll(async () => {
    platform = await Platform.start();
    stack = await Stack.start({
      workers: 0,
      env: { PLATFORM_BASE_URL: `${platform.url}/v25.0` },
    });
  });

  afterAll(async () => {
    await stack?.stop();
    await platform.close();
  });

  beforeEach(() => {
    platform.media = {};
    platform.file = send(200, { 'Content-Type': 'image/jpeg' }, 'bytes');
  });

  async function fetchFile(fileName: string | null = null) {
    files += 1;
    await stack.sql(
      `insert into inbound_media (account_id, mode, media_id, file_name) values ($1, 'live', $2, $3)`,
      [installation.accountId, String(files), fileName],
    );
    return stack.get(`/media/${files}`);
  }

  it.each([
    ['a line end', 'text/plain\r\nX-Injected: 1'],
    ['no type at all', 'script'],
    ['a character that no header takes', 'image/jpeg; name="😀"'],
    ['a long text', `image/${'x'.repeat(20_000)}`],
  ])('is of no certain type when its type is %s', async (_, mimeType) => {
    platform.media = { mime_type: mimeType };
    platform.file = send(200, {}, 'bytes');
    const { status, headers, text } = await fetchFile();
    expect([status, text]).toEqual([200, 'bytes']);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('x-injected')).toBeNull();
  });

  it.each(['a"; filename="b.exe', '../../etc/passwd', 'a\r\nX-Injected: 1', '😀'.repeat(120)])(
    'is an attachment under an encoded name: %j',
    async (name) => {
      const { status, headers } = await fetchFile(name);
      expect(status).toBe(200);
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename\*=UTF-8''[\w%.!~*()-]+$/,
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-injected')).toBeNull();
    },
  );

  it('is not fetched from a stranger, who gets no token', async () => {
    const stranger = await Platform.start();
    try {
      platform.media = { url: `${stranger.url}/file` };
      expect((await fetchFile()).status).toBe(503);
      platform.media = {};
      platform.file = send(302, { Location: `${stranger.url}/file` });
      expect((await fetchFile()).status).toBe(503);
      expect(stranger.trusted).toEqual([]);
    } finally {
      await stranger.close();
    }
  });

  it('is not passed on when it is larger than any', async () => {
    platform.file = (_, response) => {
      response.writeHead(200, { 'Content-Length': String(101 * 1024 * 1024) });
      response.write('bytes');
    };
    expect((await fetchFile()).status).toBe(503);
  });

  it.each(['%00', '..%2f..', '%20', 'x'.repeat(200)])('is none under the id %s', async (id) => {
    const { status, body } = await stack.get(`/media/${id}`);
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  it('is not taken for whole when it breaks off', async () => {
    platform.file = (_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('bytes', () => response.destroy());
    };
    await expect(fetchFile()).rejects.toThrow();
    expect(await stack.apis[0]?.health('live')).toBe(200);
  });
});
