import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

describe('the outcomes on the overview', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    operator = await Dashboard.signIn(stack);
  });

  afterEach(() => stack.rules.clear());
  afterAll(() => stack?.stop());

  const outcomes = (range = '1h') => operator.get('GET', `/outcomes?range=${range}`);

  it('are nothing before the first message', async () => {
    const none = {
      from: expect.any(String),
      sent: 0,
      delivered: 0,
      read: 0,
      failed: 0,
      concluded: 0,
      replies: 0,
    };
    for (const [range, steps] of [
      ['1h', 12],
      ['24h', 24],
      ['7d', 28],
      ['30d', 30],
    ] as const) {
      const time = {
        ...none,
        median_delivery_ms: null,
        steps: Array.from({ length: steps }, () => none),
      };
      expect(await outcomes(range)).toEqual({ ...time, complete: true, before: time });
    }
  });

  it('are those of messages that were sent, reported, and answered', async () => {
    const { key: apiKey } = await addApiKey(stack);
    const recipient = newRecipient();
    await stack.send('button', buttonMessage({ to: recipient }), {}, { apiKey });
    await until(async () => (await outcomes()).delivered === 1);
    await stack.control('POST', 'inbound', {
      from: recipient,
      text: 'Hello',
      phone_number_id: '100000000000001',
    });
    await until(async () => (await outcomes()).replies === 1);
    const counted = await outcomes();
    expect(counted).toMatchObject({ sent: 1, delivered: 1, failed: 0, concluded: 1, replies: 1 });
    expect(counted.median_delivery_ms).toBeGreaterThan(0);
    const sum = (name: string) =>
      counted.steps.reduce((total: number, step: any) => total + step[name], 0);
    expect([sum('sent'), sum('delivered'), sum('replies')]).toEqual([1, 1, 1]);
    expect(await outcomes('30d')).toMatchObject({ sent: 1, replies: 1, complete: true });
  });

  it('begin at a whole minute, or a whole hour for long ranges; 24 hours are the default', async () => {
    expect((await outcomes('24h')).from).toMatch(/:00\.000Z$/);
    expect((await outcomes('7d')).from).toMatch(/:00:00\.000Z$/);
    const { from } = await operator.get('GET', '/outcomes');
    expect((await outcomes('24h')).from >= from).toBe(true);
    expect((await outcomes('1h')).from > from).toBe(true);
    expect((await operator.call('GET', '/outcomes?range=2h')).status).toBe(400);
  });
});
