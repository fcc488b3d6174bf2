import { stores } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

async function tellsTheTruth(stack: Stack): Promise<void> {
  const { status, body } = await stack.send('button', buttonMessage({ to: '+15552000001' }));
  expect([status, body.data.status]).toEqual([200, 'sending']);
  const id = body.data.message_id;
  // No other caller waits for it.
  expect((await stack.send('button', buttonMessage())).body.data.status).toBe('sent');
  await until(async () => (await stack.message(id)).status === 'unconfirmed');
  expect(await stack.tries(id)).toHaveLength(1);
}

/** One test for all stores at once: it takes as long as the worker waits for WhatsApp, 20 s. */
describe('a send that WhatsApp never answers', () => {
  let stacks: Stack[];

  beforeAll(async () => {
    const env = { SEND_WAIT_MS: '4000' };
    stacks = await Promise.all(stores.map((store) => Stack.start({ store, env })));
  });

  afterAll(() => Promise.all(stacks.map((stack) => stack.stop())));

  it('of a worker that is stopped becomes unconfirmed, settled by that worker', async () => {
    const [stack] = stacks;
    if (!stack) return;
    const { body } = await stack.send('button', buttonMessage({ to: '+15552000001' }), {
      Prefer: 'respond-async',
    });
    const id = body.data.message_id;
    await until(async () => (await stack.tries(id)).length === 1);
    // It ends by itself: nothing has to kill it.
    expect(await stack.workers[0]?.stop(100_000)).toBe('SIGTERM');
    const { status, timeline } = await stack.message(id);
    expect([status, timeline.at(-1).source]).toEqual(['unconfirmed', 'platform']);
    stack.workers[0]?.launch();
    await stack.workers[0]?.ready();
  });

  it('until its caller has gone is "sending" first, and sent once', async () => {
    for (const stack of stacks) {
      const to = newRecipient();
      await stack.rules.add({ match: { to }, fault: { delay_ms: 8_000 } });
      const { status, body } = await stack.send('button', buttonMessage({ to }));
      expect({ status, data: body.data.status }).toEqual({ status: 200, data: 'sending' });
      const { message_id } = body.data;
      await until(async () => (await stack.message(message_id)).status === 'sent');
      expect(await stack.tries(message_id)).toHaveLength(1);
    }
  });

  it('is "sending" in time, unconfirmed later, and never repeated', async () => {
    await Promise.all(stacks.map(tellsTheTruth));
  });
});
