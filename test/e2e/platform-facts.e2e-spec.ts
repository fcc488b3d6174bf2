import { installation } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey, notification, notify, textMessage } from '../support/webhooks.js';

/** What WhatsApp says of messages, as callers see it. */
describe('of a message, callers see', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start();
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  afterEach(() => stack.rules.clear());

  let hooks = 0;
  const newHook = () => `/hook/${(hooks += 1)}`;
  const dataAt = (hook: string) => receiver.at(hook).map(({ body }) => body.data);

  async function send(apiKey = installation.apiKey) {
    const { body } = await stack.send(
      'button',
      buttonMessage({ to: newRecipient() }),
      {},
      { apiKey },
    );
    const id: string = body.data.message_id;
    const message = async () => (await stack.get(`/messages/${id}`, { apiKey })).body.data;
    const { platform_message_id: wamid } = await message();
    const report = (status: string, fields: Record<string, unknown> = {}) =>
      notify(stack, notification({ statuses: [{ id: wamid, status, ...fields }] }));
    return { id, message, report };
  }

  it('when the end user wrote it, by the time of WhatsApp', async () => {
    const hook = newHook();
    await addWebhookKey(stack, receiver.url(hook), { events: ['message.received'] });
    const { timestamp: _, ...undated } = textMessage();
    await notify(
      stack,
      notification({ messages: [textMessage({ timestamp: '1790000000' }), undated] }),
    );
    await until(() => receiver.at(hook).length === 2);
    expect(new Set(dataAt(hook).map(({ sent_at }) => sent_at))).toEqual(
      new Set(['2026-09-21T14:13:20.000Z', null]),
    );
  });

  it('when a status came about, by the time of WhatsApp', async () => {
    const hook = newHook();
    const { key } = await addWebhookKey(stack, receiver.url(hook), { events: ['message.status'] });
    const { message, report } = await send(key);
    const before = new Date(Date.now() - 60_000).toISOString();
    await report('delivered', { timestamp: '1790000000' });
    await until(() => receiver.at(hook).length === 2);
    await report('read');
    const told = await until(() => receiver.at(hook).length === 3 && dataAt(hook));
    const occurredAt = Object.fromEntries(told.map((data) => [data.status, data.occurred_at]));
    expect(occurredAt.delivered).toBe('2026-09-21T14:13:20.000Z');
    // WhatsApp did not say; it is ours then.
    expect(occurredAt.read > before).toBe(true);
    expect(occurredAt.sent).toBe((await message()).sent_at);
  });

  it('whether WhatsApp holds it to assess its quality, until it is delivered or dropped', async () => {
    const hook = newHook();
    const { key } = await addWebhookKey(stack, receiver.url(hook), { events: ['message.status'] });
    await stack.rules.add({ fault: 'held' });
    const dropped = await send(key);
    const delivered = await send(key);
    await stack.rules.clear();
    const passed = await send(key);
    expect(await dropped.message()).toMatchObject({ status: 'sent', held: true });
    expect(await passed.message()).toMatchObject({ status: 'sent', held: false });
    await dropped.report('failed', { errors: [{ code: 132015, title: 'Template is paused' }] });
    await delivered.report('delivered');
    const told = await until(() => receiver.at(hook).length === 5 && dataAt(hook));
    const heldOf = (id: string) =>
      told
        .filter(({ message_id }) => message_id === id)
        .map(({ status, held }) => `${status} ${held}`)
        .toSorted();
    expect(heldOf(dropped.id)).toEqual(['failed false', 'sent true']);
    expect(heldOf(delivered.id)).toEqual(['delivered false', 'sent true']);
    expect(heldOf(passed.id)).toEqual(['sent false']);
    expect(await dropped.message()).toMatchObject({
      status: 'failed',
      held: false,
      error: { whatsapp_error_code: 132015 },
    });
    expect(await delivered.message()).toMatchObject({ status: 'delivered', held: false });
  });

  it.each([
    [
      'all of it',
      { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
      { billable: true, model: 'PMP', type: 'regular', category: 'utility' },
    ],
    [
      'what there is',
      { billable: false, category: 'service' },
      { billable: false, model: null, type: null, category: 'service' },
    ],
    [
      'nothing of another form',
      { billable: 'yes', pricing_model: 7, type: {}, category: null },
      { billable: null, model: null, type: null, category: null },
    ],
  ])('what it costs: %s', async (_, pricing, shown) => {
    const { id, message, report } = await send();
    expect((await message()).pricing).toBeNull();
    await report('delivered', { pricing });
    await until(async () => (await message()).status === 'delivered');
    expect((await message()).pricing).toEqual(shown);
    const { messages } = (await stack.get('/messages?limit=20')).body.data;
    expect(messages.find((one: any) => one.message_id === id).pricing).toEqual(shown);
  });
});
