import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { notification, notify, textMessage } from '../support/webhooks.js';

describe('the webhook of a key that is no longer in use', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let dashboard: Dashboard;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ env: { WEBHOOK_RETRY_SECONDS: '600' } });
    dashboard = await Dashboard.signIn(stack);
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  const states: Record<string, (id: string) => Promise<unknown>> = {
    revoked: (id) => dashboard.get('POST', `/api-keys/${id}/revoke`),
    deleted: (id) => dashboard.get('DELETE', `/api-keys/${id}`),
    suspended: (id) => dashboard.get('POST', `/api-keys/${id}/suspend`, { reason: 'test' }),
    inactive: (id) => dashboard.get('PATCH', `/api-keys/${id}`, { active: false }),
  };

  let hooks = 0;
  async function newKey(events = ['message.status', 'message.received']) {
    hooks += 1;
    const hook = `/hook/${hooks}`;
    const { api_key, key } = await dashboard.newKey({
      webhook_url: receiver.url(hook),
      webhook_events: events,
      rate_limit_per_minute: 10_000,
    });
    const id: string = api_key.id;
    const send = async () => {
      const { body } = await stack.send(
        'button',
        buttonMessage({ to: newRecipient() }),
        {},
        { apiKey: key },
      );
      const message = (await stack.get(`/messages/${body.data.message_id}`, { apiKey: key })).body;
      return message.data.platform_message_id as string;
    };
    const told = () => receiver.at(hook).map(({ body }) => body.data.status ?? body.event);
    const deliveries = async () =>
      (await dashboard.get('GET', `/webhook-deliveries?key_id=${id}`)).deliveries;
    return { id, hook, send, told, deliveries };
  }
  const report = (wamid: string, status: string) =>
    notify(stack, notification({ statuses: [{ id: wamid, status }] }));

  it.each(['revoked', 'deleted'])('gets nothing more once the key is %s', async (state) => {
    const key = await newKey();
    receiver.react(key.hook, () => ({ status: 500 }));
    const wamid = await key.send();
    await until(async () => (await key.deliveries())[0]?.status === 'retrying');
    await states[state]?.(key.id);
    // What waited for another try is given up.
    expect((await key.deliveries()).map(({ status }: any) => status)).toEqual(['failed']);
    await report(wamid, 'delivered');
    await report(wamid, 'read');
    const witness = await newKey();
    await report(await witness.send(), 'delivered');
    await until(() => witness.told().includes('delivered'));
    expect(key.told()).toEqual(['sent']);
    expect((await key.deliveries()).every(({ status }: any) => status === 'failed')).toBe(true);
    const again = [
      await dashboard.call('POST', `/api-keys/${key.id}/webhook/test`),
      await dashboard.call('POST', `/api-keys/${key.id}/webhook/recover`, {
        since: new Date(Date.now() - 60_000).toISOString(),
      }),
      await dashboard.call(
        'POST',
        `/webhook-deliveries/${(await key.deliveries())[0].id}/redeliver`,
      ),
    ];
    const refused = state === 'revoked' ? 409 : 404;
    expect(again.map(({ status }) => status)).toEqual([refused, refused, refused]);
  });

  it.each(['suspended', 'inactive'])(
    'still reports on the messages that it sent while the key is %s',
    async (state) => {
      const key = await newKey();
      const wamid = await key.send();
      await states[state]?.(key.id);
      await report(wamid, 'delivered');
      await report(wamid, 'read');
      await until(() => key.told().length === 3);
      expect(new Set(key.told())).toEqual(new Set(['sent', 'delivered', 'read']));
    },
  );

  it.each(['revoked', 'deleted', 'suspended', 'inactive'])(
    'leaves answers to the active keys of the account when it is %s',
    async (state) => {
      const key = await newKey(['message.received']);
      const other = await newKey(['message.received']);
      const wamid = await key.send();
      const answer = () =>
        notify(stack, notification({ messages: [textMessage({ context: { id: wamid } })] }));
      await answer();
      await until(() => key.told().length === 1);
      await states[state]?.(key.id);
      await answer();
      await until(() => other.told().length === 1);
      expect(key.told()).toEqual(['message.received']);
    },
  );
});
