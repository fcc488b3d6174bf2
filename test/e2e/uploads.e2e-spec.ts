import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { dayMs } from '#libs/durations';
import { sha256Hex, sign } from '../../src/auth/request-signature.js';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { newRecipient, Stack } from '../support/stack.js';
import { definitions, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';

const mebibyte = 1_048_576;
const route = '/api/v1/external/media';

const png = (size = 200) => {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  return Buffer.concat([head, randomBytes(Math.max(0, size - head.length))]);
};
const pdf = (size = 200) => Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(size - 9)]);
const webp = (isAnimated: boolean, size: number) => {
  const file = randomBytes(size);
  file.write('RIFF\0\0\0\0WEBPVP8X', 0, 'latin1');
  file[20] = isAnimated ? 0b10 : 0;
  return file;
};

/** The first page of an Ogg file, with the beginning of a codec's header. */
const ogg = (codec: string) =>
  Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from(codec), randomBytes(99)]);

/** A form as clients write it. */
function form(
  file: Buffer,
  type = 'image/png',
  name = 'file',
  fileName: string | null = 'a b.png',
) {
  const boundary = `b${randomUUID()}`;
  const named = fileName === null ? '' : `; filename="${fileName}"`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${named}\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
}

describe('an upload', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start();
    await putTemplates(stack, Object.values(definitions));
    operator = await Dashboard.signIn(stack);
    await sync(operator);
  });

  afterAll(() => stack?.stop());

  const post = (
    { body, headers }: { body: Buffer; headers: Record<string, string> },
    more: Record<string, string> = {},
    apiKey = installation.apiKey,
  ) => stack.requestAt(route, { method: 'POST', body, headers: { ...headers, ...more }, apiKey });

  const upload = async (file: Buffer, type?: string, apiKey?: string) =>
    (await post(form(file, type), {}, apiKey)).body.data;

  const rows = async () => Number((await stack.sql('select count(*) from uploads'))[0].count);

  it('is described in the answer, lasts 30 days, and has reached WhatsApp', async () => {
    const file = png();
    const before = Date.now();
    const data = await upload(file);
    expect(data).toEqual({
      media_id: expect.stringMatching(/^[\da-f-]{36}$/),
      mime_type: 'image/png',
      size: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
      expires_at: expect.any(String),
    });
    expect(Date.parse(data.expires_at)).toBeGreaterThanOrEqual(before + 30 * dayMs);
    const [{ platform_id }] = await stack.sql('select platform_id from uploads where id = $1', [
      data.media_id,
    ]);
    const kept = await fetch(`${stack.simulator.url}/v25.0/${platform_id}`, {
      headers: { authorization: 'Bearer any' },
    });
    expect(await kept.json()).toMatchObject({ mime_type: 'image/png', sha256: data.sha256 });
    expect((await stack.get(`/media/${data.media_id}`)).status).toBe(404);
  });

  it('of the same file answers the same id, for every key of the account and mode', async () => {
    const file = png();
    const [one, other] = await Promise.all([upload(file), upload(file)]);
    expect(other.media_id).toBe(one.media_id);
    const { key } = await addApiKey(stack, { permissions: ['send_media'] });
    expect((await upload(file, 'image/png', key)).media_id).toBe(one.media_id);
    const { key: testKey } = await addApiKey(stack, { mode: 'test' });
    expect((await upload(file, 'image/png', testKey)).media_id).not.toBe(one.media_id);
    await stack.sql(`update uploads set expires_at = now() + interval '23 hours' where id = $1`, [
      one.media_id,
    ]);
    expect((await upload(file)).media_id).not.toBe(one.media_id);
  });

  it('is named by messages wherever they take a link', async () => {
    const [image, video, document] = await Promise.all([
      upload(png()),
      upload(
        Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), randomBytes(99)]),
        'video/mp4',
      ),
      upload(pdf(), 'application/pdf'),
    ]);
    const header = { type: 'image', image: { media_id: image.media_id } };
    const sends: [string, object, (payload: any) => any][] = [
      ['media', { type: 'image', media_id: image.media_id }, ({ image: sent }) => sent],
      [
        'media',
        { type: 'document', media_id: document.media_id.toUpperCase(), filename: 'a.pdf' },
        ({ document: sent }) => sent,
      ],
      [
        'interactive/button',
        { header, body: 'a', buttons: [{ id: 'a', title: 'A' }] },
        ({ interactive }) => interactive.header.image,
      ],
      [
        'interactive/carousel',
        {
          body: 'a',
          cards: [header, { type: 'video', video: { media_id: video.media_id } }].map((each) => ({
            header: each,
            button: { text: 'a', url: 'https://example.com' },
          })),
        },
        ({ interactive }) => interactive.action.cards[1].header.video,
      ],
    ];
    for (const [path, body, sourceOf] of sends) {
      const to = newRecipient();
      const answer = await stack.request(`/messages/${path}`, { body: { to, ...body } });
      expect(answer.text).toContain('"success":true');
      const [entry] = await stack.ledger(to);
      expect(sourceOf(entry?.body).id).toMatch(/^\d+$/);
    }
  });

  it.each([
    ['its own name', 'Bill 7.pdf', 'Bill 7.pdf'],
    ['no name', null, 'document'],
    ['a name with folders', 'C:/bills/7.pdf', '7.pdf'],
  ])('of a document with %s shows it to people', async (_, name, shown) => {
    const file = form(pdf(), 'application/pdf', 'file', name);
    const { media_id } = (await post(file)).body.data;
    const sentAs = async (path: string, body: object, documentOf: (payload: any) => any) => {
      const to = newRecipient();
      const answer = await stack.request(`/messages/${path}`, { body: { to, ...body } });
      expect(answer.text).toContain('"success":true');
      const [entry] = await stack.ledger(to);
      return documentOf(entry?.body).filename;
    };
    const header = { type: 'document', document: { media_id } };
    const names = [
      await sentAs('media', { type: 'document', media_id }, ({ document }) => document),
      await sentAs(
        'interactive/button',
        { header, body: 'a', buttons: [{ id: 'a', title: 'A' }] },
        ({ interactive }) => interactive.header.document,
      ),
      await sentAs(
        'template',
        {
          template_name: 'invoice',
          language: 'en_US',
          components: [{ type: 'header', parameters: [header] }],
        },
        ({ template }) => template.components[0].parameters[0].document,
      ),
    ];
    expect(names).toEqual([shown, shown, shown]);
    expect(
      await sentAs(
        'media',
        { type: 'document', media_id, filename: 'a' },
        ({ document }) => document,
      ),
    ).toBe('a');
  });

  it('of the same document under another name has that name from then on', async () => {
    const file = pdf();
    const named = async (name: string) =>
      (await post(form(file, 'application/pdf', 'file', name))).body.data.media_id;
    const id = await named('a.pdf');
    expect(await named('b.pdf')).toBe(id);
    expect(await stack.sql('select file_name from uploads where id = $1', [id])).toEqual([
      { file_name: 'b.pdf' },
    ]);
  });

  it('that is not there, of another kind, or expired is refused by the message', async () => {
    const { media_id } = await upload(png());
    const send = async (body: object) =>
      (await stack.request('/messages/media', { body: { to: newRecipient(), ...body } })).body
        .error;
    expect(await send({ type: 'image', media_id: randomUUID() })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { media_id: expect.stringContaining('is not the media_id') } },
    });
    expect(await send({ type: 'video', media_id })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { media_id: 'is an image, not a video' } },
    });
    expect(
      await send({ type: 'image', media_id, link: 'https://example.com/a.png' }),
    ).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await send({ type: 'image', media_id: 'x' })).details.fields).toEqual({
      media_id: 'must be a UUID',
    });
    await stack.sql('update uploads set expires_at = now() where id = $1', [media_id]);
    expect(await send({ type: 'image', media_id })).toMatchObject({
      code: 'MEDIA_EXPIRED',
      details: { field: 'media_id' },
    });
  });

  it('goes as a voice message if it is Ogg with Opus, and as no other', async () => {
    const send = async (media_id: string) =>
      (
        await stack.request('/messages/media', {
          body: { to: newRecipient(), type: 'audio', voice: true, media_id },
        })
      ).body;
    const voice = await upload(ogg('OpusHead'), 'audio/ogg');
    const { data } = await send(voice.media_id);
    const [tried] = await stack.tries(data.message_id);
    expect(tried?.body.audio).toEqual({ id: expect.stringMatching(/^\d+$/), voice: true });
    const music = await upload(Buffer.from('#!AMR\n123'), 'audio/amr');
    const { error } = await send(music.media_id);
    expect(error).toMatchObject({
      code: 'MEDIA_TYPE',
      message: 'media_id is audio/amr: a voice message is Ogg with Opus.',
    });
    await stack.sql('update uploads set expires_at = now() where id = $1', [music.media_id]);
    expect((await send(music.media_id)).error.code).toBe('MEDIA_TYPE');
  });

  describe('in a template', () => {
    beforeAll(async () => {
      await stack.sql(`update templates set category = 'AUTHENTICATION' where name = 'plain'`);
    });

    it('that is not there is refused at its field', async () => {
      const document = { media_id: randomUUID(), filename: 'a.pdf' };
      const components = [{ type: 'header', parameters: [{ type: 'document', document }] }];
      const named = { template_name: 'invoice', language: 'en_US' };
      const { body } = await stack.request('/messages/template', {
        body: { to: newRecipient(), ...named, components },
      });
      expect(body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: {
          fields: { 'components[0].parameters[0].document.media_id': expect.any(String) },
        },
      });
    });

    it('that has expired comes before a fallback that cannot reach the recipient', async () => {
      const { media_id } = await upload(png());
      await stack.sql('update uploads set expires_at = now() where id = $1', [media_id]);
      const fallback = { template_name: 'plain', language: 'en_US', components: [] };
      const message = { to_user_id: 'US.1', type: 'image', fallback };
      const codeOf = async (source: object) =>
        (await stack.request('/messages/media', { body: { ...message, ...source } })).body.error
          .code;
      expect(await codeOf({ media_id })).toBe('MEDIA_EXPIRED');
      expect(await codeOf({ link: 'https://example.com/a.png' })).toBe('RECIPIENT_NOT_SUPPORTED');
    });
  });

  it.each<[string, Buffer, string, string]>([
    ['a type that WhatsApp does not take', randomBytes(99), 'image/gif', 'MEDIA_TYPE'],
    ['another type than its header says', pdf(), 'image/png', 'MEDIA_TYPE'],
    ['Ogg with Vorbis', ogg('\x01vorbis'), 'audio/ogg', 'MEDIA_TYPE'],
    ['bytes in a text', Buffer.alloc(99), 'text/plain', 'MEDIA_TYPE'],
    ['no type, and bytes without one', randomBytes(99), 'application/octet-stream', 'MEDIA_TYPE'],
    ['an image of more than 5 MB', png(5 * mebibyte + 1), 'image/png', 'MEDIA_TOO_LARGE'],
    ['a sticker of more than 100 KB', webp(false, 102_401), 'image/webp', 'MEDIA_TOO_LARGE'],
    ['an animated one of more than 500 KB', webp(true, 512_001), 'image/webp', 'MEDIA_TOO_LARGE'],
  ])('with %s is refused, and leaves nothing', async (_, file, type, code) => {
    const before = await rows();
    const answer = await post(form(file, type));
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
    expect(await rows()).toBe(before);
  });

  it.each<[string, Buffer, string]>([
    ['an image of 5 MB', png(5 * mebibyte), 'image/png'],
    ['an animated sticker of 500 KB', webp(true, 512_000), 'image/webp'],
    ['a document of 20 MB', pdf(20 * mebibyte), 'application/pdf'],
    ['a text', Buffer.from('a,b\n1,2\n'), 'text/plain; charset=utf-8'],
    ['an image that names no type', png(), 'application/octet-stream'],
  ])('with %s is taken', async (_, file, type) => {
    expect((await post(form(file, type))).status).toBe(200);
  });

  it('under another name of its type goes on under WhatsApp’s', async () => {
    const { media_id, mime_type } = await upload(ogg('OpusHead'), 'audio/opus');
    expect(mime_type).toBe('audio/ogg');
    const [{ platform_id }] = await stack.sql('select platform_id from uploads where id = $1', [
      media_id,
    ]);
    const kept = await fetch(`${stack.simulator.url}/v25.0/${platform_id}`, {
      headers: { authorization: 'Bearer any' },
    });
    expect(await kept.json()).toMatchObject({ mime_type: 'audio/ogg' });
  });

  it('with the other fields of WhatsApp’s own upload is taken', async () => {
    const { body, headers } = form(png());
    const [, boundary] = headers['Content-Type'].split('boundary=');
    const field = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const before = field('messaging_product', 'whatsapp') + field('type', 'image/png');
    const whole = { headers, body: Buffer.concat([Buffer.from(before), body]) };
    expect((await post(whole)).status).toBe(200);
  });

  it('that is no form with one field file is refused', async () => {
    const cut = (whole: ReturnType<typeof form>) => ({
      ...whole,
      body: whole.body.subarray(0, -60),
    });
    const longBoundary = {
      ...form(png()),
      headers: { 'Content-Type': `multipart/form-data; boundary=${'b'.repeat(300)}` },
    };
    const cases: [object, string][] = [
      [{ body: png(), headers: { 'Content-Type': 'image/png' } }, 'Content-Type'],
      [form(png(), 'image/png', 'picture'), 'picture'],
      [{ ...form(png()), body: Buffer.from('--nothing') }, 'body'],
      [cut(form(png())), 'body'],
      [cut(form(pdf(mebibyte), 'application/pdf')), 'body'],
      [longBoundary, 'Content-Type'],
    ];
    for (const [sent, field] of cases) {
      const { status, body } = await post(sent as ReturnType<typeof form>);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(Object.keys(body.error.details.fields)).toEqual([field]);
    }
  });

  it('needs the permission, and a known key, and is answered before it has come in', async () => {
    const { key } = await addApiKey(stack, { permissions: ['send_text'] });
    expect((await post(form(png()), {}, key)).body.error.code).toBe('PERMISSION_DENIED');
    expect((await post(form(png(2 * mebibyte)), {}, 'x')).body.error.code).toBe('INVALID_API_KEY');
  });

  it('that is refused is read to its end, so that its connection serves the next request', async () => {
    const { body, headers } = form(pdf(8 * mebibyte), 'image/png');
    const { hostname, port } = new URL(stack.apis[0]?.url ?? '');
    const socket = connect(Number(port), hostname);
    let answers = '';
    socket.on('data', (chunk) => (answers += chunk.toString()));
    socket.write(
      `POST ${route} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${installation.apiKey}\r\n` +
        `Content-Type: ${headers['Content-Type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => /^HTTP\/1\.1 400 [^]*MEDIA_TYPE[^]*HTTP\/1\.1 200 /.test(answers));
    socket.destroy();
  });

  it('that breaks off leaves nothing, also at WhatsApp', async () => {
    const before = await rows();
    const { body, headers } = form(pdf(mebibyte), 'application/pdf');
    const { hostname, port } = new URL(stack.apis[0]?.url ?? '');
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST ${route} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${installation.apiKey}\r\n` +
        `Content-Type: ${headers['Content-Type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.subarray(0, mebibyte / 2));
    await until(() => socket.bytesWritten > mebibyte / 2);
    socket.destroy();
    // The process still serves the next one.
    expect((await post(form(png()))).status).toBe(200);
    expect(await rows()).toBe(before + 1);
  });

  it('that is signed is bound to its body', async () => {
    const { key, signing_secret: signingSecret } = await operator.newKey({
      require_signature: true,
      permissions: ['send_media'],
    });
    const sent = form(png());
    const signedFor = (body: Buffer) => {
      const timestamp = Math.floor(Date.now() / 1_000);
      const nonce = randomUUID();
      const request = { method: 'POST', target: route, bodySha256: sha256Hex(body) };
      return {
        'X-Timestamp': String(timestamp),
        'X-Nonce': nonce,
        'X-Signature': `v1=${sign(signingSecret, request, timestamp, nonce).toString('hex')}`,
        'X-Content-SHA256': request.bodySha256,
      };
    };
    expect((await post(sent, signedFor(sent.body), key)).status).toBe(200);
    const before = await rows();
    const other = form(png());
    for (const headers of [
      signedFor(sent.body),
      { ...signedFor(other.body), 'X-Content-SHA256': '' },
      { ...signedFor(other.body), 'X-Content-SHA256': sha256Hex(sent.body) },
    ]) {
      const refused = await post(other, headers, key);
      expect([refused.status, refused.body.error.code]).toEqual([401, 'INVALID_SIGNATURE']);
    }
    expect(await rows()).toBe(before);
  });

  it('that WhatsApp refuses is an error with its code', async () => {
    await stack.rules.add({ match: { type: 'media' }, fault: { code: 131053 }, times: 1 });
    const { status, body } = await post(form(png()));
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(body.error.details).toMatchObject({
      reason: 'platform_refused',
      whatsapp_error_code: 131053,
    });
  });
});
