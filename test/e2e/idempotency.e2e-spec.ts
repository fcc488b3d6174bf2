import { randomUUID } from 'node:crypto';
import { addApiKey } from '../support/api-keys.js';
import { buttonMessage, listMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const withKey = (key: string) => ({ 'Idempotency-Key': key });

describe('an idempotency key', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ apis: 2 });
  });

  afterAll(() => stack?.stop());

  it('answers a repetition with the same message and sends nothing', async () => {
    const [key, to] = [randomUUID(), newRecipient()];
    const first = await stack.send('button', buttonMessage({ to }), withKey(key));
    const second = await stack.send('button', buttonMessage({ to }), withKey(key), { api: 1 });
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect({ status: second.status, data: second.body.data }).toEqual({
      status: 200,
      data: first.body.data,
    });
    expect(second.body.meta.request_id).not.toBe(first.body.meta.request_id);
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('treats bodies as the same that differ only in order and white space', async () => {
    const key = randomUUID();
    const message = buttonMessage({ footer: 'F' });
    const first = await stack.send('button', message, withKey(key));
    const reversed = Object.fromEntries(Object.entries(message).toReversed());
    const second = await stack.send('button', JSON.stringify(reversed, null, 4), {
      ...withKey(`"${key}"`),
      'Content-Type': 'application/json',
    });
    expect(second.body.data).toEqual(first.body.data);
  });

  it('treats a null field as absent', async () => {
    const key = randomUUID();
    const first = await stack.send('button', buttonMessage(), withKey(key));
    const given = buttonMessage({ header: null, footer: null, reference: null });
    const second = await stack.send('button', given, withKey(key), { api: 1 });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body.data).toEqual(first.body.data);
  });

  it('refuses another body with 422 and sends nothing', async () => {
    const [key, to] = [randomUUID(), newRecipient()];
    const first = await stack.send('button', buttonMessage({ to }), withKey(key));
    const second = await stack.send('button', buttonMessage({ to, body: 'Other' }), withKey(key));
    expect({ status: second.status, error: second.body.error }).toEqual({
      status: 422,
      error: {
        code: 'IDEMPOTENCY_KEY_REUSED',
        message: expect.any(String),
        details: { message_id: first.body.data.message_id },
      },
    });
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('is separate for each route and each API key', async () => {
    const key = randomUUID();
    const other = await addApiKey(stack);
    const answers = [
      await stack.send('button', buttonMessage(), withKey(key)),
      await stack.send('list', listMessage(), withKey(key)),
      await stack.send('button', buttonMessage(), withKey(key), { apiKey: other.key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.data.message_id)).size).toBe(3);
  });

  it('of fifty requests at once over two processes sends one message', async () => {
    const [key, to] = [randomUUID(), newRecipient()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        stack.send('button', buttonMessage({ to }), withKey(key), { api: index % 2 }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.data.message_id)).size).toBe(1);
    expect(answers.every(({ body }) => body.data.status === 'sent')).toBe(true);
    const replayed = answers.filter(({ headers }) => headers.has('idempotency-replayed'));
    expect(replayed).toHaveLength(49);
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('answers the outcome as it is now, not as it was', async () => {
    const [key, to] = [randomUUID(), newRecipient()];
    await stack.rules.add({ match: { to }, fault: { delay_ms: 800 } });
    const first = await stack.send('button', buttonMessage({ to }), {
      ...withKey(key),
      Prefer: 'respond-async',
    });
    expect([first.status, first.body.data.status]).toEqual([202, 'queued']);
    const second = await stack.send('button', buttonMessage({ to }), withKey(key), { api: 1 });
    expect([second.status, second.body.data.status]).toEqual([200, 'sent']);
    expect(second.body.data.message_id).toBe(first.body.data.message_id);
  });

  it('answers a failure again and sends nothing', async () => {
    const key = randomUUID();
    const send = () => stack.send('button', buttonMessage({ to: '+15550131026' }), withKey(key));
    const [first, second] = [await send(), await send()];
    expect([second.status, second.body.error]).toEqual([400, first.body.error]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await stack.tries(first.body.error.details.message_id)).toHaveLength(1);
  });

  it('is answered even when the day is used up, and counts for the minute only', async () => {
    const [key, to] = [randomUUID(), newRecipient()];
    const { key: apiKey } = await addApiKey(stack, { dailyLimit: 1 });
    const send = (idempotencyKey: string, change = {}) =>
      stack.send('button', buttonMessage({ to, ...change }), withKey(idempotencyKey), { apiKey });
    const first = await send(key);
    const repetitions = await Promise.all([send(key), send(key), send(key)]);
    for (const { status, headers, body } of repetitions) {
      expect([status, body.data]).toEqual([200, first.body.data]);
      expect(headers.get('ratelimit')).toContain('"day";r=0');
    }
    expect((await send(key, { body: 'Other' })).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const refused = await send(randomUUID());
    expect([refused.status, refused.body.error.code]).toEqual([429, 'DAILY_LIMIT_EXCEEDED']);
    const { remaining } = (await send(key)).body.meta.rate_limit;
    expect(remaining).toBe(1_000_000 - 6);
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('is not taken by a request that was refused', async () => {
    const [key, to] = [randomUUID(), newRecipient()];
    expect((await stack.send('button', buttonMessage({ to: '1' }), withKey(key))).status).toBe(400);
    const { status, headers } = await stack.send('button', buttonMessage({ to }), withKey(key));
    expect([status, headers.has('idempotency-replayed')]).toEqual([200, false]);
  });

  it('is free again after a day', async () => {
    const [key, to] = [randomUUID(), newRecipient()];
    const first = await stack.send('button', buttonMessage({ to }), withKey(key));
    await stack.sql(`update idempotency_keys set expires_at = now() where key = $1`, [key]);
    const second = await until(async () => {
      const answer = await stack.send('button', buttonMessage({ to, body: 'New' }), withKey(key));
      return answer.status === 200 && answer;
    });
    expect(second.body.data.message_id).not.toBe(first.body.data.message_id);
    expect(await stack.ledger(to)).toHaveLength(2);
  });
});
