import {
  comparable,
  Dashboard,
  neighbour,
  newKey,
  newUser,
  password,
} from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { codeOf } from '../support/totp.js';

const unknownId = '01a1fe24-d4ba-71e8-a502-760746519a21';

describe('access to the dashboard', () => {
  let stack: Stack;
  let operator: Dashboard;
  let administrator: Dashboard;
  let viewer: Dashboard;
  /** What the other account has. */
  const foreign = { accountId: '', key: '', message: '', alert: '', contact: '', user: '' };

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    administrator = await Dashboard.administratorOf(stack, operator, installation.accountId);
    viewer = await Dashboard.viewerOf(stack, operator, installation.accountId);
    const { accountId, administrator: neighbours } = await neighbour(stack, operator);
    const { user } = await neighbours.get('GET', '/session');
    const created = await operator.newKey({ account_id: accountId });
    const sent = await stack.send('button', buttonMessage(), {}, { apiKey: created.key });
    const [alert] = await stack.sql(
      `insert into alerts (id, account_id, kind, subject, message)
       values (gen_random_uuid(), $1, 'number_paused', 'number', 'paused') returning id`,
      [accountId],
    );
    const [contact] = await stack.sql(
      `insert into contacts (id, account_id, mode, phone)
       values (new_id(), $1, 'live', '+14155550199') returning id`,
      [accountId],
    );
    Object.assign(foreign, {
      accountId,
      key: created.api_key.id,
      message: sent.body.data.message_id,
      alert: alert.id,
      contact: contact.id,
      user: user.id,
    });
  });

  afterAll(() => stack?.stop());

  it('lets viewers change how they sign in', async () => {
    const other = await Dashboard.viewerOf(stack, operator, installation.accountId);
    const { user } = await other.get('GET', '/session');
    const change = { current_password: password, new_password: `${password}!` };
    await other.get('POST', '/session/password', change);
    const next = await Dashboard.signIn(stack, user.email, change.new_password);
    const { secret } = await next.get('POST', '/me/totp', {
      current_password: change.new_password,
    });
    await next.get('POST', '/me/totp/confirm', { totp: codeOf(secret) });
    expect(await next.get('DELETE', `/users/${user.id}/sessions`)).toEqual({ sessions_ended: 1 });
  });

  it.each([
    ['/api-keys', 'API key'],
    ['/templates', 'template'],
    ['/webhook-deliveries', 'delivery'],
    ['/notifications', 'notification'],
    ['/contacts', 'contact'],
    ['/accounts', 'account'],
  ])('says what it is that is not there: GET %s/:id', async (path, what) => {
    for (const id of [unknownId, 'no-uuid']) {
      const { body } = await operator.call('GET', `${path}/${id}`);
      expect(body.error).toMatchObject({
        code: 'NOT_FOUND',
        message: `There is no such ${what}.`,
      });
    }
  });

  it.each([
    '/overview',
    '/outcomes',
    '/api-keys',
    '/contacts',
    '/messages',
    '/alerts',
    '/audit-log',
  ])('shows administrators and viewers their own account only: GET %s', async (path) => {
    for (const user of [administrator, viewer]) {
      const own = await user.call('GET', path);
      expect(own.status).toBe(200);
      for (const id of Object.values(foreign)) expect(own.text).not.toContain(id);
    }
    const asked = `${path}?account_id=`;
    const [unknown, other] = [
      await administrator.call('GET', asked + unknownId),
      await administrator.call('GET', asked + foreign.accountId),
    ];
    expect(unknown.status).toBe(404);
    expect(comparable(other)).toBe(comparable(unknown));
    const same = await administrator.call('GET', asked + installation.accountId);
    expect(same.status).toBe(200);
  });

  it.each(['/api-keys', '/contacts', '/messages', '/alerts', '/audit-log'])(
    'shows operators all accounts, or the one they ask for: GET %s',
    async (path) => {
      const state = path === '/alerts' ? 'state=all' : '';
      const all = await operator.call('GET', `${path}?${state}`);
      expect(all.text).toContain(foreign.accountId);
      const one = await operator.call(
        'GET',
        `${path}?${state}&account_id=${installation.accountId}`,
      );
      expect(one.text).not.toContain(foreign.accountId);
    },
  );

  it('makes an operator say which of several accounts a key is for', async () => {
    const { status, body } = await operator.call('POST', '/api-keys', newKey());
    expect({ status, fields: body.error.details.fields }).toEqual({
      status: 400,
      fields: { account_id: 'is required: there are several accounts' },
    });
    const own = await administrator.get('POST', '/api-keys', newKey());
    expect(own.api_key.account_id).toBe(installation.accountId);
  });

  it('does not let an administrator lift an operator’s suspension', async () => {
    const { api_key } = await administrator.newKey();
    await operator.get('POST', `/api-keys/${api_key.id}/suspend`, { reason: 'abuse' });
    await administrator.call('PATCH', `/api-keys/${api_key.id}`, { active: true });
    const { api_key: after } = await administrator.get('GET', `/api-keys/${api_key.id}`);
    expect(after).toMatchObject({ state: 'suspended', suspended_reason: 'abuse' });
  });

  it('applies a new role from the next request on', async () => {
    const given = newUser();
    const { user } = await operator.get('POST', '/users', given);
    const other = await Dashboard.signIn(stack, String(given.email), String(given.password));
    expect((await other.call('GET', '/users')).status).toBe(200);
    const change = { role: 'administrator', account_id: installation.accountId };
    await operator.get('PATCH', `/users/${user.id}`, change);
    expect((await other.call('GET', '/users')).status).toBe(403);
    expect((await other.call('GET', `/api-keys/${foreign.key}`)).status).toBe(404);
    await operator.get('PATCH', `/users/${user.id}`, { role: 'viewer' });
    expect((await other.call('GET', '/api-keys')).status).toBe(200);
    expect((await other.call('POST', '/api-keys', newKey())).status).toBe(403);
  });
});
