import { addAccount, addApiKey } from '../support/api-keys.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

describe('a number', () => {
  let stack: Stack;
  let accountId: string;
  let apiKey: string;

  beforeAll(async () => {
    stack = await Stack.start({ apis: 2 });
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    apiKey = (await addApiKey(stack, { accountId })).key;
  });

  afterEach(() => stack.rules.clear());
  afterAll(() => stack?.stop());

  const send = (change = {}, headers = {}, api = 0) =>
    stack.send('button', buttonMessage(change), headers, { apiKey, api });
  const hold = async () => {
    const [account] = await stack.sql('select * from accounts where id = $1', [accountId]);
    return account;
  };
  const alerts = () =>
    stack.sql('select * from alerts where account_id = $1 order by id', [accountId]);

  it('that sends too fast slows down, and every message is sent in the end', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { code: 130429 }, times: 2 });
    const background = { Prefer: 'respond-async' };
    const first = await send({ to }, background);
    await until(async () => (await hold()).hold_kind === 'throttled');
    const others = await Promise.all(Array.from({ length: 5 }, () => send({}, background)));
    for (const { body } of [first, ...others]) {
      await until(async () => {
        const answer = await stack.get(`/messages/${body.data.message_id}`, { apiKey });
        return answer.body.data.status === 'sent';
      });
      const outcomes = (await stack.tries(body.data.message_id)).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    }
    await until(async () => (await hold()).hold_kind === null);
    expect(await alerts()).toEqual([]);
  });

  it('whose probe says nothing about it is probed again at once', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { code: 130429 }, times: 1 });
    await stack.rules.add({ match: { to }, fault: 'drop', times: 1 });
    await send({ to }, { Prefer: 'respond-async' });
    await until(async () => (await hold()).hold_kind === 'throttled');
    const { body } = await send({}, { Prefer: 'respond-async' });
    await until(async () => {
      const answer = await stack.get(`/messages/${body.data.message_id}`, { apiKey });
      return answer.body.data.status === 'sent';
    }, 10_000);
  });

  it.each([
    [190, 500, true],
    [131031, 500, true],
    [368, 400, false],
  ])(
    'that WhatsApp refuses altogether (%i) answers %i, is paused, and sends again by itself',
    async (code, expected, retryable) => {
      const to = newRecipient();
      await stack.rules.add({ match: { to }, fault: { code } });
      const { status, body } = await send({ to });
      expect({ status, details: body.error.details }).toMatchObject({
        status: expected,
        details: { whatsapp_error_code: code, retryable },
      });

      // From now on, at every process.
      for (const api of [0, 1]) {
        const refused = await send({}, {}, api);
        expect({
          status: refused.status,
          retryAfter: refused.headers.get('retry-after'),
          error: refused.body.error,
        }).toEqual({
          status: 503,
          retryAfter: '60',
          error: {
            code: 'SERVICE_UNAVAILABLE',
            message: expect.any(String),
            details: { reason: 'number_paused' },
          },
        });
      }
      expect(await alerts()).toMatchObject([
        { kind: 'number_paused', details: { platform_code: code }, resolved_at: null },
      ]);

      // The minute until the next look at the number is over.
      await stack.sql('update accounts set hold_until = now() where id = $1', [accountId]);
      const sent = await until(async () => {
        const answer = await send();
        return answer.status === 200 && answer;
      });
      expect(sent.body.data.status).toBe('sent');
      expect((await alerts())[0].resolved_at).not.toBeNull();
    },
  );

  it('that is paused stops no other number, no read and no repetition', async () => {
    const to = newRecipient();
    const key = { 'Idempotency-Key': 'before the pause' };
    const before = await send({}, key);
    await stack.rules.add({ match: { to }, fault: { code: 190 }, times: 1 });
    await send({ to });
    expect((await send()).status).toBe(503);

    const id = before.body.data.message_id;
    const repeated = await send({}, key);
    expect([repeated.status, repeated.body.data.message_id]).toEqual([200, id]);
    expect((await stack.get(`/messages/${id}`, { apiKey })).status).toBe(200);
    expect((await stack.send('button', buttonMessage())).status).toBe(200);
  });

  it('that is paused keeps what was accepted, and sends it afterwards', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { code: 131000 }, times: 1 });
    const waiting = await send({ to }, { Prefer: 'respond-async' });
    await stack.rules.add({ match: { to: '+15557000001' }, fault: { code: 190 }, times: 1 });
    await send({ to: '+15557000001' });
    const id = waiting.body.data.message_id;
    await stack.sql('update accounts set hold_until = now() where id = $1', [accountId]);
    await until(async () => {
      const { body } = await stack.get(`/messages/${id}`, { apiKey });
      return body.data.status === 'sent';
    });
  });
});
