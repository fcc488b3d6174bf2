import { addApiKey } from '../support/api-keys.js';
import { installation } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey, newWamid, notification, notify, textMessage } from '../support/webhooks.js';

/** A simulator for tests, and another one as the platform. */
describe('what the simulator signs, where it is not the platform', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  const simulatorSecret = 'secret-of-the-simulator';

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({
      env: {
        SIMULATOR_APP_SECRET: simulatorSecret,
        PLATFORM_BASE_URL: receiver.url('/platform'),
      },
    });
    receiver.react(`/platform/100000000000001/messages`, () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: newWamid() }] }),
    }));
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  const processed = () =>
    until(async () => {
      const [row] = await stack.sql(
        'select count(*) filter (where processed_at is null) as open from platform_notifications',
      );
      return Number(row.open) === 0;
    });

  it('moves test messages and no live ones, and an account’s own secret the other way round', async () => {
    const test = await addApiKey(stack, { mode: 'test' });
    const sendWith = async (apiKey: string) => {
      const { body } = await stack.send(
        'button',
        buttonMessage({ to: newRecipient() }),
        {},
        { apiKey },
      );
      expect(body.data.status).toBe('sent');
      const id: string = body.data.message_id;
      const { platform_message_id } = (await stack.get(`/messages/${id}`, { apiKey })).body.data;
      return { id, wamid: platform_message_id as string };
    };
    const live = await sendWith(installation.apiKey);
    const simulated = await sendWith(test.key);
    const statusOf = async ({ id }: { id: string }) =>
      (
        await stack.sql('select coalesce(receipt, status) as status from messages where id = $1', [
          id,
        ])
      )[0].status;
    const report = (status: string, secret: string) =>
      notify(
        stack,
        notification({
          statuses: [live, simulated].map(({ id, wamid }) => ({
            id: wamid,
            status,
            timestamp: '1700000000',
            biz_opaque_callback_data: id,
          })),
        }),
        { secret },
      );
    await report('delivered', simulatorSecret);
    await until(async () => (await statusOf(simulated)) === 'delivered');
    await processed();
    expect(await statusOf(live)).toBe('sent');
    await report('read', installation.appSecret);
    await until(async () => (await statusOf(live)) === 'read');
    await processed();
    expect(await statusOf(simulated)).toBe('delivered');
  });

  it('reports unprompted messages to test keys, and touches no account', async () => {
    const [live, test] = ['/live', '/test'];
    await addWebhookKey(stack, receiver.url(live), { events: ['message.received'] });
    await addWebhookKey(stack, receiver.url(test), { events: ['message.received'], mode: 'test' });
    await notify(stack, notification({ messages: [textMessage()] }), { secret: simulatorSecret });
    await notify(
      stack,
      {
        object: 'whatsapp_business_account',
        entry: [
          {
            id: '200000000000001',
            time: 1_700_000_000,
            changes: [{ field: 'account_update', value: { event: 'DISABLED_UPDATE' } }],
          },
        ],
      },
      { secret: simulatorSecret },
    );
    await until(() => receiver.at(test).length > 0);
    await processed();
    expect(receiver.at(live)).toEqual([]);
    expect(await stack.sql('select 1 from alerts')).toEqual([]);
  });
});

describe('one slow endpoint', () => {
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

  it('delays no other: a hundred events arrive while it hangs', async () => {
    receiver.react('/dead', () => 'hang');
    const dead = await addWebhookKey(stack, receiver.url('/dead'), {
      events: ['message.received'],
    });
    await addWebhookKey(stack, receiver.url('/live'), { events: ['message.received'] });
    for (let batch = 0; batch < 10; batch += 1) {
      await notify(
        stack,
        notification({ messages: Array.from({ length: 10 }, () => textMessage()) }),
      );
    }
    await until(() => receiver.at('/live').length === 100);
    // Eight at once, and none given up before its time.
    expect(receiver.at('/dead')).toHaveLength(8);
    const rows = await stack.sql('select count(*) from open_events where endpoint_id = $1', [
      dead.id,
    ]);
    expect(Number(rows[0].count)).toBe(100);
  });
});
