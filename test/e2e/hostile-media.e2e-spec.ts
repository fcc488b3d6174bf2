import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const send =
  (status: number, headers: Record<string, string>, body = ''): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** A platform whose answers about files cannot be trusted. */
class Platform {
  /** Paths of requests that brought a token. */
  readonly trusted: string[] = [];
  media: Record<string, unknown> = {};
  /** Answers instead of `media`. */
  refusal: Answer | null = null;
  file: Answer = send(200, { 'Content-Type': 'image/jpeg' }, 'bytes');

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Platform> {
    const server = createServer();
    const platform = new Platform(server);
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      if (request.headers.authorization !== undefined) platform.trusted.push(path);
      if (path.startsWith('/file')) platform.file(request, response);
      else if (platform.refusal) platform.refusal(request, response);
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

describe('a file of an end user with odd platform metadata', () => {
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
    platform.refusal = null;
    platform.file = send(200, { 'Content-Type': 'image/jpeg' }, 'bytes');
  });

  const graphError = (status: number, error: Record<string, unknown>, headers = {}): Answer =>
    send(
      status,
      headers,
      JSON.stringify({ error: { message: 'No.', type: 'OAuthException', ...error } }),
    );

  async function fetchFile(fileName: string | null = null, options = {}) {
    files += 1;
    await stack.sql(
      `insert into inbound_media (account_id, mode, media_id, file_name) values ($1, 'live', $2, $3)`,
      [installation.accountId, String(files), fileName],
    );
    return stack.request(`/media/${files}`, options);
  }

  it.each([
    ['a line end', 'text/plain\r\nX-Injected: 1'],
    ['no type at all', 'script'],
    ['a character that no header takes', 'image/jpeg; name="😀"'],
    ['a long text', `image/${'x'.repeat(20_000)}`],
  ])('is served without a type when the platform gives %s', async (_, mimeType) => {
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

  it.each([
    ['its length', { file_size: 5 }, '5'],
    ['no length', {}, null],
    ['a length that is none', { file_size: -1 }, null],
  ])('answers HEAD without a download when the platform gives %s', async (_, media, length) => {
    platform.media = { mime_type: 'image/png', ...media };
    platform.trusted.length = 0;
    const { status, headers, text } = await fetchFile('a.png', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-length')).toBe(length);
    expect(headers.get('content-disposition')).toContain('a.png');
    expect(platform.trusted.filter((path) => path.startsWith('/file'))).toEqual([]);
  });

  it('answers HEAD for a file that is not there with 404', async () => {
    platform.refusal = graphError(400, { code: 100, error_subcode: 33 });
    expect(await fetchFile(null, { method: 'HEAD' })).toMatchObject({ status: 404, text: '' });
    const unknown = await stack.request('/media/unknown', { method: 'HEAD' });
    expect(unknown).toMatchObject({ status: 404, text: '' });
  });

  it.each(['bytes=0-1', 'bytes=-2', 'bytes=3-', 'bytes=9-', 'bytes=0-0,2-3', 'lines=1'])(
    'is whole whatever part is asked for: %s',
    async (range) => {
      platform.file = send(200, { 'Content-Type': 'text/plain', 'Content-Length': '5' }, 'bytes');
      const options = { headers: { range, 'accept-encoding': 'gzip' } };
      const { status, headers, text } = await fetchFile(null, options);
      expect([status, text]).toEqual([200, 'bytes']);
      expect(headers.get('content-length')).toBe('5');
      expect(headers.get('content-encoding')).toBeNull();
      expect(headers.get('content-range')).toBeNull();
      expect(headers.get('accept-ranges')).toBe('none');
    },
  );

  it('is not fetched from an unknown host, which gets no token', async () => {
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

  it.each(['%00', '..%2f..', '%20', 'x'.repeat(200)])(
    'does not exist under the id %s',
    async (id) => {
      const { status, body } = await stack.get(`/media/${id}`);
      expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    },
  );

  it.each([
    ['an unknown id', 400, { code: 100, error_subcode: 33, type: 'GraphMethodException' }],
    ['an unknown alias', 404, { code: 803 }],
    ['404 and a code of its own', 404, { code: 131052 }],
  ])('is gone when the platform says so with %s', async (_, status, error) => {
    platform.refusal = graphError(status, error);
    const answer = await fetchFile();
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(answer.body.error.details.whatsapp_error_code).toBe(error.code);
    platform.refusal = null;
    platform.file = graphError(status, error);
    expect((await fetchFile()).status).toBe(404);
  });

  it('is gone when its fresh address answers 404', async () => {
    platform.file = send(404, {}, 'not found');
    const answer = await fetchFile();
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['the token is not valid', 401, { code: 190 }],
    ['there were too many calls', 400, { code: 80007 }],
    ['a permission is missing', 403, { code: 10 }],
    ['it fails itself', 500, { code: 1, is_transient: true }],
    ['it says something new', 400, { code: 199_999 }],
  ])('may be asked for again when the platform refuses it because %s', async (_, status, error) => {
    for (const place of ['refusal', 'file'] as const) {
      platform.refusal = null;
      platform[place] = graphError(status, error);
      const { status: answered, body, headers } = await fetchFile();
      expect([answered, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(body.error.details).toEqual({
        reason: 'platform_refused',
        whatsapp_error_code: error.code,
        whatsapp_error_message: 'No.',
      });
      expect(headers.get('retry-after')).toBe('60');
    }
  });

  it('may be asked for again when the platform says to', async () => {
    platform.refusal = graphError(429, { code: 4 }, { 'Retry-After': '7' });
    expect((await fetchFile()).headers.get('retry-after')).toBe('7');
    platform.refusal = send(404, {}, '<html>a proxy that knows no such route</html>');
    const answer = await fetchFile();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(answer.body.error.details).toEqual({ reason: 'platform_unavailable' });
  });

  it('is not passed on as complete when it breaks off', async () => {
    platform.file = (_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('bytes', () => response.destroy());
    };
    await expect(fetchFile()).rejects.toThrow();
    expect(await stack.apis[0]?.health('live')).toBe(200);
  });
});
