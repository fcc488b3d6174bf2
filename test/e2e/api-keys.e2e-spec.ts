import { dayMs } from '#libs/durations';
import { createApiKey } from '../../src/api-keys/api-key-token.js';
import { type ApiKeyChange, addAccount, addApiKey } from '../support/api-keys.js';
import { installation } from '../support/installation.js';
import { withinOneMinute } from '../support/one-minute.js';
import { buttonMessage, Stack } from '../support/stack.js';

const yesterday = () => new Date(Date.now() - dayMs);
const async = { Prefer: 'respond-async' };

const mistyped = (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;

describe('an API key', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ apis: 2 });
  });

  afterAll(() => stack?.stop());

  const send = (apiKey: string | null, body: unknown = buttonMessage(), api = 0) =>
    stack.send('button', body, async, { apiKey, api });

  it.each([
    ['missing', null, 'missing'],
    ['empty', ' ', 'missing'],
    ['of another form', 'secret', 'unknown'],
    ['mistyped', mistyped(installation.apiKey), 'unknown'],
    ['unknown', createApiKey('live'), 'unknown'],
    ['unknown and a test key', createApiKey('test'), 'unknown'],
  ])('that is %s is INVALID_API_KEY', async (_, apiKey, reason) => {
    const { status, headers, body } = await send(apiKey);
    expect(headers.get('www-authenticate')).toBe('ApiKey realm="parley"');
    expect({ status, body }).toEqual({
      status: 401,
      body: {
        success: false,
        error: { code: 'INVALID_API_KEY', message: expect.any(String), details: { reason } },
        meta: { request_id: headers.get('x-request-id') },
      },
    });
  });

  it.each([
    ['a bearer token', `Bearer ${installation.apiKey}`, 'wrong_header'],
    ['it stands there alone', installation.apiKey, 'wrong_header'],
    ['a user name', `Basic ${btoa(`${installation.apiKey}:`)}`, 'wrong_header'],
    ['a token of something else', 'Bearer eyJhbGciOi', 'missing'],
  ])(
    'that is in Authorization, as %s, is named with its place',
    async (_, authorization, reason) => {
      const { status, body } = await stack.requestAt('/api/v1/external/templates', {
        apiKey: null,
        headers: { Authorization: authorization },
      });
      expect({ status, reason: body.error.details.reason }).toEqual({ status: 401, reason });
    },
  );

  it('is checked before the body', async () => {
    const bodies = ['{"to":', 'x'.repeat(300 * 1024), '', JSON.stringify({})];
    for (const body of bodies) {
      const headers = { 'Content-Type': 'text/plain' };
      const { status } = await stack.send('button', body, headers, { apiKey: 'pk_live_no' });
      expect(status).toBe(401);
    }
  });

  it.each<[string, ApiKeyChange, string]>([
    ['expired', { expiresAt: yesterday() }, 'EXPIRED_API_KEY'],
    ['revoked', { revokedAt: yesterday() }, 'REVOKED_API_KEY'],
    ['suspended', { suspendedAt: yesterday() }, 'SUSPENDED_API_KEY'],
    ['switched off', { active: false }, 'INVALID_API_KEY'],
  ])('that is %s gets 401 with the code of its state', async (_, change, code) => {
    const { key } = await addApiKey(stack, change);
    const { status, body } = await send(key);
    expect({ status, code: body.error.code }).toEqual({ status: 401, code });
    expect(body.error.details).toEqual('active' in change ? { reason: 'inactive' } : undefined);
  });

  it('needs the permission of the operation', async () => {
    const reader = await addApiKey(stack, { permissions: ['view_messages'] });
    const sender = await addApiKey(stack, { permissions: ['send_text'] });
    const requests = [
      await send(reader.key),
      await stack.send('list', {}, {}, { apiKey: reader.key }),
      await stack.get('/messages', { apiKey: sender.key }),
      await stack.get('/messages/x', { apiKey: sender.key }),
    ];
    for (const { status, body } of requests) {
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'PERMISSION_DENIED' });
      expect(body.meta.rate_limit).toBeDefined();
    }
    expect((await send(sender.key)).status).toBe(202);
    expect((await stack.get('/messages', { apiKey: reader.key })).status).toBe(200);
  });

  it('of an account that is not active gets 403, also with a broken body', async () => {
    const { key } = await addApiKey(stack, {
      accountId: await addAccount(stack, { active: false }),
    });
    for (const body of [buttonMessage(), '{']) {
      const answer = await send(key, body);
      expect({ status: answer.status, code: answer.body.error.code }).toEqual({
        status: 403,
        code: 'ACCOUNT_NOT_ACTIVE',
      });
    }
  });

  it(
    'gets 429 with the time to wait when the minute is used up, over all processes',
    withinOneMinute(async () => {
      const { key } = await addApiKey(stack, { rateLimit: 3 });
      const answers = await Promise.all([0, 1, 0, 1, 0].map((api) => send(key, undefined, api)));
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);

      const { status, headers, body } = await send(key);
      expect({ status, error: body.error }).toEqual({
        status: 429,
        error: {
          code: 'RATE_LIMIT_EXCEEDED',
          message: expect.any(String),
          details: { retry_after: expect.any(Number) },
        },
      });
      const { retry_after } = body.error.details;
      expect(retry_after).toBeGreaterThan(0);
      expect(retry_after).toBeLessThanOrEqual(60);
      expect(headers.get('retry-after')).toBe(String(retry_after));
      expect(body.meta.rate_limit).toMatchObject({ limit: 3, remaining: 0 });
    }),
  );

  it('sees no message of another account and no message of the other mode', async () => {
    const { body } = await send(installation.apiKey);
    const id = body.data.message_id;
    const stranger = await addApiKey(stack, { accountId: await addAccount(stack) });
    const test = await addApiKey(stack, { mode: 'test' });
    for (const apiKey of [stranger.key, test.key]) {
      const one = await stack.get(`/messages/${id}`, { apiKey });
      expect({ status: one.status, code: one.body.error.code }).toEqual({
        status: 404,
        code: 'MESSAGE_NOT_FOUND',
      });
      expect((await stack.get('/messages', { apiKey })).body.data.messages).toEqual([]);
    }
  });
});
