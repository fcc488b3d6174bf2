import { stores } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey, notification, notify, textMessage } from '../support/webhooks.js';

/** What one worker may have at the platform at a time. */
const room = 4;

describe.each(stores)('two API and two worker processes over %s', (store) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({
      store,
      apis: 2,
      workers: 2,
      env: { MAX_IN_FLIGHT: String(room) },
    });
  });

  afterEach(() => stack.rules.clear());
  afterAll(() => stack?.stop());

  const under = async () =>
    (await stack.ledger()).filter(({ outcome }) => outcome === 'pending').length;

  it('fill the slots of both workers at the platform, and never use more', async () => {
    await stack.rules.add({ match: {}, fault: { delay_ms: 2_000 } });
    const sends = Array.from({ length: 6 * room }, (_, index) =>
      stack.send('button', buttonMessage({ to: newRecipient() }), {}, { api: index % 2 }),
    );
    let most = 0;
    await until(async () => {
      most = Math.max(most, await under());
      return most >= 2 * room;
    });
    expect(most).toBe(2 * room);
    const answers = await Promise.all(sends);
    await until(async () => {
      const [row] = await stack.sql(
        `select count(*)::int as sent from messages where status = 'sent'`,
      );
      return row.sent === answers.length;
    });
    const arrived = (await stack.ledger()).map((entry) => entry.biz_opaque_callback_data);
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(arrived).toHaveLength(sends.length);
  });

  it('deliver an event again when the worker that had it dies, with the same id and bytes', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.react('/hook', (count) => (count === 1 ? 'hang' : { status: 200 }));
    const { id } = await addWebhookKey(stack, receiver.url('/hook'), {
      events: ['message.received'],
    });
    await notify(stack, notification({ messages: [textMessage()] }));
    await until(() => receiver.at('/hook').length === 1);
    await Promise.all(stack.workers.map((worker) => worker.kill()));
    // The lease of a dead worker ends by the database's clock.
    await stack.sql('update endpoint_leases set until = now() where endpoint_id = $1', [id]);
    for (const worker of stack.workers) worker.launch();
    await until(() => receiver.at('/hook').length === 2);
    const [first, second] = receiver.at('/hook');
    expect(second?.raw).toBe(first?.raw);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await receiver.close();
  });

  it('answer each other’s messages, and go on with one of each', async () => {
    const { body } = await stack.send('button', buttonMessage(), {}, { api: 0 });
    const read = await stack.get(`/messages/${body.data.message_id}`, { api: 1 });
    expect(read.body.data.status).toBe('sent');
    await Promise.all([stack.apis[0]?.kill(), stack.workers[0]?.kill()]);
    const later = await stack.send('button', buttonMessage(), {}, { api: 1 });
    expect(later.body.data.status).toBe('sent');
  });
});
