import { randomUUID } from 'node:crypto';
import { sha256Hex, sign } from '../../src/auth/request-signature.js';
import { Dashboard } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

describe.each(stores)('a change of an API key over %s', (store) => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start({ store, apis: 2 });
    operator = await Dashboard.signIn(stack);
  });

  afterAll(() => stack?.stop());

  /** The next request of the key, at the process that did not make the change. */
  const use = (key: string, api = 1) => stack.get('/messages?limit=1', { apiKey: key, api });
  const codeOf = async (key: string) => (await use(key)).body.error?.code ?? 'OK';

  /** The status of a signed request at the process that makes no change. */
  const signedWith = async (apiKey: string, secret: string) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const target = '/api/v1/external/messages';
    const nonce = randomUUID();
    const request = { method: 'GET', target, bodySha256: sha256Hex(Buffer.alloc(0)) };
    const signature = sign(secret, request, timestamp, nonce).toString('hex');
    const headers = {
      'X-Timestamp': String(timestamp),
      'X-Nonce': nonce,
      'X-Signature': `v1=${signature}`,
    };
    return (await stack.requestAt(target, { apiKey, headers, api: 1 })).status;
  };

  const actions: [string, string, string, unknown, string][] = [
    ['revoked', 'POST', '/revoke', undefined, 'REVOKED_API_KEY'],
    ['suspended', 'POST', '/suspend', { reason: 'abuse' }, 'SUSPENDED_API_KEY'],
    ['switched off', 'PATCH', '', { active: false }, 'INVALID_API_KEY'],
    ['deleted', 'DELETE', '', undefined, 'INVALID_API_KEY'],
    ['rotated', 'POST', '/rotate', undefined, 'INVALID_API_KEY'],
    ['held to addresses', 'PATCH', '', { allowed_ips: ['192.0.2.1'] }, 'IP_NOT_ALLOWED'],
    ['held to signatures', 'PATCH', '', { require_signature: true }, 'INVALID_SIGNATURE'],
    ['narrowed', 'PATCH', '', { permissions: ['send_text'] }, 'PERMISSION_DENIED'],
    ['limited', 'PATCH', '', { rate_limit_per_minute: 1 }, 'RATE_LIMIT_EXCEEDED'],
    ['limited for the day', 'PATCH', '', { daily_limit: 1 }, 'DAILY_LIMIT_EXCEEDED'],
  ];

  it.each(actions)(
    'holds at the next request in another process: %s',
    async (_, method, action, body, code) => {
      const { api_key, key } = await operator.newKey();
      for (const api of [0, 1]) expect((await use(key, api)).status).toBe(200);
      expect(await codeOf(key)).toBe('OK');
      await operator.get(method, `/api-keys/${api_key.id}${action}`, body);
      expect(await codeOf(key)).toBe(code);
      expect((await use(key, 0)).body.error.code).toBe(code);
    },
  );

  it.each([
    ['reinstated', 'POST', '/suspend', { reason: 'abuse' }, 'POST', '/reinstate', undefined],
    ['switched on', 'PATCH', '', { active: false }, 'PATCH', '', { active: true }],
    [
      'opened',
      'PATCH',
      '',
      { allowed_ips: ['192.0.2.1'] },
      'PATCH',
      '',
      { allowed_ips: ['192.0.2.1', '127.0.0.0/8'] },
    ],
  ] as const)(
    'holds at the next request in another process: %s again',
    async (_, method, action, body, undo, undoAction, undoBody) => {
      const { api_key, key } = await operator.newKey();
      await operator.get(method, `/api-keys/${api_key.id}${action}`, body);
      expect(await codeOf(key)).not.toBe('OK');
      await operator.get(undo, `/api-keys/${api_key.id}${undoAction}`, undoBody);
      expect(await codeOf(key)).toBe('OK');
    },
  );

  it('to its account, switched off and on, holds at the next request in another process', async () => {
    const { key } = await operator.newKey();
    expect(await codeOf(key)).toBe('OK');
    const path = `/accounts/${installation.accountId}`;
    await operator.get('PATCH', path, { active: false });
    expect(await codeOf(key)).toBe('ACCOUNT_NOT_ACTIVE');
    await operator.get('PATCH', path, { active: true });
    expect(await codeOf(key)).toBe('OK');
  });

  it('keeps the old key working for the overlap and no longer', async () => {
    const { api_key, key } = await operator.newKey({ rate_limit_per_minute: 10_000 });
    const rotated = await operator.get('POST', `/api-keys/${api_key.id}/rotate`, {
      overlap_seconds: 2,
    });
    expect(rotated.api_key).toMatchObject({ id: api_key.id, name: api_key.name });
    expect(rotated.api_key.previous_key_expires_at).not.toBeNull();
    expect([await codeOf(key), await codeOf(rotated.key)]).toEqual(['OK', 'OK']);
    await until(async () => (await codeOf(key)) === 'INVALID_API_KEY');
    const expiredAt = new Date(rotated.api_key.previous_key_expires_at).getTime();
    expect(Date.now()).toBeGreaterThanOrEqual(expiredAt - 500);
    expect(await codeOf(rotated.key)).toBe('OK');
  });

  it.each([0, 60, 604_800])(
    'keeps the end of the first overlap through a second rotation with an overlap of %d seconds',
    async (overlap_seconds) => {
      const { api_key, key } = await operator.newKey({ rate_limit_per_minute: 10_000 });
      const path = `/api-keys/${api_key.id}/rotate`;
      const second = await operator.get('POST', path, { overlap_seconds: 3_600 });
      const end = second.api_key.previous_key_expires_at;
      const third = await operator.get('POST', path, { overlap_seconds });
      expect([await codeOf(key), await codeOf(second.key), await codeOf(third.key)]).toEqual([
        'OK',
        overlap_seconds > 0 ? 'OK' : 'INVALID_API_KEY',
        'OK',
      ]);
      const { previous_key_expires_at } = third.api_key;
      if (overlap_seconds < 3_600) expect(previous_key_expires_at).toBe(end);
      else expect(previous_key_expires_at > end).toBe(true);
      await operator.get('POST', `/api-keys/${api_key.id}/revoke`);
      expect(await codeOf(key)).toBe('REVOKED_API_KEY');
    },
  );

  it('ends each overlap in its own time', async () => {
    const { api_key, key } = await operator.newKey({ rate_limit_per_minute: 10_000 });
    const path = `/api-keys/${api_key.id}/rotate`;
    const second = await operator.get('POST', path, { overlap_seconds: 2 });
    await operator.get('POST', path, { overlap_seconds: 3_600 });
    await until(async () => (await codeOf(key)) === 'INVALID_API_KEY');
    expect(await codeOf(second.key)).toBe('OK');
  });

  it('takes signatures under every secret whose overlap has not ended', async () => {
    const created = await operator.newKey({ rate_limit_per_minute: 10_000 });
    const path = `/api-keys/${created.api_key.id}/signing-secret/rotate`;
    const second = await operator.get('POST', path, { overlap_seconds: 3_600 });
    const third = await operator.get('POST', path, { overlap_seconds: 3_600 });
    const fourth = await operator.get('POST', path, { overlap_seconds: 0 });
    const secrets = [created, second, third, fourth].map((one) => one.signing_secret);
    const signed = (secret: string) => signedWith(created.key, secret);
    expect(await Promise.all(secrets.map(signed))).toEqual([200, 200, 401, 200]);
  });

  describe('of which old values still work', () => {
    const overlap_seconds = 3_600;

    /** A key whose key, signing secret and webhook secret were each rotated twice. */
    const rotated = async () => {
      const created = await operator.newKey({ rate_limit_per_minute: 10_000 });
      const path = `/api-keys/${created.api_key.id}`;
      const rotate = async (what: string) => [
        await operator.get('POST', `${path}/${what}`, { overlap_seconds }),
        await operator.get('POST', `${path}/${what}`, { overlap_seconds }),
      ];
      const keys = [created, ...(await rotate('rotate'))].map(({ key }) => key);
      const signing = [created, ...(await rotate('signing-secret/rotate'))];
      await rotate('webhook/rotate-secret');
      return { path, keys, secrets: signing.map(({ signing_secret }) => signing_secret) };
    };
    const formerOf = (api_key: any) =>
      api_key.secrets.filter((one: any) => one.expires_at !== null).map((one: any) => one.kind);

    it('ends them all in every process, and writes that down', async () => {
      const { path, keys, secrets } = await rotated();
      const current = keys.at(-1) ?? '';
      expect(await Promise.all(keys.map(codeOf))).toEqual(['OK', 'OK', 'OK']);
      const signed = (secret: string) => signedWith(current, secret);
      expect(await Promise.all(secrets.map(signed))).toEqual([200, 200, 200]);
      const { api_key } = await operator.get('POST', `${path}/end-overlap`);
      expect(api_key.previous_key_expires_at).toBeNull();
      expect(formerOf(api_key)).toEqual([]);
      expect(await Promise.all(keys.map(codeOf))).toEqual([
        'INVALID_API_KEY',
        'INVALID_API_KEY',
        'OK',
      ]);
      expect(await Promise.all(secrets.map(signed))).toEqual([401, 401, 200]);
      const { entries } = await operator.get('GET', `/audit-log?subject_id=${api_key.id}&limit=1`);
      expect(entries).toMatchObject([
        { action: 'api_key.overlap_ended', details: { ended: ['key', 'signing', 'webhook'] } },
      ]);
    });

    it.each([
      ['key', ['signing', 'signing', 'webhook', 'webhook']],
      ['signing', ['key', 'key', 'webhook', 'webhook']],
      ['webhook', ['key', 'key', 'signing', 'signing']],
    ])('ends those of one kind: %s', async (only, left) => {
      const { path } = await rotated();
      const { api_key } = await operator.get('POST', `${path}/end-overlap`, { only });
      expect(formerOf(api_key)).toEqual(left);
      const again = await operator.call('POST', `${path}/end-overlap`, { only });
      expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT']);
    });

    it('refuses where nothing overlaps, another kind, and a revoked key', async () => {
      const { api_key } = await operator.newKey();
      const path = `/api-keys/${api_key.id}`;
      const refusal = async (body?: object) =>
        (await operator.call('POST', `${path}/end-overlap`, body)).body.error?.code;
      expect(await refusal()).toBe('CONFLICT');
      expect(await refusal({ only: 'all' })).toBe('VALIDATION_ERROR');
      await operator.get('POST', `${path}/rotate`, { overlap_seconds });
      await operator.get('POST', `${path}/revoke`);
      expect(await refusal()).toBe('CONFLICT');
    });

    it('shows of each value when and from where it was used last', async () => {
      const { path, keys, secrets } = await rotated();
      const [oldest = '', , current = ''] = keys;
      await use(oldest);
      await signedWith(current, secrets[1] ?? '');
      const usedOf = async () => {
        const { api_key } = await operator.get('GET', path);
        return api_key.secrets.map(({ kind, last_used_at, last_used_from }: any) => [
          kind,
          last_used_at && 'used',
          last_used_from,
        ]);
      };
      const used = [
        ['key', 'used', '127.0.0.1'],
        ['key', null, null],
        ['key', 'used', '127.0.0.1'],
        ['signing', null, null],
        ['signing', 'used', '127.0.0.1'],
        ['signing', null, null],
        ['webhook', null, null],
        ['webhook', null, null],
        ['webhook', null, null],
      ];
      await until(async () => JSON.stringify(await usedOf()) === JSON.stringify(used));
      await operator.get('POST', `${path}/rotate`, { overlap_seconds: overlap_seconds * 2 });
      // What was the present key is now the previous one, and its use goes with it.
      expect((await usedOf()).slice(0, 3)).toEqual([
        ['key', null, null],
        ['key', 'used', '127.0.0.1'],
        ['key', null, null],
      ]);
    });
  });

  it('shows what the key has used of both windows, without using any', async () => {
    const { api_key, key } = await operator.newKey({ daily_limit: 10 });
    await use(key);
    await use(key, 0);
    const path = `/api-keys/${api_key.id}/usage`;
    await operator.get('GET', path);
    const usage = await operator.get('GET', path);
    expect(usage).toMatchObject({
      minute: { limit: 60, used: expect.any(Number), reset_at: expect.any(String) },
      day: { limit: 10, used: 2, remaining: 8 },
    });
    expect(usage.calls_by_hour).toHaveLength(24);
    await until(async () => (await operator.get('GET', path)).calls_last_24h === 2);
    const { api_key: used } = await operator.get('GET', `/api-keys/${api_key.id}`);
    expect(used).toMatchObject({
      last_used_at: expect.any(String),
      last_used_address: '127.0.0.1',
    });
  });

  it('counts requests over the limits as calls, too', async () => {
    const { api_key, key } = await operator.newKey({ rate_limit_per_minute: 1 });
    for (let calls = 0; calls < 3; calls += 1) await use(key);
    const path = `/api-keys/${api_key.id}/usage`;
    await until(async () => (await operator.get('GET', path)).calls_last_24h === 3);
  });

  it('to a test key does not change where it sends', async () => {
    const { api_key, key } = await operator.newKey({ mode: 'test' });
    await operator.get('PATCH', `/api-keys/${api_key.id}`, { description: 'changed' });
    const { status, body } = await stack.send('button', buttonMessage(), {}, { apiKey: key });
    expect({ status, data: body.data.status }).toEqual({ status: 200, data: 'sent' });
    const message = await operator.get('GET', `/messages/${body.data.message_id}`);
    expect(message).toMatchObject({ mode: 'test', api_key_id: api_key.id });
  });
});
