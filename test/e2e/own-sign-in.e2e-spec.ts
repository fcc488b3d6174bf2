import { Dashboard, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';

/** How operators change the way in which they sign in themselves, and which names and passwords there may be. */
describe('one’s own sign-in', () => {
  let stack: Stack;
  let operator: Dashboard;
  let own: { id: string; email: string };

  beforeAll(async () => {
    stack = await Stack.start();
    const first = await Dashboard.signIn(stack);
    const given = newUser({ role: 'operator', account_id: null });
    own = (await first.get('POST', '/users', given)).user;
    operator = await Dashboard.signIn(stack, own.email, password);
  });

  beforeEach(() => stack.sql('delete from attempt_counters'));

  afterAll(() => stack?.stop());

  const fieldsOf = ({ status, body }: { status: number; body: any }) => [
    status,
    Object.keys(body.error?.details?.fields ?? {}),
  ];

  it.each([
    ['password', 'PATCH', '', { password: 'quite another secret of mine' }],
    ['address', 'PATCH', '', { email: 'elsewhere@parley.test' }],
    ['link to a new password', 'POST', '/reset-link', {}],
  ])('gets another %s only with the password of now', async (_, method, path, change) => {
    const call = (body: object, id = own.id) => operator.call(method, `/users/${id}${path}`, body);
    expect(fieldsOf(await call(change))).toEqual([400, ['current_password']]);
    expect(fieldsOf(await call({ ...change, current_password: 'wrong' }))).toEqual([
      400,
      ['current_password'],
    ]);
    expect(fieldsOf(await call(change, own.id.toUpperCase()))).toEqual([400, ['current_password']]);
    expect((await operator.get('GET', '/session')).user.email).toBe(own.email);
    expect((await call({ ...change, current_password: password })).status).toBe(200);
    // As it was.
    const first = await Dashboard.signIn(stack);
    await first.get('PATCH', `/users/${own.id}`, { email: own.email, password });
    operator = await Dashboard.signIn(stack, own.email, password);
  });

  it('keeps its address and its other settings without the password', async () => {
    const change = { email: own.email, active: true, role: 'operator' };
    expect((await operator.call('PATCH', `/users/${own.id}`, change)).status).toBe(200);
  });

  it('takes 20 wrong passwords in a quarter of an hour, from all addresses together', async () => {
    await stack.sql(`insert into attempt_counters values ($1, 20, now() + interval '15 minutes')`, [
      `password:${own.id}`,
    ]);
    const { body } = await operator.call('POST', `/users/${own.id}/reset-link`, {
      current_password: password,
    });
    expect(body.error.code).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('has one address, whatever other alphabets look like', async () => {
    const likeIt = installation.adminEmail.replace('i', '\u0130');
    const { status, body } = await new Dashboard(stack).call('POST', '/session', {
      email: likeIt,
      password: installation.adminPassword,
    });
    expect([status, body.error.code]).toEqual([401, 'UNAUTHENTICATED']);
    for (const email of [likeIt, 'm\u0430ria@parley.test', 'maria@p\u00e4rley.test']) {
      const made = await operator.call('POST', '/users', newUser({ email }));
      expect(fieldsOf(made)).toEqual([400, ['email']]);
    }
  });

  it('works in capitals, with the same counter of failed attempts', async () => {
    const attempt = (email: string, secret: string) =>
      new Dashboard(stack).call('POST', '/session', { email, password: secret });
    for (const email of [own.email.toUpperCase(), own.email]) await attempt(email, 'wrong');
    expect((await attempt(own.email.toUpperCase(), password)).status).toBe(200);
    const counters = await stack.sql(
      `select hits from attempt_counters where key like 'sign-in:%@%'`,
    );
    expect(counters).toEqual([{ hits: 2 }]);
  });

  it.each(['            ', 'qwertyuiopas', 'Password1234!'])(
    'has no password like %j',
    async (weak) => {
      const made = await operator.call('POST', '/users', newUser({ password: weak }));
      expect(fieldsOf(made)).toEqual([400, ['password']]);
      const change = { current_password: password, new_password: weak };
      const changed = await operator.call('POST', '/session/password', change);
      expect(fieldsOf(changed)).toEqual([400, ['new_password']]);
    },
  );

  it('has no password made of the own address or account', async () => {
    const user = newUser({ email: 'maria.sommer@parley.test' });
    const made = await operator.call('POST', '/users', { ...user, password: 'Maria-Sommer1' });
    expect(fieldsOf(made)).toEqual([400, ['password']]);
    const [account] = await stack.sql('select name from accounts where id = $1', [
      installation.accountId,
    ]);
    const named = `${account.name} ${account.name} 2026`;
    const ofAccount = await operator.call('POST', '/users', {
      ...user,
      role: 'administrator',
      account_id: installation.accountId,
      password: named,
    });
    expect(fieldsOf(ofAccount)).toEqual([400, ['password']]);
    const change = { current_password: password, new_password: own.email };
    const changed = await operator.call('POST', '/session/password', change);
    expect(fieldsOf(changed)).toEqual([400, ['new_password']]);
  });
});
