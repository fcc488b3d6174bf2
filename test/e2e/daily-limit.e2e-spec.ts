import { addApiKey } from '../support/api-keys.js';
import { stores } from '../support/installation.js';
import { withinOneMinute } from '../support/one-minute.js';
import { type Answer, buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const async = { Prefer: 'respond-async' };

const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

const howMany = (answers: Answer[], status: number) => withStatus(answers, status).length;

describe.each(stores)('the daily limit of a key over %s', (store) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ store, apis: 2 });
  });

  afterAll(() => stack?.stop());

  const send = (apiKey: string, api = 0, headers: Record<string, string> = {}) =>
    stack.send('button', buttonMessage(), { ...async, ...headers }, { apiKey, api });

  const storedBy = async (id: string) =>
    (await stack.sql('select 1 from messages where api_key_id = $1', [id])).length;

  it(
    'is not touched by refused requests that arrive at the same time',
    withinOneMinute(async () => {
      const { id, key } = await addApiKey(stack, {
        permissions: ['send_text', 'view_messages'],
        dailyLimit: 20,
      });
      const refused = (index: number) =>
        [
          () => stack.send('button', buttonMessage({ body: '' }), async, { apiKey: key }),
          () => stack.send('button', '{', async, { apiKey: key, api: 1 }),
          () => stack.request('/messages/media', { body: {}, apiKey: key }),
          () => stack.get('/messages?limit=0', { apiKey: key, api: 1 }),
        ][index % 4]?.() as Promise<Answer>;
      const [valid, invalid] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, (_, index) => send(key, index % 2))),
        Promise.all(Array.from({ length: 60 }, (_, index) => refused(index))),
      ]);
      expect(howMany(valid, 202)).toBe(20);
      expect(invalid.every(({ status }) => [400, 403, 429].includes(status))).toBe(true);
      expect(await storedBy(id)).toBe(20);
      expect((await send(key)).body.error.code).toBe('DAILY_LIMIT_EXCEEDED');
    }),
  );

  it(
    'lets exactly that many through, counting sends and reads together',
    withinOneMinute(async () => {
      const { id, key } = await addApiKey(stack, { dailyLimit: 15, rateLimit: 1_000 });
      const requests = Array.from({ length: 60 }, (_, index) =>
        index % 3 ? send(key, index % 2) : stack.get('/messages', { apiKey: key, api: index % 2 }),
      );
      const answers = await Promise.all(requests);
      const refused = withStatus(answers, 429);
      expect(refused.length).toBe(45);
      for (const { headers, body } of refused) {
        expect(body.error).toEqual({
          code: 'DAILY_LIMIT_EXCEEDED',
          message: expect.any(String),
          details: { retry_after: expect.any(Number) },
        });
        expect(headers.get('retry-after')).toBe(String(body.error.details.retry_after));
        expect(headers.get('ratelimit')).toContain('"day";r=0;');
      }
      expect(await storedBy(id)).toBe(howMany(answers, 202));
      // What is refused with 429 costs no window anything.
      await until(async () => {
        const { body } = await send(key);
        return body.meta.rate_limit.remaining === 1_000 - 15;
      });
    }),
  );

  it(
    'does not count repetitions that arrive together; the minute limit does',
    withinOneMinute(async () => {
      const { id, key } = await addApiKey(stack, { dailyLimit: 2, rateLimit: 100 });
      const repeat = (index: number) => send(key, index % 2, { 'Idempotency-Key': 'one' });
      const answers = await Promise.all([
        ...Array.from({ length: 10 }, (_, index) => repeat(index)),
        send(key),
      ]);
      // A repetition returns the current status: accepted, or sent by now.
      expect(howMany(answers, 202) + howMany(answers, 200)).toBe(11);
      expect(await storedBy(id)).toBe(2);
      const last = await repeat(0);
      expect(last.headers.get('idempotency-replayed')).toBe('true');
      expect(last.body.meta.rate_limit.remaining).toBeLessThan(100 - 2);
    }),
  );

  it(
    'is reported with the unit of the answered request',
    withinOneMinute(async () => {
      const { key } = await addApiKey(stack, { dailyLimit: 9 });
      const left = ({ headers }: Answer) =>
        /"day";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
      expect(left(await send(key))).toBe('8');
      expect(left(await stack.get('/messages', { apiKey: key, api: 1 }))).toBe('7');
      expect(left(await stack.get('/messages/unknown', { apiKey: key }))).toBe('6');
      expect(left(await stack.get('/messages?limit=0', { apiKey: key }))).toBe('6');
      expect(left(await send(key, 1))).toBe('5');
    }),
  );
});
