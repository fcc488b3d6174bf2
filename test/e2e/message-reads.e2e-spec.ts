import { buttonMessage, listMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('reading messages', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  afterAll(() => stack?.stop());

  async function sentId(message: Record<string, unknown> = buttonMessage()): Promise<string> {
    const { body } = await stack.send('button', message);
    return body.data.message_id;
  }

  const list = async (query: Record<string, string>) =>
    (await stack.get(`/messages?${new URLSearchParams(query).toString()}`)).body.data;
  const listedIds = async (query: Record<string, string>): Promise<string[]> =>
    (await list(query)).messages.map((message: any) => message.message_id);

  it('one by its id has every field and its timeline', async () => {
    const to = newRecipient();
    const id = await sentId(buttonMessage({ to, reference: 'order-42' }));
    const { status, body } = await stack.get(`/messages/${id}`);
    const [entry] = await stack.ledger(to);
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: {
        message_id: id,
        type: 'button',
        status: 'sent',
        to,
        to_user_id: null,
        contact_id: null,
        campaign_id: null,
        reference: 'order-42',
        platform_message_id: entry?.id,
        held: false,
        pricing: null,
        error: null,
        created_at: isoTime,
        send_at: null,
        expires_at: null,
        sent_at: isoTime,
        delivered_at: null,
        read_at: null,
        failed_at: null,
        timeline: [
          { status: 'queued', at: isoTime, source: 'api' },
          { status: 'sending', at: isoTime, source: 'worker' },
          { status: 'sent', at: isoTime, source: 'platform' },
        ],
      },
    });
    const times = body.data.timeline.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
  });

  it('one by its id in capitals works', async () => {
    const id = await sentId();
    expect((await stack.message(id.toUpperCase())).message_id).toBe(id);
  });

  it.each([
    'nothing',
    '0',
    '018f0000-0000-7000-8000-00000000000',
    '018f0000-0000-7000-8000-000000000000',
    '018f0000-0000-4000-8000-000000000000',
    "' or 1=1 --",
    'x'.repeat(190),
  ])('that is not there (%s) is 404 MESSAGE_NOT_FOUND', async (id) => {
    const { status, body } = await stack.get(`/messages/${encodeURIComponent(id)}`);
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        success: false,
        error: { code: 'MESSAGE_NOT_FOUND', message: expect.any(String) },
        meta: expect.objectContaining({ rate_limit: expect.any(Object) }),
      },
    });
  });

  it('pages through all of them, newest first, each once, while new ones come', async () => {
    const reference = newRecipient();
    const sent = await Promise.all(
      Array.from({ length: 25 }, () => sentId(buttonMessage({ reference }))),
    );
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: any = await list({ reference, limit: '10', ...(cursor && { cursor }) });
      pages.push(page.messages.map((message: any) => message.message_id));
      cursor = page.next_cursor;
      await sentId(buttonMessage({ reference }));
    } while (cursor);
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(sent.toSorted().toReversed());
  });

  it('lists twenty by default', async () => {
    const { messages, next_cursor } = await list({});
    expect(messages).toHaveLength(20);
    expect(next_cursor).toBe(messages.at(-1).message_id);
  });

  it('has no next page when the last page is exactly full', async () => {
    const reference = newRecipient();
    for (let count = 0; count < 3; count += 1) await sentId(buttonMessage({ reference }));
    expect(await list({ reference, limit: '3' })).toMatchObject({ next_cursor: null });
  });

  it('filters by status, recipient and reference, all of which must fit', async () => {
    const [to, reference] = [newRecipient(), newRecipient()];
    const mine = await sentId(buttonMessage({ to, reference }));
    const toOther = await sentId(buttonMessage({ reference }));
    const refused = await stack.send('button', buttonMessage({ to: '+15550131026', reference }));
    const failed = refused.body.error.details.message_id;
    expect(await listedIds({ to })).toEqual([mine]);
    expect(await listedIds({ reference })).toEqual([failed, toOther, mine]);
    expect(await listedIds({ reference, to })).toEqual([mine]);
    expect(await listedIds({ reference, status: 'failed' })).toEqual([failed]);
    expect(await listedIds({ reference, status: 'delivered' })).toEqual([]);
    const [shown] = (await list({ reference, status: 'failed' })).messages;
    expect(shown).toMatchObject({ type: 'button', error: { whatsapp_error_code: 131026 } });
    expect(shown.timeline).toBeUndefined();
  });

  it('filters by time: from created_after on, before created_before', async () => {
    const reference = newRecipient();
    const first = await sentId(buttonMessage({ reference }));
    const { created_at } = await stack.message(first);
    await until(() => Date.now() > Date.parse(created_at) + 5);
    const second = await sentId(buttonMessage({ reference }));
    const between = new Date(Date.parse(created_at) + 2).toISOString();
    expect(await listedIds({ reference, created_after: between })).toEqual([second]);
    expect(await listedIds({ reference, created_before: between })).toEqual([first]);
    expect(await listedIds({ reference, created_after: created_at })).toEqual([second, first]);
    expect(
      await listedIds({ reference, created_after: '2020-01-01', created_before: '2021-01-01' }),
    ).toEqual([]);
  });

  it.each([
    ['status', 'gone'],
    ['to', '12'],
    ['reference', ''],
    ['created_after', 'yesterday'],
    ['created_before', '2026-13-01'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['cursor', 'first'],
    ['page', '2'],
    ['reference', 'a\0b'],
  ])('with %s=%j is refused by the name of the filter', async (name, value) => {
    const { status, body } = await stack.get(
      `/messages?${new URLSearchParams({ [name]: value }).toString()}`,
    );
    // A wrong number alone has its own code, here as in a body.
    const code = name === 'to' ? 'INVALID_PHONE_NUMBER' : 'VALIDATION_ERROR';
    expect({ status, code: body.error.code, fields: body.error.details.fields }).toEqual({
      status: 400,
      code,
      fields: { [name]: expect.any(String) },
    });
  });

  it('with a filter given twice is refused', async () => {
    const { status } = await stack.get('/messages?reference=a&reference=b');
    expect(status).toBe(400);
  });

  it('shows lists as lists', async () => {
    const reference = newRecipient();
    await stack.send('list', listMessage({ reference }));
    expect((await list({ reference })).messages).toMatchObject([{ type: 'list' }]);
  });
});
