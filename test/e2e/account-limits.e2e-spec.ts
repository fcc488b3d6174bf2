import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard, newAccount, newKey } from '../support/dashboard.js';
import { type Answer, Stack } from '../support/stack.js';

const unlimited = { keys: null, endpoints: null, rate_limit_per_minute: null, daily_limit: null };
const url = 'https://hooks.example.com/parley';

describe('the limits of an account', () => {
  let stack: Stack;
  let operator: Dashboard;
  let administrator: Dashboard;
  let accountId: string;

  beforeAll(async () => {
    stack = await Stack.start({ apis: 2 });
    operator = await Dashboard.signIn(stack);
  });

  beforeEach(async () => {
    accountId = await addAccount(stack);
    administrator = await Dashboard.administratorOf(stack, operator, accountId);
  });

  afterAll(() => stack?.stop());

  const limit = (limits: object) =>
    operator.get('PATCH', `/accounts/${accountId}`, { limits: { ...unlimited, ...limits } });
  const makeKey = (change: object = {}, api = 0) =>
    administrator.call('POST', '/api-keys', newKey({ ...change }), { api });
  const madeKey = async (change: object = {}) => (await makeKey(change)).body.data;
  const changeKey = (id: string, change: object) =>
    administrator.call('PATCH', `/api-keys/${id}`, change);
  const addEndpoint = (apiKey: string, api = 0) =>
    stack.request('/webhooks', { method: 'POST', body: { url }, apiKey, api });
  const outcome = ({ status, body }: Answer) =>
    status === 200 ? 'done' : `${status} ${body.error.code} ${body.error.details?.limit}`;
  const countOf = (answers: Answer[], wanted: string) =>
    answers.filter((answer) => outcome(answer) === wanted).length;
  const addressesOf = async () => {
    const [row] = await stack.sql(
      'select count(*)::int from webhook_endpoints where account_id = $1 and url is not null',
      [accountId],
    );
    return row.count;
  };

  describe('are set by operators', () => {
    const standard = { ...unlimited, keys: 100, endpoints: 100 };

    it('and begin with 100 keys and 100 endpoints', async () => {
      const { account } = await operator.get('POST', '/accounts', newAccount());
      expect(account.limits).toEqual(standard);
      expect((await operator.get('GET', `/accounts/${accountId}`)).account.limits).toEqual(
        standard,
      );
      const given = newAccount({ limits: { keys: 5, endpoints: null } });
      const other = await operator.get('POST', '/accounts', given);
      expect(other.account.limits).toEqual({ ...unlimited, keys: 5 });
    });

    it('one by one: those that a change does not name stay', async () => {
      const path = `/accounts/${accountId}`;
      const change = { limits: { daily_limit: 7, endpoints: null } };
      const { account } = await operator.get('PATCH', path, change);
      expect(account.limits).toEqual({ ...unlimited, keys: 100, daily_limit: 7 });
      const { accounts } = await operator.get('GET', '/accounts');
      expect(accounts.find(({ id }: any) => id === accountId).limits).toEqual(account.limits);
      const { entries } = await operator.get('GET', `/audit-log?subject_id=${accountId}&limit=1`);
      expect(entries).toMatchObject([
        {
          action: 'account.updated',
          details: { limits: { from: standard, to: account.limits } },
        },
      ]);
    });

    it.each([
      [{ keys: -1 }, 'limits.keys'],
      [{ endpoints: 1.5 }, 'limits.endpoints'],
      [{ rate_limit_per_minute: 0 }, 'limits.rate_limit_per_minute'],
      [{ daily_limit: 1_000_000_001 }, 'limits.daily_limit'],
      [{ webhooks: 3 }, 'limits.webhooks'],
      [null, 'limits'],
    ])('as numbers: not %j', async (limits, field) => {
      const { body } = await operator.call('PATCH', `/accounts/${accountId}`, { limits });
      expect(Object.keys(body.error.details.fields)).toEqual([field]);
    });

    it('and seen, but not changed, by administrators', async () => {
      const { account } = await administrator.get('GET', '/session');
      expect(account.limits).toEqual(standard);
      const change = { limits: { keys: 1_000 } };
      const { status, body } = await administrator.call('PATCH', `/accounts/${accountId}`, change);
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    });
  });

  describe('of keys', () => {
    it('count those that are suspended, expired or inactive, not those that are revoked or deleted', async () => {
      await limit({ keys: 3 });
      await addApiKey(stack, { accountId, revokedAt: new Date() });
      await addApiKey(stack, { accountId, suspendedAt: new Date(), active: false });
      await addApiKey(stack, { accountId, expiresAt: new Date(0) });
      const { api_key: third } = await madeKey();
      const refused = await makeKey();
      expect({ status: refused.status, error: refused.body.error }).toEqual({
        status: 409,
        error: {
          code: 'ACCOUNT_LIMIT',
          message:
            'The account has 3 of at most 3 keys that are not revoked. Revoke or delete one, or ask an operator to raise the limit of the account.',
          details: { limit: 'keys', max: 3 },
        },
      });
      await administrator.get('POST', `/api-keys/${third.id}/revoke`);
      const { api_key: fourth } = await madeKey();
      expect(outcome(await makeKey())).toBe('409 ACCOUNT_LIMIT keys');
      await administrator.get('DELETE', `/api-keys/${fourth.id}`);
      expect(outcome(await makeKey())).toBe('done');
    });

    it('bind operators, too', async () => {
      await limit({ keys: 0 });
      const answer = await operator.call('POST', '/api-keys', newKey({ account_id: accountId }));
      expect(outcome(answer)).toBe('409 ACCOUNT_LIMIT keys');
    });

    it('hold for keys that are made at once, in several processes', async () => {
      await limit({ keys: 5 });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => makeKey({}, index % 2)),
      );
      expect(countOf(answers, 'done')).toBe(5);
      expect(countOf(answers, '409 ACCOUNT_LIMIT keys')).toBe(15);
    });

    it('leave what is there, which can be used, changed and rotated', async () => {
      const { api_key, key } = await madeKey();
      await madeKey();
      await limit({ keys: 1 });
      expect(outcome(await changeKey(api_key.id, { name: 'still here', active: true }))).toBe(
        'done',
      );
      const rotate = `/api-keys/${api_key.id}/rotate`;
      const overlap = { overlap_seconds: 60 };
      expect(outcome(await administrator.call('POST', rotate, overlap))).toBe('done');
      expect((await stack.request('/messages', { apiKey: key })).status).toBe(200);
      expect(outcome(await makeKey())).toBe('409 ACCOUNT_LIMIT keys');
    });

    it('are those of one account: another one has its own', async () => {
      await limit({ keys: 0 });
      accountId = await addAccount(stack);
      const answer = await operator.call('POST', '/api-keys', newKey({ account_id: accountId }));
      expect(outcome(answer)).toBe('done');
    });
  });

  describe.each(['rate_limit_per_minute', 'daily_limit'])('of %s of each key', (field) => {
    const refusal = `409 ACCOUNT_LIMIT ${field}`;

    it('refuse a new key beyond them, also by its default', async () => {
      await limit({ [field]: 50 });
      expect(outcome(await makeKey({ [field]: 51 }))).toBe(refusal);
      expect(outcome(await makeKey())).toBe(refusal);
      expect(outcome(await makeKey({ [field]: 50 }))).toBe('done');
      expect(outcome(await makeKey({ [field]: 50 }))).toBe('done');
    });

    it('refuse an increase; what is unchanged or lowered passes', async () => {
      const { api_key } = await madeKey({ [field]: 500 });
      await limit({ [field]: 50 });
      const change = (value: number | null) => changeKey(api_key.id, { [field]: value });
      const refused = await change(501);
      expect(outcome(refused)).toBe(refusal);
      expect(refused.body.error.message).toBe(
        `${field} would be 501; a key of this account may have at most 50. Set it lower, or ask an operator to raise the limit of the account.`,
      );
      expect(outcome(await changeKey(api_key.id, { name: 'renamed', [field]: 500 }))).toBe('done');
      expect(outcome(await change(400))).toBe('done');
      expect(outcome(await change(500))).toBe(refusal);
      expect(outcome(await change(40))).toBe('done');
      // The default is 60 or 10,000.
      expect(outcome(await change(null))).toBe(refusal);
      expect(outcome(await change(50))).toBe('done');
    });
  });

  describe('of endpoints', () => {
    it('count all with an address, the default ones included', async () => {
      await limit({ endpoints: 2 });
      const first = await madeKey({ webhook_url: url, permissions: ['manage_webhooks'] });
      const second = await madeKey({ permissions: ['manage_webhooks', 'view_messages'] });
      expect(outcome(await addEndpoint(second.key))).toBe('done');
      const refused = await addEndpoint(second.key);
      expect(refused.body.error).toEqual({
        code: 'ACCOUNT_LIMIT',
        message:
          'The account has 2 of at most 2 webhooks with an address. Delete one, or a revoked key that still has one, or ask an operator to raise the limit of the account.',
        details: { limit: 'endpoints', max: 2 },
      });
      const refusal = '409 ACCOUNT_LIMIT endpoints';
      const ofSecond = `/api-keys/${second.api_key.id}`;
      expect(outcome(await administrator.call('POST', `${ofSecond}/webhooks`, { url }))).toBe(
        refusal,
      );
      expect(outcome(await operator.call('PATCH', ofSecond, { webhook_url: url }))).toBe(refusal);
      expect(outcome(await makeKey({ webhook_url: url }))).toBe(refusal);
      expect(await addressesOf()).toBe(2);
      const { api_keys } = await administrator.get('GET', '/api-keys');
      expect(api_keys).toHaveLength(2);

      expect(outcome(await changeKey(first.api_key.id, { webhook_url: `${url}/moved` }))).toBe(
        'done',
      );
      await administrator.get('PATCH', `/api-keys/${first.api_key.id}`, { webhook_url: null });
      expect(outcome(await administrator.call('PATCH', ofSecond, { webhook_url: url }))).toBe(
        'done',
      );
      expect(outcome(await addEndpoint(second.key))).toBe(refusal);
      await administrator.get('DELETE', ofSecond);
      expect(outcome(await changeKey(first.api_key.id, { webhook_url: url }))).toBe('done');
    });

    it('hold for endpoints that are made at once, for several keys and in several ways', async () => {
      await limit({ endpoints: 5 });
      const keys = await Promise.all(
        Array.from({ length: 10 }, () => addApiKey(stack, { accountId })),
      );
      const answers = await Promise.all(
        keys.flatMap(({ id, key }, index) => [
          addEndpoint(key, index % 2),
          changeKey(id, { webhook_url: url }),
        ]),
      );
      expect(countOf(answers, 'done')).toBe(5);
      expect(countOf(answers, '409 ACCOUNT_LIMIT endpoints')).toBe(15);
      expect(await addressesOf()).toBe(5);
    });

    it('leave what is there, which can be changed', async () => {
      const { key } = await madeKey({ permissions: ['manage_webhooks', 'view_messages'] });
      const { id } = (await addEndpoint(key)).body.data.webhook;
      await limit({ endpoints: 0 });
      const change = { method: 'PATCH', body: { url: `${url}/moved` }, apiKey: key };
      expect(outcome(await stack.request(`/webhooks/${id}`, change))).toBe('done');
      expect(outcome(await addEndpoint(key))).toBe('409 ACCOUNT_LIMIT endpoints');
    });
  });
});
