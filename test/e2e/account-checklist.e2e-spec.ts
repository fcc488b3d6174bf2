import { Dashboard, newAccount } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const number = { phone_number_id: '300000000000701', business_account_id: '400000000000701' };
const accessToken = 'access-token-of-the-checklist';
const pin = '482913';
const both = ['whatsapp_business_messaging', 'whatsapp_business_management'];

describe('the checklist of an account', () => {
  let stack: Stack;
  let operator: Dashboard;
  let account: { id: string; verified_at: string | null };

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    operator = await Dashboard.signIn(stack);
    ({ account } = await operator.get(
      'POST',
      '/accounts',
      newAccount({ ...number, access_token: accessToken }),
    ));
  });

  afterAll(() => stack?.stop());
  afterEach(() => stack.rules.clear());

  const path = (end: string) => `/accounts/${account.id}/${end}`;
  const checklist = () => operator.get('GET', path('checklist'));
  const statesOf = ({ items }: { items: { id: string; state: string }[] }) =>
    Object.fromEntries(items.map(({ id, state }) => [id, state]));
  const states = async () => statesOf(await checklist());
  const item = async (wanted: string) =>
    (await checklist()).items.find(({ id }: { id: string }) => id === wanted);
  const verifiedAt = async () =>
    (await operator.get('GET', `/accounts/${account.id}`)).account.verified_at;
  const listed = async () =>
    (await operator.get('GET', '/accounts')).accounts.find(({ id }: any) => id === account.id);
  const set = (fields: object) => stack.control('PUT', 'numbers', { ...number, ...fields });
  const token = (fields: object) =>
    stack.control('PUT', 'tokens', { access_token: accessToken, ...fields });
  const handshake = (verify_token: string) => stack.control('POST', 'handshake', { verify_token });
  const refusal = async (end: string, body?: unknown) => {
    const { status, body: answer } = await operator.call('POST', path(end), body);
    return { status, ...answer.error };
  };
  const written = () =>
    stack.sql('select action from audit_log where account_id = $1', [account.id]);

  describe('from a new account to everything done', () => {
    beforeAll(async () => {
      await set({ registered: false, pin, subscribed: false, has_payment_method: false });
    });

    it('begins with what is missing, in the order in which it is done', async () => {
      const answer = await checklist();
      expect(Object.entries(statesOf(answer))).toEqual([
        ['token', 'done'],
        ['number', 'missing'],
        ['callback', 'missing'],
        ['subscription', 'missing'],
        ['webhook', 'missing'],
        ['payment', 'missing'],
        ['graph_version', 'done'],
        ['test_message', 'missing'],
      ]);
      const address = /^http:.*\/api\/v1\/platform\/whatsapp\/webhooks\/[0-9a-f-]{36}$/;
      expect(answer).toMatchObject({
        callback_url: expect.stringMatching(address),
        verify_token: 'verify-token-of-the-tests',
      });
      expect(await verifiedAt()).toBeNull();
    });

    it('says until when the version of the Graph API lives', async () => {
      expect(await item('graph_version')).toMatchObject({
        state: 'done',
        detail: expect.stringMatching(
          /^Version v25\.0 of the Graph API is served until 2028-07-29\.$/,
        ),
      });
    });

    it('says what WhatsApp says of a wrong PIN, and registers with the right one', async () => {
      expect(await refusal('register', { pin: '000000' })).toMatchObject({
        status: 400,
        code: 'PLATFORM_REFUSED',
        message: expect.stringContaining('Wrong two-step PIN (133005). Enter the right PIN'),
        details: { whatsapp_error_code: 133_005 },
      });
      expect(await written()).toEqual([{ action: 'account.created' }]);
      expect(statesOf(await operator.get('POST', path('register'), { pin }))).toMatchObject({
        number: 'done',
        callback: 'missing',
      });
      expect(await written()).toContainEqual({ action: 'account.number_registered' });
    });

    it('keeps the PIN nowhere', async () => {
      const kept = await stack.sql(
        'select a::text as text from accounts a union all select l::text from audit_log l',
      );
      expect(JSON.stringify(kept)).not.toContain(pin);
    });

    it.each([['12345'], ['1234567'], ['12345a'], [123_456], [null], [undefined]])(
      'takes no PIN %j',
      async (given) => {
        const { status, code, details } = await refusal('register', { pin: given });
        expect([status, code, Object.keys(details.fields)]).toEqual([
          400,
          'VALIDATION_ERROR',
          ['pin'],
        ]);
      },
    );

    it('knows that Meta called the callback URL with the right verify token', async () => {
      expect(await handshake('wrong')).toEqual({ confirmed: false, status: 403 });
      const query = 'hub.mode=subscribe&hub.challenge=1&hub.verify_token=verify-token-of-the-tests';
      const trial = await stack.requestAt(`/api/v1/platform/whatsapp/webhooks?${query}`, {
        apiKey: null,
        headers: { 'User-Agent': 'parley-doctor' },
      });
      expect(trial.text).toBe('1');
      expect(await states()).toMatchObject({ callback: 'missing' });
      expect(await verifiedAt()).toBeNull();
      expect(await handshake('verify-token-of-the-tests')).toEqual({
        confirmed: true,
        status: 200,
      });
      expect(await item('callback')).toMatchObject({
        state: 'done',
        detail: expect.stringMatching(/got the right answer at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
      });
    });

    it('makes the account verified once token, number and callback hold, for good', async () => {
      const at = await verifiedAt();
      expect(at).toEqual(expect.any(String));
      await checklist();
      expect(await verifiedAt()).toBe(at);
    });

    it('subscribes the app, after which webhooks arrive', async () => {
      const write = () =>
        stack.control('POST', 'inbound', {
          from: '+14155550777',
          text: 'Hello',
          phone_number_id: number.phone_number_id,
        });
      await write();
      const answer = await operator.get('POST', path('subscribe'));
      expect(statesOf(answer)).toMatchObject({ subscription: 'done', webhook: 'missing' });
      expect(await written()).toContainEqual({ action: 'account.app_subscribed' });
      expect((await listed()).last_webhook_at).toBeNull();
      await write();
      await until(async () => (await states()).webhook === 'done');
      expect((await listed()).last_webhook_at).toEqual(expect.any(String));
      expect((await item('webhook')).detail).toMatch(/^The first arrived at .* UTC, the last at /);
    });

    it('sees the payment method and a message that WhatsApp accepted', async () => {
      await set({ has_payment_method: true });
      const { key } = await operator.newKey({ account_id: account.id, mode: 'live' });
      await stack.send('button', buttonMessage({ to: '+15550131026' }), {}, { apiKey: key });
      expect(await states()).toMatchObject({ payment: 'done', test_message: 'missing' });
      const sent = await stack.send('button', buttonMessage(), {}, { apiKey: key });
      expect(sent.status).toBe(200);
      expect(new Set(Object.values(await states()))).toEqual(new Set(['done']));
    });
  });

  describe('where WhatsApp refuses', () => {
    it('fails with a token that is not accepted, and says why for what it cannot ask', async () => {
      const change = (access_token: string) =>
        operator.get('PATCH', `/accounts/${account.id}`, { access_token });
      await change('expired-token');
      const answer = await checklist();
      expect(statesOf(answer)).toEqual({
        token: 'failed',
        number: 'unknown',
        callback: 'done',
        subscription: 'unknown',
        webhook: 'done',
        payment: 'unknown',
        graph_version: 'done',
        test_message: 'done',
      });
      expect(answer.items[0].detail).toMatch(/^WhatsApp answers 190: .* Give the account a new/);
      expect(await refusal('subscribe')).toMatchObject({
        status: 400,
        code: 'PLATFORM_REFUSED',
        details: { whatsapp_error_code: 190 },
      });
      await change(accessToken);
      expect(await states()).toMatchObject({ token: 'done', number: 'done' });
    });

    it('names the permission that the token lacks', async () => {
      await token({ scopes: ['whatsapp_business_messaging'] });
      const answer = await checklist();
      expect(answer.items[0]).toMatchObject({
        state: 'failed',
        detail: expect.stringContaining('lacks whatsapp_business_management.'),
      });
      expect(statesOf(answer)).toMatchObject({ subscription: 'unknown', payment: 'unknown' });
      const { status, details } = await refusal('subscribe');
      expect([status, details.whatsapp_error_code]).toEqual([400, 200]);
      await token({ scopes: both, expires_at: 4_102_444_800 });
      expect(await item('token')).toMatchObject({
        state: 'done',
        detail: expect.stringContaining('Expires at 2100-01-01 00:00 UTC.'),
      });
    });

    it('is unknown while WhatsApp cannot be reached', async () => {
      await stack.rules.add({ match: { type: 'management' }, fault: 'drop' });
      const answer = await checklist();
      expect(statesOf(answer)).toMatchObject({
        token: 'unknown',
        number: 'unknown',
        callback: 'done',
        subscription: 'unknown',
        payment: 'unknown',
      });
      expect(answer.items[1].detail).toMatch(/^WhatsApp cannot be asked: reset: /);
      for (const [end, body] of [['subscribe'], ['register', { pin }]] as const) {
        expect(await refusal(end, body)).toMatchObject({
          status: 503,
          code: 'SERVICE_UNAVAILABLE',
          details: { reason: 'platform_unavailable' },
        });
      }
    });

    it('answers 503 to what can succeed later', async () => {
      await stack.rules.add({ match: { type: 'management' }, fault: { code: 133_004 } });
      expect(await refusal('register', { pin })).toMatchObject({
        status: 503,
        details: { reason: 'platform_refused', whatsapp_error_code: 133_004 },
      });
    });

    it('fails for a business account that WhatsApp does not know', async () => {
      const body = {
        error: { code: 100, error_subcode: 33, message: 'No such object', fbtrace_id: 'A' },
      };
      await stack.rules.add({
        match: { type: 'management', phone_number_id: number.business_account_id },
        fault: { status_code: 400, body },
      });
      expect(await states()).toMatchObject({
        number: 'done',
        subscription: 'failed',
        payment: 'unknown',
      });
    });
  });

  it('is for operators alone', async () => {
    const administrator = await Dashboard.administratorOf(stack, operator, installation.accountId);
    for (const [method, end, body] of [
      ['GET', 'checklist'],
      ['POST', 'subscribe'],
      ['POST', 'register', { pin }],
    ] as const) {
      const own = `/accounts/${installation.accountId}/${end}`;
      const { status, text } = await administrator.call(method, own, body);
      expect([status, text.includes('verify-token')]).toEqual([403, false]);
    }
  });

  it('is not found for an account that is not there', async () => {
    for (const id of ['nothing', '01a1fe24-d4ba-71e8-a502-760746519a21']) {
      expect((await operator.call('GET', `/accounts/${id}/checklist`)).status).toBe(404);
    }
  });
});
