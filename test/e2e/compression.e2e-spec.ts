import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';

const decoders: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

const built = 'dist/web/assets';
const textsOf = (ending: string) =>
  readdirSync(built)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(`${built}/${name}`, 'utf8'))
    .join('\n');

describe('what is compressed', () => {
  let stack: Stack;
  let dashboard: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start();
    dashboard = await Dashboard.signIn(stack);
    // Enough of them for a list above the threshold.
    for (let count = 0; count < 5; count++) await dashboard.newKey({});
  });

  afterAll(() => stack?.stop());

  /** Without fetch, which decompresses and hides that it did. */
  async function read(path: string, encoding: string, headers: Record<string, string> = {}) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(
        `${stack.apis[0]?.url}${path}`,
        { headers: { 'accept-encoding': encoding, ...headers } },
        resolve,
      ).on('error', reject);
    });
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  }

  const keys = '/api/v1/dashboard/api-keys';

  it.each(['br', 'gzip'])('are the lists of the dashboard, with %s', async (encoding) => {
    const headers = { cookie: dashboard.cookie ?? '' };
    const whole = await read(keys, 'identity', headers);
    const small = await read(keys, encoding, headers);
    expect(whole.headers['content-encoding']).toBeUndefined();
    expect(small.headers['content-encoding']).toBe(encoding);
    expect(small.headers.vary).toMatch(/accept-encoding/i);
    expect(small.headers['cache-control']).toBe('no-store');
    expect(small.body.length).toBeLessThan(whole.body.length);
    const names = (body: Buffer) => JSON.parse(String(body)).data.length;
    expect(names(decoders[encoding]?.(small.body) ?? small.body)).toBe(names(whole.body));
  });

  it('are neither small answers nor those of other routes', async () => {
    const headers = { cookie: dashboard.cookie ?? '' };
    const answers = [
      await read('/api/v1/dashboard/session', 'br, gzip', headers),
      await read('/api/v1/external/messages', 'br, gzip', { 'x-api-key': installation.apiKey }),
      await read('/health/live', 'br, gzip'),
    ];
    expect(answers.map(({ status, headers: { 'content-encoding': as } }) => [status, as])).toEqual(
      answers.map(() => [200, undefined]),
    );
  });

  it('are no answers to a send, however long they are', async () => {
    const body = JSON.stringify(buttonMessage());
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${stack.apis[0]?.url}/api/v1/external/messages/interactive/button`, {
        method: 'POST',
        headers: {
          'accept-encoding': 'br, gzip',
          'content-type': 'application/json',
          'x-api-key': installation.apiKey,
        },
      })
        .on('response', resolve)
        .on('error', reject)
        .end(body);
    });
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, undefined]);
    response.resume();
  });

  it('are the page and its assets, which a browser keeps', async () => {
    const page = await read('/dashboard', 'br, gzip');
    expect(page.headers['content-encoding']).toBe('br');
    const html = String(brotliDecompressSync(page.body));
    const [, script = ''] = /src="([^"]+index-[^"]+\.js)"/.exec(html) ?? [];
    for (const encoding of ['br', 'gzip']) {
      const { headers, body } = await read(script, encoding);
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(decoders[encoding]?.(body)).toEqual(readFileSync(`dist/web${script.slice(10)}`));
      const again = await read(script, encoding, { 'if-none-match': headers.etag ?? '' });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
    expect((await read(`${script}.br`, 'br')).status).toBe(404);
  });
});

describe('the style sheets', () => {
  it('have every rule of Mantine for the components that the scripts have', () => {
    const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
    const styled = classesIn(readFileSync('node_modules/@mantine/core/styles.css', 'utf8'));
    const used = [...classesIn(textsOf('.js'))].filter((name) => styled.has(name));
    const present = classesIn(textsOf('.css'));
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((name) => !present.has(name))).toEqual([]);
  });
});
