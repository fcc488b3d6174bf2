import { Webhook } from 'standardwebhooks';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, listMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey } from '../support/webhooks.js';

describe('a message with replies and statuses', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({
      webhooks: true,
      env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' },
    });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  let path = 0;
  const newPath = () => `/hook/${(path += 1)}`;
  const eventsAt = (at: string, name: string) =>
    receiver.at(at).filter(({ body }) => body.event === name);

  it('reports a tapped button to its key, with the id that was sent and the reference', async () => {
    const hook = newPath();
    const { key, secret } = await addWebhookKey(stack, receiver.url(hook));
    const to = newRecipient();
    const sent = await stack.send(
      'button',
      buttonMessage({ to, reference: 'order 7' }),
      {},
      { apiKey: key },
    );
    const [entry] = await stack.ledger(to);
    await stack.control('POST', `messages/${encodeURIComponent(entry?.id ?? '')}/reply`, {
      button_id: 'yes',
    });
    const event = await until(() => eventsAt(hook, 'message.received')[0]);
    expect(event.body).toEqual({
      event: 'message.received',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        message_id: expect.stringMatching(/^wamid\./),
        from: to,
        to: '+15550783881',
        from_user_id: expect.any(String),
        from_parent_user_id: null,
        from_name: expect.any(String),
        from_username: null,
        contact_id: expect.any(String),
        sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
        message: { type: 'button', button: { text: 'Yes', payload: 'yes' } },
        forwarded: false,
        frequently_forwarded: false,
        referred_product: null,
        context: {
          message_id: sent.body.data.message_id,
          platform_message_id: entry?.id,
          reference: 'order 7',
        },
      },
    });
    expect(new Webhook(secret).verify(event.raw, event.headers as any)).toEqual(event.body);
  });

  it('finds its deliveries by its id, including those of the answers to it', async () => {
    const { key } = await addWebhookKey(stack, receiver.url(newPath()));
    const to = newRecipient();
    const sent = await stack.send('button', buttonMessage({ to }), {}, { apiKey: key });
    await stack.send('button', buttonMessage({ to }), {}, { apiKey: key });
    const id = sent.body.data.message_id;
    const [entry] = await stack.ledger(to);
    await stack.control('POST', `messages/${encodeURIComponent(entry?.id ?? '')}/reply`, {
      button_id: 'yes',
    });
    const dashboard = await Dashboard.signIn(stack);
    const deliveries = await until(async () => {
      const found = (await dashboard.get('GET', `/webhook-deliveries?message_id=${id}`)).deliveries;
      return found.length === 4 && found;
    });
    expect(deliveries.map(({ summary }: any) => summary).toSorted()).toEqual([
      'Yes',
      'delivered',
      'read',
      'sent',
    ]);
    expect(deliveries.every((one: any) => one.message_id === id)).toBe(true);
    expect(
      (await dashboard.call('GET', '/webhook-deliveries?message_id=7')).body.error,
    ).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { message_id: 'must be the id of a message' } },
    });
  });

  it('reports a chosen row to its key', async () => {
    const hook = newPath();
    const { key } = await addWebhookKey(stack, receiver.url(hook));
    const to = newRecipient();
    await stack.send('list', listMessage({ to, reference: 'visit' }), {}, { apiKey: key });
    const [entry] = await stack.ledger(to);
    await stack.control('POST', `messages/${encodeURIComponent(entry?.id ?? '')}/reply`, {
      row_id: 'noon',
    });
    const { body } = await until(() => eventsAt(hook, 'message.received')[0]);
    expect(body.data.message).toEqual({
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'noon', title: 'At noon' } },
    });
    expect(body.data.context.reference).toBe('visit');
  });

  it('moves up to read and reports each status once', async () => {
    const hook = newPath();
    const { key } = await addWebhookKey(stack, receiver.url(hook));
    const { body } = await stack.send(
      'button',
      buttonMessage({ reference: 'r' }),
      {},
      { apiKey: key },
    );
    const id = body.data.message_id;
    await until(() => eventsAt(hook, 'message.status').length >= 3);
    const message = (await stack.get(`/messages/${id}`, { apiKey: key })).body.data;
    expect(message.status).toBe('read');
    expect(message.timeline.map(({ status }: any) => status)).toEqual([
      'queued',
      'sending',
      'sent',
      'delivered',
      'read',
    ]);
    const told = eventsAt(hook, 'message.status').map(({ body: event }) => event.data);
    expect(new Set(told.map(({ status }) => status))).toEqual(
      new Set(['sent', 'delivered', 'read']),
    );
    expect(told).toHaveLength(3);
    expect(told[0]).toEqual({
      message_id: id,
      platform_message_id: message.platform_message_id,
      to: message.to,
      to_user_id: null,
      contact_id: null,
      reference: 'r',
      status: expect.any(String),
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      held: false,
      error: null,
    });
    expect(message.held).toBe(false);
    expect(message.pricing).toEqual({
      billable: expect.any(Boolean),
      category: 'service',
      type: expect.any(String),
      model: 'PMP',
    });
  });

  it('that fails at the platform later carries its code and text, and so does the event', async () => {
    const hook = newPath();
    const { key } = await addWebhookKey(stack, receiver.url(hook));
    const { body } = await stack.send(
      'button',
      buttonMessage({ to: '+15551131026' }),
      {},
      { apiKey: key },
    );
    const id = body.data.message_id;
    const message = await until(async () => {
      const { data } = (await stack.get(`/messages/${id}`, { apiKey: key })).body;
      return data.status === 'failed' && data;
    });
    expect(message.error).toMatchObject({
      code: 'MESSAGE_SEND_FAILED',
      whatsapp_error_code: 131026,
      whatsapp_error_message: expect.any(String),
    });
    const event = await until(() =>
      eventsAt(hook, 'message.status').find((one) => one.body.data.status === 'failed'),
    );
    expect(event.body.data.error).toEqual(message.error);
  });

  it('that is unconfirmed is settled by the platform’s report', async () => {
    const hook = newPath();
    const { key } = await addWebhookKey(stack, receiver.url(hook));
    const { body } = await stack.send(
      'button',
      buttonMessage({ to: '+15552000002' }),
      {},
      { apiKey: key },
    );
    const id = body.data.message_id;
    await until(async () => (await stack.message(id)).status === 'read');
    const told = await until(() => {
      const events = eventsAt(hook, 'message.status').map((one) => one.body.data.status);
      return events.includes('read') && events;
    });
    expect(new Set(told).size).toBe(told.length);
    expect(await stack.tries(id)).toHaveLength(1);
  });

  it('delivers the same bytes and id a third time after two failures, each attempt logged', async () => {
    const hook = newPath();
    receiver.react(hook, (count) =>
      count <= 2 ? { status: 500, body: 'not now' } : { status: 200 },
    );
    const { id, secret } = await addWebhookKey(stack, receiver.url(hook), {
      events: ['message.received'],
    });
    await stack.control('POST', 'inbound', {
      from: '+14155550177',
      text: 'Grüße / 👋',
      phone_number_id: '100000000000001',
    });
    await until(() => receiver.at(hook).length === 3);
    const [first, second, third] = receiver.at(hook);
    expect([second?.raw, third?.raw]).toEqual([first?.raw, first?.raw]);
    const ids = new Set(receiver.at(hook).map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
    for (const { raw, headers } of receiver.at(hook))
      new Webhook(secret).verify(raw, headers as any);
    expect(third?.body.data).toMatchObject({
      from: '+14155550177',
      message: { type: 'text', text: { body: 'Grüße / 👋' } },
      context: null,
    });
    const [delivery] = await until(async () => {
      const rows = await stack.sql('select * from done_events where endpoint_id = $1', [id]);
      return rows.length > 0 && rows;
    });
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 3 });
    const attempts = [
      ...delivery.log.map(({ status_code, response, error }: any) => ({
        status_code,
        response,
        error,
      })),
      {
        status_code: delivery.last_status,
        response: delivery.last_response,
        error: delivery.error,
      },
    ];
    expect(attempts).toEqual([
      { status_code: 500, response: 'not now', error: 'http_500' },
      { status_code: 500, response: 'not now', error: 'http_500' },
      { status_code: 200, response: 'taken', error: null },
    ]);
  });
});
