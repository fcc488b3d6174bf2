import { addAccount, addApiKey } from '../support/api-keys.js';
import { buttonMessage, newRecipient, type RequestOptions, Stack } from '../support/stack.js';

describe('marking a message as read', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  afterEach(() => stack.rules.clear());
  afterAll(() => stack?.stop());

  const mark = (body: unknown, options: RequestOptions = {}) =>
    stack.request('/messages/read', { method: 'POST', body, ...options });

  /** WhatsApp's id of what a user wrote. */
  const written = async () =>
    (
      await stack.control('POST', 'inbound', {
        from: newRecipient(),
        text: 'Hello',
        phone_number_id: '100000000000001',
      })
    ).id as string;

  const readsOf = async (id: string) => {
    const { reads } = await stack.control('GET', 'reads');
    return reads.filter(({ message_id }: { message_id: string }) => message_id === id);
  };

  const inserted = async () =>
    Number((await stack.sql('select count(*) from messages'))[0].count as string);

  it('reaches WhatsApp, and stores no message', async () => {
    const id = await written();
    const before = await inserted();
    const { status, body } = await mark({ message_id: id });
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: { message_id: id, typing: false },
    });
    expect(await readsOf(id)).toEqual([expect.objectContaining({ typing: false })]);
    expect(await inserted()).toBe(before);
  });

  it('shows that you are writing, if told to', async () => {
    const id = await written();
    expect((await mark({ message_id: id, typing: true })).body.data.typing).toBe(true);
    expect(await readsOf(id)).toEqual([expect.objectContaining({ typing: true })]);
  });

  it('takes a unit of the minute and none of the day, also on a day that is used up', async () => {
    const { key: apiKey } = await addApiKey(stack, { dailyLimit: 1, rateLimit: 3 });
    const id = await written();
    expect((await mark({ message_id: id }, { apiKey })).status).toBe(200);
    expect((await stack.send('button', buttonMessage(), {}, { apiKey })).status).toBe(200);
    const refused = await stack.send('button', buttonMessage(), {}, { apiKey });
    expect(refused.body.error.code).toBe('DAILY_LIMIT_EXCEEDED');
    expect((await mark({ message_id: id }, { apiKey })).status).toBe(200);
    const next = await mark({ message_id: id }, { apiKey });
    expect(next.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('needs the permission to send texts', async () => {
    const { key: apiKey } = await addApiKey(stack, { permissions: ['send_media'] });
    const { status, body } = await mark({ message_id: 'wamid.A' }, { apiKey });
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'PERMISSION_DENIED' });
  });

  it.each([
    ['no id', {}, { message_id: 'is required' }],
    ['an empty id', { message_id: '' }, { message_id: 'must not be blank' }],
    ['a long id', { message_id: 'a'.repeat(513) }, { message_id: expect.stringContaining('512') }],
    ['typing that is false', { message_id: 'wamid.A', typing: false }, { typing: 'must be true' }],
    ['a recipient', { message_id: 'wamid.A', to: '+14155550123' }, { to: expect.any(String) }],
  ])('refuses %s', async (_, body, fields) => {
    const answer = await mark(body);
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { fields } });
  });

  it.each(['wamid.NEVER', '00000000-0000-4000-8000-000000000000'])(
    'passes the unknown id %s on, and tells what WhatsApp says',
    async (id) => {
      const { status, body } = await mark({ message_id: id });
      expect({ status, error: body.error }).toEqual({
        status: 400,
        error: {
          code: 'MESSAGE_SEND_FAILED',
          message: expect.any(String),
          details: {
            message_id: id,
            retryable: false,
            whatsapp_error_code: 131009,
            whatsapp_error_message: expect.any(String),
          },
        },
      });
    },
  );

  it.each([
    ['a refusal that may pass', { code: 131056 }, { whatsapp_error_code: 131056 }],
    ['an answer without a cause', 'bad-gateway', { reason: 'unanswered' }],
  ])('is tried once: %s is reported at once', async (_, fault, details) => {
    const id = await written();
    await stack.rules.add({ match: { type: 'read' }, fault, times: 1 });
    const failed = await mark({ message_id: id });
    expect(failed.status).toBe(500);
    expect(failed.body.error).toMatchObject({
      code: 'MESSAGE_SEND_FAILED',
      details: { message_id: id, retryable: true, ...details },
    });
    expect(await readsOf(id)).toEqual([]);
    expect((await mark({ message_id: id })).status).toBe(200);
  });

  it('counts toward the pace of the number', async () => {
    const accountId = await addAccount(stack);
    const { key: apiKey } = await addApiKey(stack, { accountId });
    // One at once, and the next in more than a minute.
    await stack.sql(
      `update accounts set messages_per_second = 1, learnt_per_second = 0.01, learnt_at = now()
       where id = $1`,
      [accountId],
    );
    const own = { apiKey };
    const first = await mark({ message_id: 'wamid.A' }, own);
    expect(first.body.error.details.whatsapp_error_code).toBe(131009);
    const { status, body } = await mark({ message_id: 'wamid.A' }, own);
    expect({ status, details: body.error.details }).toEqual({
      status: 500,
      details: { message_id: 'wamid.A', retryable: true, reason: 'number_busy' },
    });
  });
});
