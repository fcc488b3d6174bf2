import { createHash } from 'node:crypto';
import { version } from '../../src/config/version.js';
import { comparable, Dashboard, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';

describe('a session of the dashboard', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start({ apis: 2 });
    operator = await Dashboard.signIn(stack);
  });

  afterAll(() => stack?.stop());

  async function somebody(change: Record<string, unknown> = {}): Promise<string> {
    return (await operator.get('POST', '/users', newUser(change))).user.email;
  }

  it('begins with the right password and reports who is signed in, and where', async () => {
    const answer = await new Dashboard(stack).call('POST', '/session', {
      email: installation.adminEmail.toUpperCase(),
      password: installation.adminPassword,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      user: {
        id: expect.any(String),
        email: installation.adminEmail,
        role: 'operator',
        account_id: null,
        has_second_factor: false,
      },
      account: null,
      public_url: stack.apis[0]?.url,
      simulator: true,
      whatsapp_simulated: true,
      second_factor_required: false,
      version,
    });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^parley_session_[0-9a-f]{8}=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await operator.call('GET', '/session')).body.data).toEqual(answer.body.data);
  });

  it('reports to an administrator which account it is about', async () => {
    const administrator = await Dashboard.administratorOf(stack, operator, installation.accountId);
    const { user, account } = await administrator.get('GET', '/session');
    expect(user).toMatchObject({ role: 'administrator', account_id: installation.accountId });
    expect(account).toEqual({
      id: installation.accountId,
      name: expect.any(String),
      display_phone_number: expect.any(String),
      active: true,
      hold_kind: null,
      limits: { keys: 100, endpoints: 100, rate_limit_per_minute: null, daily_limit: null },
    });
  });

  it('holds in every process', async () => {
    expect((await operator.call('GET', '/session', undefined, { api: 1 })).status).toBe(200);
  });

  it('is stored as a digest of its id', async () => {
    const id = operator.cookie?.split('=')[1] ?? '';
    const digest = createHash('sha256').update(id).digest();
    expect(await stack.sql('select 1 from sessions where digest = $1', [digest])).toHaveLength(1);
  });

  it('answers a wrong password, an unknown user and an inactive user alike', async () => {
    const [known, off] = [await somebody(), await somebody({ active: false })];
    const nobody = new Dashboard(stack);
    const answers = await Promise.all([
      nobody.call('POST', '/session', { email: known, password: 'not the password' }),
      nobody.call('POST', '/session', { email: 'nobody@parley.test', password }),
      nobody.call('POST', '/session', { email: off, password }),
    ]);
    expect(new Set(answers.map(comparable)).size).toBe(1);
    expect(answers[0]?.body.error.code).toBe('UNAUTHENTICATED');
    expect(answers[0]?.headers.get('set-cookie')).toBeNull();
  });

  it('gets a new id at each sign-in, and the one before ends', async () => {
    const email = await somebody();
    const user = await Dashboard.signIn(stack, email, password);
    const before = user.cookie;
    await user.get('POST', '/session', { email, password });
    expect(user.cookie).not.toBe(before);
    expect((await new Dashboard(stack, before).call('GET', '/session')).status).toBe(401);
  });

  it('ends with signing out', async () => {
    const user = await Dashboard.signIn(stack, await somebody(), password);
    const before = user.cookie;
    expect((await user.call('DELETE', '/session')).status).toBe(200);
    expect(user.cookie).toBeNull();
    expect((await new Dashboard(stack, before).call('GET', '/session')).status).toBe(401);
  });

  it('ends everywhere with signing out everywhere', async () => {
    const email = await somebody();
    const [one, other] = [
      await Dashboard.signIn(stack, email, password),
      await Dashboard.signIn(stack, email, password),
    ];
    expect(await one.get('DELETE', '/sessions')).toEqual({ sessions_ended: 2 });
    expect((await other.call('GET', '/session')).status).toBe(401);
  });

  it('gets a new id after a password change, and all other sessions end', async () => {
    const email = await somebody();
    const [one, other] = [
      await Dashboard.signIn(stack, email, password),
      await Dashboard.signIn(stack, email, password),
    ];
    const before = one.cookie;
    const change = { current_password: password, new_password: 'another password of mine' };
    await one.get('POST', '/session/password', change);
    expect(one.cookie).not.toBe(before);
    expect((await one.call('GET', '/session')).status).toBe(200);
    expect((await other.call('GET', '/session')).status).toBe(401);
    await expect(Dashboard.signIn(stack, email, password)).rejects.toThrow('UNAUTHENTICATED');
    await Dashboard.signIn(stack, email, change.new_password);
  });

  it.each([
    [{ current_password: 'not mine', new_password: password }, 'current_password'],
    [
      { current_password: installation.adminPassword, new_password: 'x'.repeat(11) },
      'new_password',
    ],
    [
      { current_password: installation.adminPassword, new_password: 'x'.repeat(129) },
      'new_password',
    ],
    [
      { current_password: installation.adminPassword, new_password: 'QWErty123456' },
      'new_password',
    ],
    [{ new_password: password }, 'current_password'],
  ])('keeps its password when the change is %j', async (change, field) => {
    const { status, body } = await operator.call('POST', '/session/password', change);
    expect({ status, fields: Object.keys(body.error.details.fields) }).toEqual({
      status: 400,
      fields: [field],
    });
  });

  it.each([
    ['half an hour without a request', `last_seen_at = now() - interval '31 minutes'`],
    ['twelve hours', `expires_at = now() - interval '1 second'`],
  ])('ends after %s', async (_, change) => {
    const user = await Dashboard.signIn(stack, await somebody(), password);
    const { user: me } = await user.get('GET', '/session');
    await stack.sql(`update sessions set ${change} where user_id = $1`, [me.id]);
    expect((await user.call('GET', '/session')).body.error.code).toBe('UNAUTHENTICATED');
  });

  it('is extended by requests, written at most once a minute', async () => {
    const user = await Dashboard.signIn(stack, await somebody(), password);
    const { user: me } = await user.get('GET', '/session');
    const seen = async () =>
      (await stack.sql('select last_seen_at from sessions where user_id = $1', [me.id]))[0];
    await stack.sql(
      `update sessions set last_seen_at = now() - interval '50 seconds' where user_id = $1`,
      [me.id],
    );
    const before = await seen();
    await user.get('GET', '/session');
    expect(await seen()).toEqual(before);
    await stack.sql(
      `update sessions set last_seen_at = now() - interval '29 minutes' where user_id = $1`,
      [me.id],
    );
    await user.get('GET', '/session');
    expect((await seen()).last_seen_at.getTime()).toBeGreaterThan(Date.now() - 10_000);
  });

  it.each([
    ['switched off', 'PATCH', { active: false }],
    ['deleted', 'DELETE', undefined],
    ['given another password', 'PATCH', { password: 'another password of theirs' }],
  ] as const)('ends at once when its user is %s', async (_, method, body) => {
    const user = await Dashboard.signIn(stack, await somebody(), password);
    const { user: me } = await user.get('GET', '/session');
    await operator.get(method, `/users/${me.id}`, body);
    expect((await user.call('GET', '/session')).status).toBe(401);
  });

  it.each([
    ['its own origin', () => stack.apis[0]?.url ?? '', 200],
    ['another origin', () => 'https://evil.example', 403],
    ['an opaque origin', () => 'null', 403],
    ['another port', () => stack.apis[1]?.url ?? '', 403],
    ['another scheme', () => stack.apis[0]?.url.replace('http:', 'https:') ?? '', 403],
  ])('checks where unsafe methods come from: %s', async (_, origin, status) => {
    const headers = { Origin: origin() };
    const answer = await operator.call('POST', '/api-keys', {}, { headers });
    expect(answer.status).toBe(status === 200 ? 400 : status);
    if (status === 403) expect(answer.body.error.code).toBe('FORBIDDEN');
    expect((await operator.call('GET', '/session', undefined, { headers })).status).toBe(200);
  });

  it.each(['a\0b', '\ud800', 'x'.repeat(5_000), null, {}, ['a']])(
    'is refused with the email address %j',
    async (email) => {
      // All users without a name count as one.
      await stack.sql('delete from attempt_counters');
      const answer = await new Dashboard(stack).call('POST', '/session', { email, password });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('cannot start from another origin', async () => {
    const answer = await new Dashboard(stack).call(
      'POST',
      '/session',
      { email: installation.adminEmail, password: installation.adminPassword },
      { headers: { Origin: 'https://evil.example' } },
    );
    expect(answer.body.error.code).toBe('FORBIDDEN');
  });

  it('cannot be locked by pages of other origins', async () => {
    await stack.sql('delete from attempt_counters');
    const email = await somebody();
    const visitor = await Dashboard.signIn(stack, email, password);
    const headers = { Origin: 'https://evil.example' };
    const passwords = { email, current_password: 'wrong', new_password: `${password}!` };
    for (let tries = 0; tries < 21; tries += 1) {
      const answers = [
        await visitor.call('POST', '/session', { email, password: 'wrong' }, { headers }),
        await visitor.call('POST', '/session/password', passwords, { headers }),
      ];
      expect(answers.map(({ body }) => body.error.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    }
    expect(await stack.sql('select key from attempt_counters where hits > 0')).toEqual([]);
    await Dashboard.signIn(stack, email, password);
  });

  it('does not count changes of a password without a session as attempts', async () => {
    await stack.sql('delete from attempt_counters');
    const passwords = { current_password: password, new_password: `${password}!` };
    for (let tries = 0; tries < 6; tries += 1) {
      const { status } = await new Dashboard(stack).call('POST', '/session/password', passwords);
      expect(status).toBe(401);
    }
  });

  it('is refused after five guesses in a minute, with the time to wait', async () => {
    const email = await somebody();
    const guess = () => new Dashboard(stack).call('POST', '/session', { email, password: 'wrong' });
    // In the first second of a window, so that it does not end in between.
    await stack.sql('delete from attempt_counters');
    const answers = [];
    for (let tries = 0; tries < 6; tries += 1) answers.push(await guess());
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    const last = answers.at(-1);
    expect(last?.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(last?.body.error.details.retry_after).toBeGreaterThan(0);
    expect(last?.headers.get('retry-after')).toBe(String(last?.body.error.details.retry_after));
    const right = await new Dashboard(stack).call('POST', '/session', { email, password });
    expect(right.status).toBe(429);
    await Dashboard.signIn(stack, await somebody(), password);
  });

  it('is refused to an address after twenty guesses in a minute, for any user', async () => {
    await stack.sql('delete from attempt_counters');
    const statuses = [];
    for (let tries = 0; tries < 21; tries += 1) {
      const email = `guess-${tries}@parley.test`;
      const answer = await new Dashboard(stack).call('POST', '/session', { email, password });
      statuses.push(answer.status);
    }
    expect(statuses.lastIndexOf(401)).toBe(19);
    expect(statuses.at(-1)).toBe(429);
    await stack.sql('delete from attempt_counters');
  });

  it('may start any number of times with the right password', async () => {
    const email = await somebody();
    for (let tries = 0; tries < 25; tries += 1) await Dashboard.signIn(stack, email, password);
  });
});
