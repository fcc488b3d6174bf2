import { randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createApiKey } from '../../src/api-keys/api-key-token.js';
import { sign } from '../../src/auth/request-signature.js';
import { Dashboard, newUser, password } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { type Call, Caller } from './answers.js';
import { report, runs } from './runs.js';

/** Pairs of calls for one comparison. */
const pairs = Math.max(50, Math.min(1_000, runs / 10));

/** How far the medians of two kinds of calls may be apart, as a share of the longer one. */
const shareMax = 0.1;

/** What the clock and the scheduler may add, in milliseconds. */
const noiseMs = 0.1;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** An address of its own: limits by address are not tested here. */
const anyAddress = () =>
  `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A well-formed key that differs from another one in its last random characters only. */
function similarTo(key: string): string {
  const start = key.slice(0, 34) + createApiKey('live').slice(34, 42);
  let rest = crc32(start);
  let checksum = '';
  for (let index = 0; index < 6; index += 1) {
    checksum = `${digits[rest % 62]}${checksum}`;
    rest = Math.floor(rest / 62);
  }
  return start + checksum;
}

describe('the time of a refusal', () => {
  let stack: Stack;
  let caller: Caller;

  beforeAll(async () => {
    stack = await Stack.start({
      store: stores.at(-1),
      workers: 0,
      env: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' },
    });
    caller = new Caller(stack.apis[0]?.url ?? '');
  });

  afterAll(async () => {
    await caller?.close();
    await stack?.stop();
  });

  /** Makes both kinds of calls in turns, in an order that changes, and compares what half of them took. */
  async function compare(name: string, count: number, kinds: readonly [() => Call, () => Call]) {
    const durations: [number[], number[]] = [[], []];
    for (let pair = -10; pair < count; pair += 1) {
      for (const kind of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const call = kinds[kind]();
        const startedAt = performance.now();
        const { status } = await caller.call(call);
        const durationMs = performance.now() - startedAt;
        expect(status).toBe(401);
        // The first ones warm up.
        if (pair >= 0) durations[kind].push(durationMs);
      }
    }
    const [one, other] = [median(durations[0]), median(durations[1])];
    const differences = durations[0].map((duration, pair) => duration - (durations[1][pair] ?? 0));
    const difference = median(differences);
    const spread = median(differences.map((each) => Math.abs(each - difference)));
    report(
      `${name}: ${one.toFixed(2)} and ${other.toFixed(2)} ms, ${difference.toFixed(3)} ms apart in ${count} pairs`,
    );
    // Of a median, for differences that are about normal; a busy machine makes it larger.
    const standardError = (1.2533 * 1.4826 * spread) / Math.sqrt(count);
    expect(Math.abs(difference)).toBeLessThan(
      Math.max(one, other) * shareMax + noiseMs + 3 * standardError,
    );
  }

  const use = (headers: Record<string, string>): Call => ({
    method: 'GET',
    path: '/api/v1/external/messages?limit=1',
    headers: { 'x-forwarded-for': anyAddress(), ...headers },
    body: null,
  });

  it('of an unknown key does not tell how much of it is right', async () => {
    await compare('a key with the right beginning, any key', pairs, [
      () => use({ 'x-api-key': similarTo(installation.apiKey) }),
      () => use({ 'x-api-key': createApiKey('live') }),
    ]);
  });

  it('of a wrong signature does not tell how much of it is right', async () => {
    const operator = await Dashboard.signIn(stack);
    const created = await operator.newKey({
      rate_limit_per_minute: 1_000_000,
      daily_limit: 1_000_000,
    });
    const wrongAt = (index: number) => () => {
      const timestamp = Math.floor(Date.now() / 1_000);
      const request = {
        method: 'GET',
        target: '/api/v1/external/messages?limit=1',
        body: Buffer.alloc(0),
      };
      const right = sign(created.signing_secret, request, timestamp, '').toString('hex');
      const digit = right[index] === '0' ? '1' : '0';
      const wrong = right.slice(0, index) + digit + right.slice(index + 1);
      return use({
        'x-api-key': created.key,
        'x-timestamp': String(timestamp),
        'x-signature': `v1=${wrong}`,
      });
    };
    await compare('a signature wrong at its beginning, at its end', pairs, [
      wrongAt(0),
      wrongAt(63),
    ]);
  });

  it('of a sign-in does not tell whether there is such a user', async () => {
    const operator = await Dashboard.signIn(stack);
    const user = newUser();
    await operator.get('POST', '/users', user);
    const signIn = (email: () => string) => (): Call => ({
      method: 'POST',
      path: '/api/v1/dashboard/session',
      headers: { 'x-forwarded-for': anyAddress(), 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ email: email(), password: `not ${password}` })),
    });
    await compare('a user with a wrong password, no user', Math.ceil(pairs / 5), [
      signIn(() => String(user.email)),
      signIn(() => `${randomUUID()}@parley.test`),
    ]);
  });
});
