import { Agent, request } from 'undici';
import { createApiKey } from '../../src/api-keys/api-key-token.js';
import { Dashboard } from '../support/dashboard.js';
import { TestDatabase } from '../support/database.js';
import { installation, stores } from '../support/installation.js';
import { Link } from '../support/link.js';
import { freePort } from '../support/server-process.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { notification, notify, textMessage } from '../support/webhooks.js';

/** How often something was asked of the database in what a link heard. */
function countOf(heard: readonly Buffer[], text: string): number {
  return Buffer.concat(heard).toString('latin1').split(text).length - 1;
}

describe('unknown keys', () => {
  let database: TestDatabase;
  let link: Link;
  let stack: Stack;
  let heard: Buffer[] = [];

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    link = new Link(await freePort());
    link.target = Number(new URL(database.url).port);
    link.heard = (bytes) => heard.push(bytes);
    await link.join();
    const throughLink = new URL(database.url);
    throughLink.port = String(link.port);
    stack = await Stack.start({
      databaseUrl: throughLink.href,
      workers: 0,
      env: { TRUSTED_PROXIES: '127.0.0.1' },
    });
  });

  afterAll(async () => {
    await stack?.stop();
    link.cut();
    await database.drop();
  });

  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const useOf = (apiKey: string, address: string) =>
    stack.get('/messages?limit=1', { apiKey, ...from(address) });

  /** Texts that look like a key and cannot be one. */
  const malformed = () => {
    const key = createApiKey('live');
    const last = key.endsWith('A') ? 'B' : 'A';
    return [
      `${key.slice(0, -1)}${last}`,
      key.replace('pk_live_', 'pk_test_'),
      key.toUpperCase(),
      key.slice(0, -1),
      `${key}0`,
      `${key.slice(0, 20)}-${key.slice(21)}`,
      'pk_live_',
      '0'.repeat(48),
    ];
  };

  it('and malformed cost no call of a store: 1,000 of them, 0 look-ups', async () => {
    heard = [];
    const keys = Array.from({ length: 125 }, malformed).flat();
    const answers = [];
    for (let first = 0; first < keys.length; first += 50) {
      const some = keys.slice(first, first + 50);
      answers.push(...(await Promise.all(some.map((key) => useOf(key, '192.0.2.1')))));
    }
    expect(answers).toHaveLength(1_000);
    expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
    expect(countOf(heard, 'from api_keys k')).toBe(0);
    expect(countOf(heard, 'take-quota')).toBe(0);
  });

  it('but well-formed cost one look-up each', async () => {
    heard = [];
    for (let calls = 0; calls < 20; calls += 1) await useOf(createApiKey('live'), '192.0.2.2');
    expect(countOf(heard, 'from api_keys k')).toBe(20);
  });

  it('are limited by address, and do not block other callers', async () => {
    const flood = '192.0.2.3';
    const statuses: number[] = [];
    const flooding = { isOver: false };
    const attackers = Array.from({ length: 64 }, async () => {
      while (!flooding.isOver) statuses.push((await useOf(createApiKey('live'), flood)).status);
    });
    await until(() => statuses.length > 200);
    for (let calls = 0; calls < 50; calls += 1) {
      expect((await useOf(installation.apiKey, '192.0.2.4')).status).toBe(200);
    }
    // Behind the same address a known key is let in, too.
    expect((await useOf(installation.apiKey, flood)).status).toBe(200);
    flooding.isOver = true;
    await Promise.all(attackers);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(120);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(80);
    const refused = await useOf(createApiKey('live'), flood);
    expect(refused.body).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { retry_after: expect.any(Number) } },
      meta: { rate_limit: { limit: 60, remaining: 0, reset_at: expect.any(String) } },
    });
  });
});

describe('forged notifications', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ workers: 0, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  });

  afterAll(() => stack?.stop());

  /** What Meta's test button sends: it names no account of ours. */
  const sample = { businessAccountId: '0', phoneNumberId: '123456123', displayPhoneNumber: '1' };
  const send = async (
    from: string,
    options: { secret?: string; path?: string } = {},
    number?: any,
  ) =>
    (await notify(stack, notification({ messages: [textMessage()] }, number), { ...options, from }))
      .status;

  it('of a block of addresses end the search for others, and stop nothing of a named account', async () => {
    const forger = (index: number) => `2001:db8::${index.toString(16)}`;
    for (let call = 1; call < 20; call += 1) {
      expect(await send(forger(call), { secret: 'forged' })).toBe(401);
    }
    expect(await send(forger(1), {}, sample)).toBe(200);
    expect(await send(forger(20), { secret: 'forged' })).toBe(401);
    expect(await send(forger(1), {}, sample)).toBe(401);
    expect(await send('2001:db8:0:1::1', {}, sample)).toBe(200);
    expect(await send(forger(1))).toBe(200);
    expect(await send(forger(1), { path: `/${installation.accountId}` }, sample)).toBe(200);
  });
});

describe.each(stores)('a key that is revoked under load over %s', (store) => {
  const calls = 10_000;
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start({ store, apis: 2, workers: 0, env: { LOG_LEVEL: 'warn' } });
    operator = await Dashboard.signIn(stack);
  });

  afterAll(() => stack?.stop());

  it('lets in none of 10,000 requests to two processes that began after the answer', async () => {
    const { api_key, key } = await operator.newKey({
      rate_limit_per_minute: 1_000_000,
      daily_limit: 1_000_000,
    });
    const agent = new Agent({ connections: 32, pipelining: 1 });
    let isRevoked = false;
    let begun = 0;
    let accepted = 0;
    let refused = 0;
    let late = 0;
    const callers = Array.from({ length: 64 }, async () => {
      while (begun < calls) {
        begun += 1;
        const beganLate = isRevoked;
        const url = `${stack.apis[begun % 2]?.url}/api/v1/external/messages/x`;
        const answer = await request(url, { dispatcher: agent, headers: { 'x-api-key': key } });
        await answer.body.dump();
        // A key that is let in finds no message of that name.
        if (answer.statusCode === 404) accepted += 1;
        else refused += 1;
        if (answer.statusCode === 404 && beganLate) late += 1;
      }
    });
    await until(() => accepted > calls / 4);
    await operator.get('POST', `/api-keys/${api_key.id}/revoke`);
    isRevoked = true;
    const acceptedBefore = accepted;
    await Promise.all(callers);
    await agent.close();
    expect(late).toBe(0);
    expect(accepted - acceptedBefore).toBeLessThanOrEqual(64);
    expect(accepted + refused).toBe(calls);
    // The load continued: otherwise this test would prove nothing.
    expect(refused).toBeGreaterThan(1_000);
  });
});
