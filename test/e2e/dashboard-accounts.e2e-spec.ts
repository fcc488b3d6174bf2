import { Dashboard, newAccount, newKey, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const unknownId = '01a1fe24-d4ba-71e8-a502-760746519a21';

describe('accounts and users', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
  });

  afterAll(() => stack?.stop());

  const fieldsOf = async (method: string, path: string, body: unknown) => {
    const answer = await operator.call(method, path, body);
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    return answer.body.error.details.fields;
  };

  describe('an account', () => {
    it('is shown without its secrets, which are stored sealed', async () => {
      const given = newAccount();
      const created = await operator.call('POST', '/accounts', given);
      const { access_token, app_secret, ...shown } = given;
      expect(created.body.data.account).toEqual({
        ...shown,
        id: expect.any(String),
        active: true,
        hold_kind: null,
        hold_code: null,
        hold_reason: null,
        hold_until: null,
        verified_at: null,
        quality_event: null,
        quality_at: null,
        messaging_limit: null,
        last_webhook_at: null,
        health: null,
        messages_per_second: 80,
        keywords: {
          out: expect.arrayContaining(['stop', 'cancel', 'sair', 'iptal']),
          in: ['start', 'unstop'],
        },
        keyword_scope: 'marketing',
        limits: {
          keys: 100,
          endpoints: 100,
          rate_limit_per_minute: null,
          daily_limit: null,
        },
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      const { id } = created.body.data.account;
      const stored = JSON.stringify([
        await stack.sql('select * from accounts where id = $1', [id]),
        await stack.sql('select * from audit_log where subject_id = $1', [id]),
      ]);
      for (const place of [created.text, (await operator.call('GET', '/accounts')).text, stored]) {
        expect(place).not.toContain(access_token);
        expect(place).not.toContain(app_secret);
      }
      expect((await operator.get('GET', `/accounts/${id}`)).account).toEqual(
        created.body.data.account,
      );
    });

    it('sends from its own number, with its own token, in every process', async () => {
      const { account } = await operator.get('POST', '/accounts', newAccount());
      const { key } = await operator.newKey({ account_id: account.id });
      const send = async () => {
        const { body } = await stack.send('button', buttonMessage(), {}, { apiKey: key });
        const [entry] = await until(async () => {
          const tries = await stack.tries(body.data.message_id);
          return tries.length > 0 && tries;
        });
        return entry?.phone_number_id;
      };
      expect(await send()).toBe('300000000000003');
      const change = { phone_number_id: '300000000000033' };
      await operator.get('PATCH', `/accounts/${account.id}`, change);
      expect(await send()).toBe('300000000000033');
      const { numbers } = await stack.control('GET', 'numbers');
      expect(numbers).toContainEqual(
        expect.objectContaining({
          phone_number_id: '300000000000033',
          business_account_id: '400000000000004',
          display_phone_number: '15550783000',
          registered: true,
          subscribed: true,
          has_payment_method: true,
        }),
      );
    });

    it.each([
      ['name', undefined],
      ['name', 'x'.repeat(101)],
      ['phone_number_id', 300],
      ['phone_number_id', '+15550783000'],
      ['business_account_id', ''],
      ['display_phone_number', 'our number'],
      ['display_phone_number', '123'],
      ['access_token', ''],
      ['access_token', 'two words'],
      ['access_token', 'x'.repeat(4_097)],
      ['app_secret', null],
      ['active', 'yes'],
      ['version', 7],
    ])('is not made with %s %j', async (field, value) => {
      const fields = await fieldsOf('POST', '/accounts', newAccount({ [field]: value }));
      expect(Object.keys(fields)).toEqual([field]);
    });

    it('needs a unique name', async () => {
      const given = newAccount();
      await operator.get('POST', '/accounts', given);
      const again = await operator.call('POST', '/accounts', given);
      expect(again.body.error.code).toBe('NAME_TAKEN');
      const other = await operator.get('POST', '/accounts', newAccount());
      const path = `/accounts/${other.account.id}`;
      const rename = await operator.call('PATCH', path, { name: given.name });
      expect({ status: rename.status, code: rename.body.error.code }).toEqual({
        status: 409,
        code: 'NAME_TAKEN',
      });
    });

    it('is checked by asking WhatsApp for its number', async () => {
      const path = `/accounts/${installation.accountId}/check`;
      expect(await operator.get('POST', path)).toMatchObject({
        ok: true,
        health: { status: 'CONNECTED', quality_rating: 'GREEN', can_send_message: 'AVAILABLE' },
        error: null,
      });
    });

    it('shows why its number is paused, and sends again once it is resumed', async () => {
      const { account } = await operator.get('POST', '/accounts', newAccount());
      const { key } = await operator.newKey({ account_id: account.id });
      const send = (to: string) => stack.send('button', buttonMessage({ to }), {}, { apiKey: key });
      await send('+15550131031');
      const path = `/accounts/${account.id}`;
      expect((await operator.get('GET', path)).account).toMatchObject({
        hold_kind: 'paused',
        hold_code: 131_031,
        hold_reason: expect.any(String),
        hold_until: expect.any(String),
      });
      const paused = await send('+14155550123');
      expect(paused.body.error.details.reason).toBe('number_paused');
      const { alerts } = await operator.get('GET', `/alerts?account_id=${account.id}`);
      expect(alerts).toMatchObject([{ kind: 'number_paused', resolved_at: null }]);

      const resumed = await operator.get('POST', `${path}/resume`);
      expect(resumed.account).toMatchObject({ hold_kind: null, hold_code: null });
      expect((await send('+14155550123')).status).toBe(200);
      expect((await operator.get('GET', `/alerts?account_id=${account.id}`)).alerts).toEqual([]);
    });
  });

  describe('a user', () => {
    it.each([
      ['email', 'nobody'],
      ['email', `${'x'.repeat(251)}@b.c`],
      ['email', undefined],
      ['password', 'x'.repeat(11)],
      ['password', '😀'.repeat(129)],
      ['password', ''],
      ['role', 'owner'],
      ['role', undefined],
      ['account_id', 'mine'],
      ['active', 1],
      ['id', unknownId],
    ])('is not made with %s %j', async (field, value) => {
      const fields = await fieldsOf('POST', '/users', newUser({ [field]: value }));
      expect(Object.keys(fields)).toEqual([field]);
    });

    it.each([
      [{ role: 'administrator' }, 'is required'],
      [{ role: 'viewer' }, 'is required'],
      [{ role: 'administrator', account_id: unknownId }, 'is not the id of an account'],
      [{ account_id: installation.accountId }, 'belongs to administrators and viewers only'],
    ])('is not made with %j', async (change, rule) => {
      expect(await fieldsOf('POST', '/users', newUser(change))).toEqual({ account_id: rule });
    });

    it('needs a unique email address, whatever its case', async () => {
      const given = newUser();
      await operator.get('POST', '/users', given);
      const again = newUser({ email: String(given.email).toUpperCase() });
      const { status, body } = await operator.call('POST', '/users', again);
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'NAME_TAKEN' });
    });

    it('never shows a password', async () => {
      const given = newUser();
      const created = await operator.call('POST', '/users', given);
      const { text } = await operator.call('GET', '/users');
      for (const place of [created.text, text]) {
        expect(place).not.toContain(password);
        expect(place).not.toContain('$argon2');
      }
      expect(text).toContain(given.email);
    });

    it('moves between roles with the account that they need', async () => {
      const { user } = await operator.get('POST', '/users', newUser());
      const path = `/users/${user.id}`;
      expect(await fieldsOf('PATCH', path, { role: 'administrator' })).toEqual({
        account_id: 'is required',
      });
      const change = { role: 'administrator', account_id: installation.accountId };
      expect((await operator.get('PATCH', path, change)).user).toMatchObject(change);
      expect((await operator.get('PATCH', path, { role: 'viewer' })).user).toMatchObject({
        role: 'viewer',
        account_id: installation.accountId,
      });
      expect((await operator.get('PATCH', path, { role: 'operator' })).user).toMatchObject({
        role: 'operator',
        account_id: null,
      });
    });

    it.each([
      ['PATCH', { active: false }],
      ['PATCH', { role: 'administrator', account_id: installation.accountId }],
      ['DELETE', undefined],
    ] as const)('stays when no other operator can sign in: %s %j', async (method, body) => {
      const { user: me } = await operator.get('GET', '/session');
      const { users } = await operator.get('GET', '/users');
      for (const { id, role } of users) {
        if (role === 'operator' && id !== me.id) await operator.get('DELETE', `/users/${id}`);
      }
      await operator.get('POST', '/users', newUser({ active: false }));
      await operator.get('POST', '/users', newUser({ password: undefined }));
      const answer = await operator.call(method, `/users/${me.id}`, body);
      expect({ status: answer.status, code: answer.body.error.code }).toEqual({
        status: 409,
        code: 'CONFLICT',
      });
      expect((await operator.get('GET', '/session')).user).toEqual(me);
    });

    it('leaves one operator when two remove each other at once', async () => {
      const { user: me } = await operator.get('GET', '/session');
      const given = newUser();
      const { user } = await operator.get('POST', '/users', given);
      const other = await Dashboard.signIn(stack, String(given.email), password);
      const answers = await Promise.all([
        operator.call('PATCH', `/users/${user.id}`, { active: false }),
        other.call('PATCH', `/users/${me.id}`, { active: false }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      await stack.sql('update users set active = true where id = $1', [me.id]);
      operator = await Dashboard.signIn(stack);
    });
  });

  describe('the audit log', () => {
    it('lists what was done to one thing, even after it is deleted: who, what and from where', async () => {
      const { user: me } = await operator.get('GET', '/session');
      const { api_key } = await operator.newKey({ account_id: installation.accountId });
      const path = `/api-keys/${api_key.id}`;
      await operator.get('PATCH', path, { rate_limit_per_minute: 5 });
      await operator.get('DELETE', path);
      const { entries } = await operator.get('GET', `/audit-log?subject_id=${api_key.id}`);
      expect(entries.map(({ action }: any) => action)).toEqual([
        'api_key.deleted',
        'api_key.updated',
        'api_key.created',
      ]);
      expect(entries.at(-2)).toEqual({
        id: expect.any(String),
        at: expect.any(String),
        account_id: installation.accountId,
        user_id: me.id,
        actor: me.email,
        address: '127.0.0.1',
        action: 'api_key.updated',
        subject_type: 'api_key',
        subject_id: api_key.id,
        subject_name: api_key.name,
        endpoint: null,
        details: { rate_limit_per_minute: { from: 60, to: 5 } },
      });
      expect(entries.at(-1).details.shown).toEqual(['key', 'signing_secret', 'webhook_secret']);
    });

    it('has no entry for a refused change', async () => {
      const total = async () => (await stack.sql('select count(*)::int from audit_log'))[0].count;
      const before = await total();
      await operator.call('POST', '/api-keys', newKey({ permissions: [] }));
      await operator.call('PATCH', `/api-keys/${unknownId}`, { name: 'x' });
      await operator.call('POST', '/users', newUser({ email: installation.adminEmail }));
      expect(await total()).toBe(before);
    });

    it('lists who signed in and who tried to', async () => {
      const { email } = newUser();
      await operator.call('POST', '/session', { email, password });
      const { entries } = await operator.get('GET', '/audit-log?action=session.refused&limit=1');
      expect(entries).toMatchObject([{ actor: email, user_id: null, address: '127.0.0.1' }]);
      const started = await operator.get('GET', '/audit-log?action=session.started&limit=1');
      expect(started.entries).toMatchObject([{ actor: installation.adminEmail }]);
    });

    it('is read page by page', async () => {
      const all = await operator.get('GET', '/audit-log?limit=100');
      const first = await operator.get('GET', '/audit-log?limit=3');
      const second = await operator.get('GET', `/audit-log?limit=3&cursor=${first.next_cursor}`);
      const pages = [...first.entries, ...second.entries];
      expect(pages).toEqual(all.entries.slice(0, 6));
    });
  });
});
