import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from './accepted-encoding.js';
import { StaticFiles } from './static-files.js';

describe('the encoding of an answer', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0, *;q=0.1', 'gzip'],
    ['*', 'br'],
    ['*;q=0', null],
    ['x-gzip', null],
    ['br;q=much', null],
  ])('for `Accept-Encoding: %s` is %s', (header, wanted) => {
    expect(encodingFor(header, ['br', 'gzip'])).toBe(wanted);
  });
});

describe('static files', () => {
  const script = Buffer.from('const parley = 1;\n'.repeat(50));
  const files = new StaticFiles(
    new Map([
      ['a.js', script],
      ['a.js.br', brotliCompressSync(script)],
      ['a.js.gz', gzipSync(script)],
      ['b.json', Buffer.from('{}')],
      ['c.png', Buffer.from('png')],
    ]),
  );

  /** What a request for the file is answered. */
  async function get(name: string, headers: Record<string, string> = {}) {
    const answer = { status: 200, headers: {} as Record<string, string>, body: Buffer.alloc(0) };
    const reply = {
      header: (key: string, value: string) => {
        answer.headers[key] = value;
        return reply;
      },
      status: (status: number) => {
        answer.status = status;
        return reply;
      },
      send: (body = Buffer.alloc(0)) => {
        answer.body = body;
        return reply;
      },
    };
    await files.sendFile(
      name,
      { headers } as FastifyRequest,
      reply as unknown as FastifyReply,
      'no-cache',
    );
    return answer;
  }

  it('are sent as the build compressed them', async () => {
    const brotli = await get('a.js', { 'accept-encoding': 'gzip, br' });
    expect([brotli.headers['content-encoding'], brotli.headers.vary]).toEqual([
      'br',
      'accept-encoding',
    ]);
    expect(brotli.body).toEqual(brotliCompressSync(script));
    const gzipped = await get('a.js', { 'accept-encoding': 'gzip' });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzipped.body)).toEqual(script);
    const whole = await get('a.js');
    expect([whole.headers['content-encoding'], whole.headers.vary]).toEqual([
      undefined,
      'accept-encoding',
    ]);
    expect(whole.body).toEqual(script);
  });

  it('that no build compressed are compressed with gzip alone', async () => {
    const { headers, body } = await get('b.json', { 'accept-encoding': 'br, gzip' });
    expect([headers['content-encoding'], String(gunzipSync(body))]).toEqual(['gzip', '{}']);
  });

  it('that are compressed by nature stay as they are', async () => {
    const { headers } = await get('c.png', { 'accept-encoding': 'br, gzip' });
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  });

  it('have a tag for each encoding, and are not sent again to a caller that has them', async () => {
    const accepts = ['br', 'gzip', 'identity'];
    const tags: string[] = [];
    for (const accept of accepts) {
      const first = await get('a.js', { 'accept-encoding': accept });
      const tag = String(first.headers.etag);
      tags.push(tag);
      for (const known of [tag, `"other", W/${tag}`]) {
        const again = await get('a.js', { 'accept-encoding': accept, 'if-none-match': known });
        expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, tag]);
      }
      const other = await get('a.js', { 'accept-encoding': accept, 'if-none-match': '"other"' });
      expect(other.status).toBe(200);
    }
    expect(new Set(tags).size).toBe(accepts.length);
  });

  it('in another encoding have no address of their own', () => {
    expect([files.has('a.js'), files.has('a.js.br'), files.has('a.js.gz')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
