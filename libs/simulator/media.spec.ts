import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import {
  buttonMessage,
  message,
  ownNumberId,
  SimulatorUnderTest,
  textMessage,
} from './spec-support.js';

const megabyte = 1024 * 1024;

describe('media', () => {
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  const uploaded = async (file: string): Promise<string> =>
    (await simulator.upload('x', { file })).json.id;
  const node = (id: string) => simulator.call('GET', `/${id}?phone_number_id=1`);
  const sizeOf = (bytes: number) => new Uint8Array(bytes);

  it('can be uploaded, looked up, fetched and deleted', async () => {
    const content = '%PDF\r\n\r\n--x';
    const { json: answer } = await simulator.upload(content);
    expect(answer).toEqual({ id: expect.stringMatching(/^\d+$/) });
    const { json } = await node(answer.id);
    expect(json).toMatchObject({
      mime_type: 'application/pdf',
      file_size: 11,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    const file = await fetch(json.url, { headers: { authorization: 'Bearer t' } });
    expect(await file.text()).toBe(content);
    const deleted = await simulator.call('DELETE', `/${answer.id}`);
    expect(deleted.json).toEqual({ success: true });
    const gone = await node(answer.id);
    expect(gone.json.error).toMatchObject({ code: 100, error_subcode: 33 });
  });

  it('have the type that the form says before that of the file', async () => {
    const { json } = await simulator.upload('x', { type: 'audio/ogg; codecs=opus' });
    expect((await node(json.id)).json.mime_type).toBe('audio/ogg');
  });

  it.each<[string, Record<string, string | null>, RegExp]>([
    ['no file', { file: null }, /parameter file is required/],
    ['no product', { messaging_product: null }, /parameter messaging_product is required/],
    ['another product', { messaging_product: 'mail' }, /parameter messaging_product is required/],
    [
      'a type that WhatsApp does not take',
      { file: 'image/gif' },
      /^\(#100\) Param file must be a file with one of the following types: audio\/aac, .*video\/3gpp\. Received file of type 'image\/gif'\.$/,
    ],
  ])('are refused with %s', async (_, fields, text) => {
    const { http, json } = await simulator.upload('x', fields);
    expect([http, json.error]).toEqual([
      400,
      expect.objectContaining({ code: 100, message: expect.stringMatching(text) }),
    ]);
  });

  it('are refused as anything but a form', async () => {
    const { http, json } = await simulator.call('POST', '/1/media', { file: 'x' });
    expect([http, json.error.code]).toEqual([400, 100]);
  });

  it.each<[string, number]>([
    ['image/png', 5 * megabyte],
    ['image/webp', 500 * 1024],
    ['audio/ogg', 16 * megabyte],
    ['video/mp4', 16 * megabyte],
  ])('of type %s have at most %i bytes', async (file, max) => {
    expect((await simulator.upload(sizeOf(max), { file })).http).toBe(200);
    const { http, json } = await simulator.upload(sizeOf(max + 1), { file });
    expect([http, json.error.code]).toEqual([400, 100]);
    expect(json.error.message).toMatch(/size out of range/);
  });

  it('have at most 100 MB as documents', async () => {
    expect((await simulator.upload(sizeOf(17 * megabyte))).http).toBe(200);
    const { json } = await simulator.upload(sizeOf(100 * megabyte + 1));
    expect(json.error.message).toMatch(/size out of range/);
  });

  it('above 8 MB are known by size and hash, and cannot be fetched', async () => {
    const bytes = sizeOf(8 * megabyte + 1);
    const { id } = (await simulator.upload(bytes)).json;
    const { json } = await node(id);
    expect(json).toMatchObject({
      file_size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const file = await fetch(json.url, { headers: { authorization: 'Bearer t' } });
    expect(file.status).toBe(404);
  });

  /** The answer to what begins as a form with a file and ends there; empty when there is none. */
  const brokenUpload = (length: number): Promise<string> => {
    const body =
      '--b\r\nContent-Disposition: form-data; name="messaging_product"\r\n\r\nwhatsapp\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n' +
      'Content-Type: application/pdf\r\n\r\n%PDF';
    const socket = connect(simulator.simulator.port, '127.0.0.1');
    socket.end(
      `POST /${ownNumberId}/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\nConnection: close\r\n' +
        `Content-Length: ${body.length + length}\r\n\r\n${body}`,
    );
    return new Promise((resolve) => {
      let answer = '';
      socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      socket.on('close', () => resolve(answer));
    });
  };

  it.each([
    ['whose caller leaves', 100, /^(HTTP\/1.1 400 Bad Request\r\n|$)/],
    ['whose form has no end', 0, /parameter file is required/],
  ])('%s are not kept', async (_, missing, answer) => {
    const before = Number(await uploaded('application/pdf'));
    expect(await brokenUpload(missing)).toMatch(answer);
    expect((await node(String(before + 1))).json.error.error_subcode).toBe(33);
    expect(Number(await uploaded('application/pdf'))).toBe(before + 1);
  });

  it('fail by a rule of type "media", and by no other', async () => {
    await simulator.rule({ code: 131016 });
    expect((await simulator.upload()).http).toBe(200);
    await simulator.rule({ delay_ms: 1 }, { type: 'media' });
    await simulator.rule({ code: 131000 }, { type: 'media' }, 1);
    expect((await simulator.upload()).json.error.code).toBe(131000);
    expect((await simulator.upload()).http).toBe(200);
    await simulator.rule('drop', { type: 'media' });
    await expect(simulator.upload()).rejects.toThrow('fetch failed');
  });

  describe('sent by id', () => {
    const headed = (type: string, id: string) =>
      buttonMessage([['yes', 'Yes']], { header: { type, [type]: { id } } });
    const template = (id: string) =>
      message('template', {
        name: 'product_launch',
        language: { code: 'en_US' },
        components: [
          { type: 'header', parameters: [{ type: 'video', video: { id } }] },
          { type: 'body', parameters: [{ type: 'text', text: 'a' }] },
        ],
      });
    /** 200, or the code of the refusal. */
    const sent = async (body: unknown): Promise<number> => {
      const { http, json } = await simulator.send(body);
      return http === 200 ? http : json.error.code;
    };

    it.each([
      ['image', 'image/jpeg'],
      ['video', 'video/3gpp'],
      ['audio', 'audio/amr'],
      ['document', 'text/plain'],
      ['sticker', 'image/webp'],
    ])('go as %s, and as nothing else', async (kind, file) => {
      const id = await uploaded(file);
      for (const type of ['image', 'video', 'audio', 'document', 'sticker']) {
        expect(await sent(message(type, { id }))).toBe(type === kind ? 200 : 131009);
      }
    });

    it('go as voice messages if they are Ogg', async () => {
      const voiceOf = async (file: string) =>
        sent(message('audio', { id: await uploaded(file), voice: true }));
      expect(await voiceOf('audio/ogg')).toBe(200);
      expect(await voiceOf('audio/ogg; codecs=opus')).toBe(200);
      expect(await voiceOf('audio/mpeg')).toBe(131009);
    });

    it('go into a header', async () => {
      expect(await sent(headed('image', await uploaded('image/png')))).toBe(200);
      expect(await sent(headed('video', await uploaded('image/png')))).toBe(131009);
    });

    it('go into a template', async () => {
      expect(await sent(template(await uploaded('video/mp4')))).toBe(200);
      expect(await sent(template(await uploaded('image/png')))).toBe(131009);
    });

    it('may be at the real platform, where a sandbox cannot see them', async () => {
      expect(await sent(message('image', { id: '1037543291543636' }))).toBe(200);
    });

    it('can be those that a user has sent', async () => {
      await simulator.send(textMessage());
      const picture = { from: '+16505551234', type: 'image' };
      const { id } = (await simulator.call('POST', '/_simulator/inbound', picture)).json;
      const { messages } = (await simulator.call('GET', '/_simulator/conversation?to=16505551234'))
        .json;
      const turn = messages.find((each: { id: string }) => each.id === id);
      expect(await sent(message('image', { id: turn.message.image.id }))).toBe(200);
    });
  });
});
