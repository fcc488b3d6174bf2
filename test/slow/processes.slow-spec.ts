import { stores } from '../support/installation.js';
import { until } from '../support/npm-start.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';

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

  it('have as much at the platform as both workers may, and never more', async () => {
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

  it('answer each other’s messages, and go on with one of each', async () => {
    const { body } = await stack.send('button', buttonMessage(), {}, { api: 0 });
    const read = await stack.get(`/messages/${body.data.message_id}`, { api: 1 });
    expect(read.body.data.status).toBe('sent');
    await Promise.all([stack.apis[0]?.kill(), stack.workers[0]?.kill()]);
    const later = await stack.send('button', buttonMessage(), {}, { api: 1 });
    expect(later.body.data.status).toBe('sent');
  });
});
