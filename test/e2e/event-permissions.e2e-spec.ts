import type { Permission } from '../../src/access/permissions.js';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, type RequestOptions, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  addWebhookKey,
  demoNumber,
  notification,
  notify,
  textMessage,
} from '../support/webhooks.js';

const few: readonly Permission[] = ['send_text', 'manage_webhooks'];
const all: readonly Permission[] = [...few, 'view_messages', 'manage_contacts'];

describe('events need the permission of the key that reading them needs', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;
  let accountId: string;
  let number: typeof demoNumber;
  /** A key that may read everything, with an endpoint that hears everything. */
  let other: { id: string; key: string };
  let key: { id: string; key: string };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' } });
    operator = await Dashboard.signIn(stack);
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    const [account] = await stack.sql('select phone_number_id from accounts where id = $1', [
      accountId,
    ]);
    number = { ...demoNumber, phoneNumberId: account.phone_number_id };
    other = await addApiKey(stack, { accountId });
    key = await addApiKey(stack, { accountId, permissions: [...few] });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  let hooks = 0;
  const newHook = () => `/permissions/${(hooks += 1)}`;
  const call = (path: string, options: RequestOptions = {}) =>
    stack.request(`/webhooks${path}`, { apiKey: key.key, ...options });
  const create = async (body: object = {}, apiKey = key.key) => {
    const hook = newHook();
    const sent = { url: receiver.url(hook), ...body };
    const answer = await call('', { method: 'POST', body: sent, apiKey });
    return { hook, ...answer, ...answer.body.data };
  };
  const allow = (permissions: readonly Permission[]) =>
    operator.get('PATCH', `/api-keys/${key.id}`, { permissions });
  const say = () =>
    notify(stack, notification({ messages: [textMessage()] }, number), { secret: 'secret' });
  const consent = () =>
    stack.request('/contacts/consent', {
      method: 'PUT',
      apiKey: other.key,
      body: { phone: newRecipient(), scope: 'marketing', state: 'opted_out' },
    });
  const send = () =>
    stack.send('button', buttonMessage({ to: newRecipient() }), {}, { apiKey: key.key });
  const eventsAt = (hook: string) => receiver.at(hook).map(({ body }) => body.event);
  /** Whether everybody who hears of a message and of a consent has heard of these. */
  const heard = async () => {
    const { hook } = await create({ events: ['message.received', 'contact.consent'] }, other.key);
    await say();
    await consent();
    await until(() => eventsAt(hook).length === 2);
  };
  const refusal = ({ status, body }: { status: number; body: any }) => [
    status,
    body.error?.code,
    body.error?.details.permission,
  ];

  it.each([
    ['message.received', 'view_messages'],
    ['contact.changed', 'manage_contacts'],
    ['contact.consent', 'manage_contacts'],
  ])('%s cannot be named without %s', async (event, permission) => {
    const denied = [403, 'PERMISSION_DENIED', permission];
    const events = ['message.status', event];
    expect(refusal(await create({ events }))).toEqual(denied);
    const { webhook } = await create();
    const change = (body: object) => call(`/${webhook.id}`, { method: 'PATCH', body });
    expect(refusal(await change({ events }))).toEqual(denied);
    const inDashboard = (body: object) =>
      operator.call('POST', `/api-keys/${key.id}/webhooks`, { url: receiver.url('/x'), ...body });
    expect(refusal(await inDashboard({ events }))).toEqual(denied);
    await allow([...few, permission as Permission]);
    expect((await change({ events })).body.data.webhook.events).toEqual(events);
    expect((await create({ events })).status).toBe(200);
    expect((await inDashboard({ events })).status).toBe(200);
  });

  it('an endpoint that names none gets those that its key may read', async () => {
    const { hook, webhook } = await create();
    expect(webhook.events).toEqual(['message.status', 'webhook.test']);
    const [listed] = (await call('')).body.data.webhooks;
    expect(listed.events).toEqual(webhook.events);
    await heard();
    await send();
    await until(() => eventsAt(hook).length === 1);
    expect(eventsAt(hook)).toEqual(['message.status']);
    await allow(all);
    expect((await call(`/${webhook.id}`)).body.data.webhook.events).toContain('message.received');
    await say();
    await until(() => eventsAt(hook).includes('message.received'));
  });

  it('an endpoint gets an event only while its key has the permission', async () => {
    await allow(all);
    const named = ['message.received', 'contact.consent', 'message.status'];
    const { hook } = await create({ events: named });
    await heard();
    await until(() => eventsAt(hook).length === 2);
    await allow(few);
    await heard();
    await send();
    await until(() => eventsAt(hook).length === 3);
    expect(new Set(eventsAt(hook))).toEqual(new Set(named));
  });

  it('what waits for an endpoint fails when its key loses the permission', async () => {
    await allow(all);
    const { hook, webhook } = await create({ events: ['message.received'] });
    receiver.react(hook, () => ({ status: 500 }));
    await say();
    const delivery = async () => {
      const { deliveries } = await operator.get('GET', `/webhook-deliveries?key_id=${key.id}`);
      return deliveries[0];
    };
    await until(async () => (await delivery())?.status === 'failed');
    await allow(few);
    const body = { since: new Date(Date.now() - 60_000).toISOString() };
    // The worker knows of the change within a second or so.
    await until(async () => {
      await call(`/${webhook.id}/recover`, { method: 'POST', body });
      return (await delivery())?.error === 'permission_missing';
    });
    const before = receiver.at(hook).length;
    await call(`/${webhook.id}/recover`, { method: 'POST', body });
    await call(`/${webhook.id}/test`, { method: 'POST' });
    await until(() => eventsAt(hook).includes('webhook.test'));
    await until(async () => (await delivery())?.error !== null);
    expect(eventsAt(hook).slice(before)).not.toContain('message.received');
    expect((await call(`/${webhook.id}`)).body.data.webhook.disabled_at).toBeNull();
  });

  it('the endpoint of webhook_url gets replies whatever the permissions', async () => {
    const hook = newHook();
    const permissions = [...few];
    key = await addWebhookKey(stack, receiver.url(hook), { accountId, permissions });
    const own = await create();
    await say();
    await until(() => eventsAt(hook).includes('message.received'));
    expect(eventsAt(own.hook)).toEqual([]);
  });

  it('a key changes where its replies go, or which it gets, only if it may read them', async () => {
    const url = receiver.url(newHook());
    await operator.get('PATCH', `/api-keys/${key.id}`, { webhook_url: url });
    const change = (body: object) => call(`/${key.id}`, { method: 'PATCH', body });
    const denied = (permission: string) => [403, 'PERMISSION_DENIED', permission];
    const elsewhere = { url: receiver.url(newHook()) };
    expect(refusal(await change(elsewhere))).toEqual(denied('view_messages'));
    for (const events of [['message.status'], ['message.received']]) {
      expect(refusal(await change({ events }))).toEqual(denied('view_messages'));
    }
    // What changes neither is let through.
    expect((await change({ url, events: null, max_in_flight: 2 })).status).toBe(200);
    await allow([...few, 'view_messages']);
    expect((await change(elsewhere)).status).toBe(200);
    expect(refusal(await change({ events: ['contact.consent'] }))).toEqual(
      denied('manage_contacts'),
    );
    // A person sets them for the key.
    const path = `/api-keys/${key.id}/webhooks/${key.id}`;
    await operator.get('PATCH', path, { events: ['contact.consent'] });
    expect(refusal(await change({ url }))).toEqual(denied('manage_contacts'));
  });

  it('a feed leaves out contacts while its key may not manage them', async () => {
    await allow([...few, 'view_messages']);
    await operator.get('PATCH', `/api-keys/${key.id}`, { event_feed: true });
    const read = async (query = '') =>
      (await stack.request(`/events${query}`, { apiKey: key.key })).body.data.events.map(
        ({ event }: any) => event,
      );
    await consent();
    await say();
    await until(async () => (await read()).length > 0);
    expect(await read()).toEqual(['message.received']);
    expect(await read('?types=contact.consent')).toEqual([]);
    await allow(all);
    expect(await read('?types=contact.consent')).toEqual(['contact.consent']);
  });
});
