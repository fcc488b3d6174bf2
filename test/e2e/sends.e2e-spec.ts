import { stores } from '../support/installation.js';
import { buttonMessage, listMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const sixRows = (from: number) =>
  Array.from({ length: 6 }, (_, row) => ({ id: `${from + row}`, title: 'Row' }));

describe.each(stores)('a send over %s', (store) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ store });
  });

  afterAll(() => stack?.stop());
  afterEach(() => stack.rules.clear());

  it.each([
    ['list', listMessage()],
    ['button', buttonMessage()],
  ] as const)(
    'of a %s is answered 200 in the envelope when WhatsApp has taken it',
    async (type, message) => {
      const { status, headers, body } = await stack.send(type, message);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          success: true,
          data: { message_id: expect.stringMatching(uuidv7), status: 'sent' },
          meta: {
            request_id: headers.get('x-request-id'),
            rate_limit: {
              limit: 1_000_000,
              remaining: expect.any(Number),
              reset_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/),
            },
          },
        },
      });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await stack.tries(body.data.message_id)).toHaveLength(1);
    },
  );

  it('counts down its limits in meta and headers', async () => {
    const first = await stack.send('button', buttonMessage());
    const second = await stack.send('button', buttonMessage());
    const [one, two] = [first, second].map(({ body }) => body.meta.rate_limit);
    if (one.reset_at === two.reset_at) expect(two.remaining).toBe(one.remaining - 1);
    expect(second.headers.get('ratelimit-policy')).toBe(
      '"minute";q=1000000;w=60, "day";q=10000000;w=86400',
    );
    expect(second.headers.get('ratelimit')).toMatch(
      new RegExp(`^"minute";r=${two.remaining};t=\\d+, "day";r=\\d+;t=\\d+$`),
    );
  });

  it('carries a list to WhatsApp exactly as the caller wrote it', async () => {
    const to = newRecipient();
    const { body } = await stack.send('list', {
      to,
      header: 'Delivery 📦',
      body: 'When shall we come?\nTell us.',
      footer: 'Lucky Shrub',
      button: 'Choose a time',
      sections: [
        {
          title: 'Today',
          rows: [
            { id: 'noon', title: 'At noon', description: '12:00 to 13:00' },
            { id: 'eve', title: 'In the evening', description: null },
          ],
        },
        { title: 'Later', rows: [{ id: 'later', title: 'Another day' }] },
      ],
      reference: 'order-42',
    });
    const [entry, ...others] = await stack.ledger(to);
    expect(others).toEqual([]);
    expect(entry?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: 'interactive',
      interactive: {
        type: 'list',
        header: { type: 'text', text: 'Delivery 📦' },
        body: { text: 'When shall we come?\nTell us.' },
        footer: { text: 'Lucky Shrub' },
        action: {
          button: 'Choose a time',
          sections: [
            {
              title: 'Today',
              rows: [
                { id: 'noon', title: 'At noon', description: '12:00 to 13:00' },
                { id: 'eve', title: 'In the evening' },
              ],
            },
            { title: 'Later', rows: [{ id: 'later', title: 'Another day' }] },
          ],
        },
      },
      biz_opaque_callback_data: body.data.message_id,
    });
  });

  it.each([
    [{ type: 'text', text: 'Your parcel' }],
    [{ type: 'image', image: { link: 'https://example.com/parcel.jpg' } }],
    [{ type: 'video', video: { link: 'https://example.com/parcel.mp4?size=1' } }],
    [
      {
        type: 'document',
        document: { link: 'http://example.com/bill.pdf', filename: 'Bill №1.pdf' },
      },
    ],
  ])('carries buttons below the header %j to WhatsApp', async (header) => {
    const to = newRecipient();
    const others = { text: null, image: null, video: null, document: null };
    const message = buttonMessage({ to, header: { ...others, ...header }, footer: 'Lucky Shrub' });
    const { body } = await stack.send('button', message);
    const [entry] = await stack.ledger(to);
    expect(entry?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: 'interactive',
      interactive: {
        type: 'button',
        header,
        body: { text: message.body },
        footer: { text: 'Lucky Shrub' },
        action: {
          buttons: [
            { type: 'reply', reply: { id: 'yes', title: 'Yes' } },
            { type: 'reply', reply: { id: 'no', title: 'No' } },
          ],
        },
      },
      biz_opaque_callback_data: body.data.message_id,
    });
    expect(entry?.outcome).toBe('accepted');
  });

  it('takes null for every optional field as absent', async () => {
    const none = { header: null, footer: null, reference: null };
    expect((await stack.send('button', buttonMessage(none))).status).toBe(200);
    const sections = [{ title: null, rows: [{ id: 'a', title: 'A', description: null }] }];
    const list = listMessage({ ...none, sections });
    expect((await stack.send('list', list)).status).toBe(200);
  });

  it.each([131026, 131047, 130472, 131051, 131052, 100])(
    'that WhatsApp refuses for good with %i is answered 400 and never tried again',
    async (code) => {
      const to = `+15550${String(code).padStart(6, '0')}`;
      const { status, body } = await stack.send('button', buttonMessage({ to }));
      expect(status).toBe(400);
      expect(body).toMatchObject({
        success: false,
        error: {
          code: 'MESSAGE_SEND_FAILED',
          details: {
            message_id: expect.stringMatching(uuidv7),
            whatsapp_error_code: code,
            whatsapp_error_message: expect.any(String),
            retryable: false,
          },
        },
        meta: { request_id: expect.any(String), rate_limit: expect.any(Object) },
      });
      const { message_id } = body.error.details;
      expect(await stack.tries(message_id)).toHaveLength(1);
      expect(await stack.message(message_id)).toMatchObject({
        status: 'failed',
        error: { code: 'MESSAGE_SEND_FAILED', whatsapp_error_code: code, retryable: false },
        failed_at: expect.any(String),
        sent_at: null,
      });
    },
  );

  it('with more rows than WhatsApp takes gets WhatsApp’s own refusal', async () => {
    const sections = [
      { title: 'One', rows: sixRows(0) },
      { title: 'Two', rows: sixRows(6) },
    ];
    const { status, body } = await stack.send('list', listMessage({ sections }));
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject({ whatsapp_error_code: 131009, retryable: false });
  });

  it('is tried again until it must be answered, then 500: the caller may send it again', async () => {
    const { status, body } = await stack.send('button', buttonMessage({ to: '+15550131000' }));
    expect(status).toBe(500);
    expect(body.error).toMatchObject({
      code: 'MESSAGE_SEND_FAILED',
      details: { whatsapp_error_code: 131000, retryable: true },
    });
    const tries = await stack.tries(body.error.details.message_id);
    expect(tries.length).toBeGreaterThanOrEqual(3);
    expect(await stack.message(body.error.details.message_id)).toMatchObject({ status: 'failed' });
  });

  it('succeeds when only its first two tries fail', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { code: 131016 }, times: 2 });
    const { status, body } = await stack.send('button', buttonMessage({ to }));
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { status: 'sent' } });
    expect((await stack.ledger(to)).map(({ outcome }) => outcome)).toEqual([
      'refused',
      'refused',
      'accepted',
    ]);
    const { error, timeline } = await stack.message(body.data.message_id);
    expect(error).toBeNull();
    expect(timeline.map((entry: any) => [entry.status, entry.source])).toEqual([
      ['queued', 'api'],
      ['sending', 'worker'],
      ['queued', 'platform'],
      ['sending', 'worker'],
      ['queued', 'platform'],
      ['sending', 'worker'],
      ['sent', 'platform'],
    ]);
  });

  it('to a recipient that gets too many waits; others do not', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { code: 131056 }, times: 1 });
    const slow = stack.send('button', buttonMessage({ to }));
    await until(async () => (await stack.ledger(to)).length === 1);
    expect((await stack.send('button', buttonMessage())).body.data.status).toBe('sent');
    expect((await slow).body.data.status).toBe('sent');
    expect(await stack.ledger(to)).toHaveLength(2);
  });

  it('that WhatsApp answers after a second returns WhatsApp’s result', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { delay_ms: 1_000 } });
    expect((await stack.send('button', buttonMessage({ to }))).body.data.status).toBe('sent');
  });

  it.each([
    ['takes it and drops the connection', '+15552000002', 'accepted'],
    ['answers with a proxy’s 502', '+15552000004', 'failed'],
  ])('is unconfirmed and never repeated when WhatsApp %s', async (_, to, outcome) => {
    const { status, body } = await stack.send('button', buttonMessage({ to }));
    expect({ status, data: body.data.status }).toEqual({ status: 200, data: 'unconfirmed' });
    const { message_id } = body.data;
    // The second try of another message comes and goes meanwhile.
    const other = newRecipient();
    await stack.rules.add({ match: { to: other }, fault: { code: 131016 }, times: 1 });
    expect((await stack.send('button', buttonMessage({ to: other }))).body.data.status).toBe(
      'sent',
    );
    const tries = await stack.tries(message_id);
    expect(tries.map((entry) => entry.outcome)).toEqual([outcome]);
    expect((await stack.message(message_id)).status).toBe('unconfirmed');
  });

  it('that nobody waits for is answered 202 at once and sent later', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { delay_ms: 500 } });
    const { status, headers, body } = await stack.send('button', buttonMessage({ to }), {
      Prefer: 'respond-async, wait=5',
    });
    expect(status).toBe(202);
    expect(headers.get('preference-applied')).toBe('respond-async');
    expect(body.data).toEqual({ message_id: expect.stringMatching(uuidv7), status: 'queued' });
    await until(async () => (await stack.message(body.data.message_id)).status === 'sent');
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('arrives once, even when a hundred run at the same time', async () => {
    const to = newRecipient();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => stack.send('button', buttonMessage({ to }))),
    );
    const ids = answers.map(({ body }) => body.data.message_id);
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) await until(async () => (await stack.message(id)).status === 'sent');
    const arrived = (await stack.ledger(to)).map((entry) => entry.biz_opaque_callback_data);
    expect(arrived).toHaveLength(100);
    expect(new Set(arrived)).toEqual(new Set(ids));
  });
});
