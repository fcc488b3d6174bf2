import { once } from 'node:events';
import { get } from 'node:http';
import { TokenBucket } from './limiters.js';
import { SimulatorUnderTest, textMessage, until } from './spec-support.js';

const to = (number: string) => textMessage({ to: number });

describe('faults on demand', () => {
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  const messages = async () => (await simulator.call('GET', '/_simulator/messages')).json.messages;

  it.each(['text/plain', 'application/x-www-form-urlencoded'])(
    'are not added with a body of %s, which any web page may send',
    async (type) => {
      const rule = { match: {}, fault: 'refuse:131000' };
      const answer = await simulator.call('POST', '/_simulator/rules', rule, {
        'content-type': type,
      });
      expect([answer.http, answer.json.error.message]).toEqual([
        415,
        expect.stringContaining('application/json'),
      ]);
    },
  );

  it('are not shown under a name that a web page may have', async () => {
    const url = new URL('/_simulator/rules', simulator.simulator.url);
    const [answer] = await once(get(url, { headers: { host: 'evil.example' } }), 'response');
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });

  describe('by number', () => {
    it.each([
      [131047, 400, 'Re-engagement message'],
      [131000, 500, 'Something went wrong'],
      [130429, 400, 'Rate limit hit'],
      [132001, 404, 'Template name does not exist in the translation'],
      [131031, 403, 'Business Account locked'],
      [4, 400, 'API Too Many Calls'],
      [2, 503, 'API Service'],
      [0, 401, 'AuthException'],
      [999999, 400, 'Unknown error'],
    ])('refuses with code %i and status %i', async (code, http, title) => {
      const answer = await simulator.send(to(`+15550${String(code).padStart(6, '0')}`));
      expect(answer.http).toBe(http);
      expect(answer.json.error).toMatchObject({
        code,
        message: `(#${code}) ${title}`,
        error_data: { messaging_product: 'whatsapp', details: expect.any(String) },
      });
      expect((await messages())[0]).toMatchObject({ outcome: 'refused', error_code: code });
    });

    it('refuses with an expired token as the platform words it', async () => {
      const { http, json } = await simulator.send(to('+15550000190'));
      expect(http).toBe(401);
      expect(json.error).toMatchObject({ code: 190, error_subcode: 463 });
    });

    it('accepts what will fail later', async () => {
      expect((await simulator.send(to('+15551131026'))).http).toBe(200);
    });

    it('never answers +15552000001, records the arrival and accepts nothing', async () => {
      const abort = new AbortController();
      const pending = fetch(`${simulator.simulator.url}/1/messages`, {
        method: 'POST',
        headers: { authorization: 'Bearer t' },
        body: JSON.stringify(to('+15552000001')),
        signal: abort.signal,
      });
      await until(async () => (await messages())[0]?.outcome === 'unanswered');
      abort.abort();
      await expect(pending).rejects.toThrow('aborted');
      const { json } = await simulator.call('GET', '/_simulator/stats');
      expect(json).toMatchObject({ arrived: 1, accepted: 0, unanswered: 1 });
    });

    it('accepts +15552000002 and drops the connection without an answer', async () => {
      await expect(simulator.send(to('+15552000002'))).rejects.toThrow('fetch failed');
      expect((await messages())[0]).toMatchObject({
        outcome: 'accepted',
        id: expect.stringContaining('wamid.'),
        answered: null,
      });
    });

    it('answers +15552000003 after 3 s', async () => {
      const startedAt = performance.now();
      expect((await simulator.send(to('+15552000003'))).http).toBe(200);
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2990);
    });

    it('answers +15552000004 with a 502 that is not JSON', async () => {
      const { http, text } = await simulator.send(to('+15552000004'));
      expect([http, text]).toEqual([502, expect.stringMatching(/^<!DOCTYPE html>/)]);
      expect((await messages())[0].outcome).toBe('failed');
    });
  });

  describe('by rule', () => {
    it.each<[string, unknown, number, string, string]>([
      ['a bad gateway', 'bad-gateway', 502, '<!DOCTYPE html>', 'failed'],
      ['an unreadable success', 'unreadable', 200, '<html>', 'accepted'],
      ['a success without an id', 'no-id', 200, '{"messaging_product":"whatsapp"}', 'accepted'],
      ['a code', { code: 131016 }, 500, '"code":131016', 'refused'],
      ['a code with another status', { code: 130429, http: 429 }, 429, '"code":130429', 'refused'],
      ['a code with details', { code: 100, details: 'so' }, 400, '"details":"so"', 'refused'],
      ['a status', { status_code: 503 }, 503, '', 'failed'],
      ['a status and body', { status_code: 500, body: { a: 1 } }, 500, '{"a":1}', 'failed'],
      ['a status after acceptance', { status_code: 504, accept: true }, 504, '', 'accepted'],
    ])('answers with %s', async (_, fault, http, text, outcome) => {
      await simulator.rule(fault);
      const answer = await simulator.send(textMessage());
      expect([answer.http, answer.text]).toEqual([http, expect.stringContaining(text)]);
      expect((await messages())[0].outcome).toBe(outcome);
    });

    it.each([
      ['drop', 'dropped'],
      ['accept-then-drop', 'accepted'],
    ])('ends the connection for %s', async (fault, outcome) => {
      await simulator.rule(fault);
      await expect(simulator.send(textMessage())).rejects.toThrow('fetch failed');
      expect((await messages())[0].outcome).toBe(outcome);
    });

    it('delays and then goes on as usual', async () => {
      await simulator.rule({ delay_ms: 60 });
      const startedAt = performance.now();
      expect((await simulator.send(to('+15550131047'))).json.error.code).toBe(131047);
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
    });

    it('applies as often as it says, then stops', async () => {
      const { json } = await simulator.rule({ code: 131016 }, {}, 2);
      expect(json).toMatchObject({ id: expect.any(Number), times: 2, matched: 0 });
      const answers = [
        await simulator.send(textMessage()),
        await simulator.send(textMessage()),
        await simulator.send(textMessage()),
      ];
      expect(answers.map(({ http }) => http)).toEqual([500, 500, 200]);
    });

    it('touches only the sends that match', async () => {
      await simulator.rule({ code: 1 }, { to: '+16505550001' });
      await simulator.rule({ code: 2 }, { to: '1650555*', phone_number_id: '5' });
      await simulator.rule({ code: 3 }, { type: 'image' });
      expect((await simulator.send(to('+16505550001'))).json.error.code).toBe(1);
      expect((await simulator.send(to('+16505550002'))).http).toBe(200);
      expect(
        (await simulator.call('POST', '/5/messages', to('+16505550002'))).json.error.code,
      ).toBe(2);
    });

    it('is removed by DELETE, one rule or all of them', async () => {
      const { json } = await simulator.rule({ code: 1 });
      await simulator.rule({ code: 2 });
      await simulator.call('DELETE', `/_simulator/rules/${json.id}`);
      expect((await simulator.send(textMessage())).json.error.code).toBe(2);
      await simulator.call('DELETE', '/_simulator/rules');
      expect((await simulator.call('GET', '/_simulator/rules')).json).toEqual({ rules: [] });
      expect((await simulator.send(textMessage())).http).toBe(200);
    });

    it('applies after authorisation and before validation', async () => {
      await simulator.rule({ code: 131016 }, {}, 1);
      expect(
        (await simulator.send('{}', { authorization: 'Bearer invalid' })).json.error.code,
      ).toBe(190);
      expect((await simulator.send('{}')).json.error.code).toBe(131016);
      expect((await simulator.send('{}')).json.error.code).toBe(100);
    });

    it('throttles a number, not its neighbour', async () => {
      await simulator.rule({ messages_per_second: 0.001, burst: 2 });
      const answers = [];
      for (let count = 0; count < 3; count++) answers.push(await simulator.send(textMessage()));
      expect(answers.map(({ json }) => json.error?.code)).toEqual([undefined, undefined, 130429]);
      expect((await simulator.call('POST', '/5/messages', textMessage())).http).toBe(200);
    });

    it('limits one recipient, not the next', async () => {
      await simulator.rule('pair-rate');
      for (let count = 0; count < 45; count++) {
        expect((await simulator.send(textMessage())).http).toBe(200);
      }
      expect((await simulator.send(textMessage())).json.error.code).toBe(131056);
      expect((await simulator.send(to('+16505550002'))).http).toBe(200);
    });

    it.each([
      ['no fault', {}, /fault must be a name or an object/],
      ['an unknown name', { fault: 'explode' }, /"explode" is none of never-answer/],
      ['an unknown object', { fault: { x: 1 } }, /object with one of code, delay_ms/],
      ['an unknown field', { fault: { code: 1, status: 2 } }, /does not take "status"/],
      ['a bad figure', { fault: { delay_ms: -1 } }, /delay_ms must be an integer/],
      ['a bad count', { fault: 'drop', times: 0 }, /times must be/],
      ['a bad match', { fault: 'drop', match: { from: '1' } }, /match takes to/],
      ['malformed JSON', '{', /must be JSON/],
    ])('is refused with a reason for %s', async (_, rule, reason) => {
      const { http, json } = await simulator.call('POST', '/_simulator/rules', rule);
      expect(http).toBe(400);
      expect(json.error.message).toMatch(reason);
    });
  });

  it('stops at once while requests hang', async () => {
    const other = await SimulatorUnderTest.start();
    await other.rule('never-answer');
    const hanging = other.send(textMessage()).catch((error: Error) => error.message);
    await until(async () => (await other.call('GET', '/_simulator/stats')).json.unanswered === 1);
    await other.close();
    expect(await hanging).toBe('fetch failed');
  });
});

describe('TokenBucket', () => {
  it('gives its capacity at once and then fills steadily, never above it', () => {
    const bucket = new TokenBucket(2, 3, 0);
    const taken = (nowMs: number) => {
      let count = 0;
      while (bucket.take(nowMs)) count++;
      return count;
    };
    expect([taken(0), taken(499), taken(500), taken(1500), taken(60_000)]).toEqual([3, 0, 1, 2, 3]);
  });
});
