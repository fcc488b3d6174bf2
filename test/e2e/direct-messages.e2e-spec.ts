import { addAccount, addApiKey } from '../support/api-keys.js';
import { buttonMessage, newRecipient, type RequestOptions, Stack } from '../support/stack.js';

const link = 'https://shop.example/a.bin';
const long = (length: number) => '🙂'.repeat(length);

describe('a text or a media message', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  afterAll(() => stack?.stop());

  type Kind = 'text' | 'media';
  const send = (kind: Kind, body: unknown, options: RequestOptions = {}) =>
    stack.request(`/messages/${kind}`, { method: 'POST', body, ...options });

  /** What arrives at the platform for one message, without what all messages have. */
  async function arrived(kind: Kind, message: Record<string, unknown>) {
    const to = newRecipient();
    const { status, body } = await send(kind, { to, ...message });
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: { message_id: expect.any(String), status: 'sent' },
    });
    const [entry] = await stack.ledger(to);
    const { biz_opaque_callback_data, ...payload } = entry?.body ?? {};
    expect(biz_opaque_callback_data).toBe(body.data.message_id);
    return { to, payload };
  }

  it.each<[string, Kind, Record<string, unknown>, Record<string, unknown>]>([
    [
      'a text',
      'text',
      { body: 'Hello\n*you*' },
      { text: { preview_url: false, body: 'Hello\n*you*' } },
    ],
    [
      'a text with a preview',
      'text',
      { body: link, preview_url: true, reference: 'r' },
      { text: { preview_url: true, body: link } },
    ],
    [
      'a text of 4,096 characters, however many code units',
      'text',
      { body: long(4_096) },
      { text: { preview_url: false, body: long(4_096) } },
    ],
    ['an image', 'media', { type: 'image', link }, { image: { link } }],
    [
      'a video with a caption of 1,024 characters',
      'media',
      { type: 'video', link, caption: long(1_024) },
      { video: { link, caption: long(1_024) } },
    ],
    [
      'a document with caption and name',
      'media',
      { type: 'document', link, caption: 'Yours', filename: 'invoice.pdf' },
      { document: { link, caption: 'Yours', filename: 'invoice.pdf' } },
    ],
    [
      'a document of which only the address is given',
      'media',
      { type: 'document', link, caption: null, filename: null, reply_to: null, reference: null },
      { document: { link, filename: 'a.bin' } },
    ],
    ['an audio', 'media', { type: 'audio', link }, { audio: { link } }],
    [
      'a voice message',
      'media',
      { type: 'audio', link, voice: true },
      { audio: { link, voice: true } },
    ],
    ['an audio that is none', 'media', { type: 'audio', link, voice: false }, { audio: { link } }],
    ['a sticker', 'media', { type: 'sticker', link }, { sticker: { link } }],
  ])('%s arrives as the platform wants it', async (_, kind, message, content) => {
    const { to, payload } = await arrived(kind, message);
    expect(payload).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: kind === 'text' ? 'text' : message.type,
      ...content,
    });
  });

  it.each<[string, Kind, Record<string, unknown>, Record<string, string>]>([
    [
      'a blank body and an unknown field',
      'text',
      { body: ' \t', header: 'b' },
      { body: 'must not be blank', header: 'is not a known field' },
    ],
    [
      'a reply to an unknown message',
      'text',
      { body: 'a', reply_to: '018f0000-0000-7000-8000-000000000000' },
      { reply_to: 'is not the id of a message of this account' },
    ],
    [
      'a caption on a sticker, and too long a reference',
      'media',
      { type: 'sticker', link, caption: 'a', reference: 'r'.repeat(101) },
      {
        caption: 'is not allowed for audio and stickers',
        reference: 'must be at most 100 characters; this has 101',
      },
    ],
  ])(
    'with %s is refused by the name of the field, and nothing is sent',
    async (_, kind, message, fields) => {
      const to = newRecipient();
      const { status, body } = await send(kind, { to, ...message });
      expect({ status, code: body.error.code, fields: body.error.details.fields }).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        fields,
      });
      expect(await stack.ledger(to)).toEqual([]);
    },
  );

  it('to a number of another form is refused with INVALID_PHONE_NUMBER', async () => {
    for (const kind of ['text', 'media'] as const) {
      const message = kind === 'text' ? { body: 'a' } : { type: 'image', link };
      const { body } = await send(kind, { to: '4155550123', ...message });
      expect(body.error.code).toBe('INVALID_PHONE_NUMBER');
    }
  });

  it('that answers a message of ours quotes it by the platform’s id', async () => {
    const to = newRecipient();
    const { body } = await stack.send('button', buttonMessage({ to }));
    const [first] = await stack.ledger(to);
    const { payload } = await arrived('text', { body: 'Yes', reply_to: body.data.message_id });
    expect(payload.context).toEqual({ message_id: first?.id });
    const capitals = body.data.message_id.toUpperCase();
    const media = await arrived('media', { type: 'image', link, reply_to: capitals });
    expect(media.payload.context).toEqual({ message_id: first?.id });
  });

  it('that answers a message by the platform’s id quotes that id', async () => {
    const reply_to = 'wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA';
    const { payload } = await arrived('text', { body: 'Yes', reply_to });
    expect(payload.context).toEqual({ message_id: reply_to });
  });

  it('cannot answer a message that WhatsApp never took, nor one of another account', async () => {
    const refused = await stack.send('button', buttonMessage({ to: '+15550131026' }));
    const reply_to = refused.body.error.details.message_id;
    const to = newRecipient();
    const { body } = await send('text', { to, body: 'Yes', reply_to });
    expect(body.error.details.fields).toEqual({
      reply_to: 'is the id of a message that WhatsApp does not have',
    });
    const { key } = await addApiKey(stack, { accountId: await addAccount(stack) });
    const foreign = await send('text', { to, body: 'Yes', reply_to }, { apiKey: key });
    expect(foreign.body.error.details.fields).toEqual({
      reply_to: 'is not the id of a message of this account',
    });
    expect(await stack.ledger(to)).toEqual([]);
  });

  it('needs send_text or send_media', async () => {
    const text = await addApiKey(stack, { permissions: ['send_text'] });
    const media = await addApiKey(stack, { permissions: ['send_media'] });
    const to = newRecipient();
    const status = async (kind: Kind, apiKey: string | null) => {
      const message = kind === 'text' ? { body: 'a' } : { type: 'image', link };
      return (await send(kind, { to, ...message }, { apiKey })).status;
    };
    expect(await status('text', text.key)).toBe(200);
    expect(await status('media', text.key)).toBe(403);
    expect(await status('media', media.key)).toBe(200);
    expect(await status('text', media.key)).toBe(403);
    expect(await status('text', null)).toBe(401);
  });

  it('is repeated safely, and is read with its type', async () => {
    const to = newRecipient();
    const headers = { 'Idempotency-Key': `once ${to}` };
    const message = { to, type: 'audio', link };
    const first = await send('media', message, { headers });
    const second = await send('media', message, { headers });
    expect(second.body.data).toEqual(first.body.data);
    expect(await stack.ledger(to)).toHaveLength(1);
    expect(await stack.message(first.body.data.message_id)).toMatchObject({ type: 'media' });
    const text = await send('text', { to, body: 'a' });
    expect(await stack.message(text.body.data.message_id)).toMatchObject({ type: 'text' });
  });
});
