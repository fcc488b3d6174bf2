import { stores } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

describe.each(stores)('a worker that sends one message at a time over %s', (store) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ store, env: { MAX_IN_FLIGHT: '1' } });
  });

  afterAll(() => stack?.stop());

  it('sends messages of waiting callers before others', async () => {
    await stack.rules.add({ match: {}, fault: { delay_ms: 300 } });
    for (let count = 0; count < 10; count += 1) {
      await stack.send('button', buttonMessage(), { Prefer: 'respond-async' });
    }
    const { body } = await stack.send('button', buttonMessage());
    expect(body.data.status).toBe('sent');
    const arrived = await until(async () => {
      const ledger = await stack.ledger();
      return ledger.length === 11 && ledger.map((entry) => entry.biz_opaque_callback_data);
    });
    // Only messages that were already claimed may go before it.
    expect(arrived.indexOf(body.data.message_id)).toBeLessThan(8);
  });
});
