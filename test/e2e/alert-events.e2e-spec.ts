import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { notify, qualityNotification } from '../support/webhooks.js';

const path = '/alerts';

describe('an alert', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([Stack.start(), WebhookReceiver.start()]);
    operator = await Dashboard.signIn(stack);
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  const told = () => receiver.at(path).map(({ body }) => body);
  const addEndpoint = (apiKey: string, change: object) =>
    stack.request('/webhooks', { apiKey, body: { url: receiver.url(path), ...change } });
  const report = (event: 'FLAGGED' | 'UNFLAGGED') => notify(stack, qualityNotification(event));

  it('is told to endpoints of the account that ask for it, once, and when it ends', async () => {
    const { key } = await addApiKey(stack, {
      permissions: ['manage_webhooks', 'view_messages'],
    });
    const events = ['alert.raised', 'alert.resolved'];
    await addEndpoint(key, { events, scope: 'account' });
    await addEndpoint(key, { events, scope: 'key' });
    await addEndpoint(key, { scope: 'account' });

    await report('FLAGGED');
    await report('FLAGGED');
    const [raised] = await until(() => told().length > 0 && told());
    expect(raised).toMatchObject({
      event: 'alert.raised',
      text: expect.any(String),
      data: { kind: 'number_quality', subject: 'number', resolved_at: null },
    });
    expect(raised.text).toBe(raised.data.message);

    const { alerts } = await operator.get('GET', `/alerts?account_id=${installation.accountId}`);
    expect(alerts).toMatchObject([{ id: raised.data.alert_id }]);
    await report('UNFLAGGED');
    const [, resolved] = await until(() => told().length > 1 && told());
    expect(resolved).toMatchObject({
      event: 'alert.resolved',
      text: `Resolved: ${raised.text}`,
      data: { alert_id: raised.data.alert_id, resolved_at: expect.any(String) },
    });
    expect(told()).toHaveLength(2);

    // By hand in the dashboard, as well.
    await report('FLAGGED');
    const [, , again] = await until(() => told().length > 2 && told());
    await operator.get('POST', `/alerts/${again.data.alert_id}/resolve`);
    const last = await until(() => told().length > 3 && told()[3]);
    expect(last).toMatchObject({
      event: 'alert.resolved',
      data: { alert_id: again.data.alert_id },
    });
  });
});
