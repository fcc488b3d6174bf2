import { comparable, Dashboard, newUser, password } from '../support/dashboard.js';
import { Stack } from '../support/stack.js';
import { codeOf } from '../support/totp.js';

/** A user with a second factor. */
interface Guarded {
  readonly email: string;
  readonly dashboard: Dashboard;
  readonly secret: string;
  readonly codes: readonly string[];
}

describe('a second factor', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start({ apis: 2 });
    operator = await Dashboard.signIn(stack);
  });

  beforeEach(() => stack.sql('delete from attempt_counters'));

  afterAll(() => stack?.stop());

  async function somebody() {
    const { user } = await operator.get('POST', '/users', newUser());
    const dashboard = await Dashboard.signIn(stack, user.email, password);
    return { id: user.id, email: user.email, dashboard };
  }

  /** Somebody whose second factor is on; the code of the present time step is used up. */
  async function guarded(): Promise<Guarded & { id: string }> {
    const one = await somebody();
    const { secret } = await one.dashboard.get('POST', '/me/totp', { current_password: password });
    const confirmation = { totp: codeOf(secret) };
    const { recovery_codes: codes } = await one.dashboard.get(
      'POST',
      '/me/totp/confirm',
      confirmation,
    );
    return { ...one, secret, codes };
  }

  const signIn = (email: string, factor: object = {}, given = password) =>
    new Dashboard(stack).call('POST', '/session', { email, password: given, ...factor });

  it('begins with a secret for the authenticator, and is off until a code confirms it', async () => {
    const { email, dashboard } = await somebody();
    const { secret, uri } = await dashboard.get('POST', '/me/totp', { current_password: password });
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`secret=${secret}`);
    expect((await signIn(email)).status).toBe(200);
    expect((await dashboard.get('GET', '/session')).user.has_second_factor).toBe(false);
    const { recovery_codes: codes } = await dashboard.get('POST', '/me/totp/confirm', {
      totp: codeOf(secret),
    });
    expect(new Set(codes).size).toBe(10);
    expect((await dashboard.get('GET', '/session')).user.has_second_factor).toBe(true);
    const { users } = await operator.get('GET', '/users');
    expect(users.find((one: any) => one.email === email).has_second_factor).toBe(true);
  });

  it('stays off after a wrong code', async () => {
    const { email, dashboard } = await somebody();
    const { secret } = await dashboard.get('POST', '/me/totp', { current_password: password });
    const early = await dashboard.call('POST', '/me/totp/confirm', { totp: codeOf(secret, -10) });
    expect([early.status, Object.keys(early.body.error.details.fields)]).toEqual([400, ['totp']]);
    expect((await signIn(email)).status).toBe(200);
  });

  it('is set up and removed with the password alone', async () => {
    const { dashboard } = await guarded();
    const other = await somebody();
    for (const [method, user] of [
      ['POST', other.dashboard],
      ['DELETE', dashboard],
    ] as const) {
      const { status, body } = await user.call(method, '/me/totp', { current_password: 'wrong' });
      expect([status, Object.keys(body.error.details.fields)]).toEqual([400, ['current_password']]);
    }
    expect((await dashboard.get('GET', '/session')).user.has_second_factor).toBe(true);
  });

  it('is not replaced while it is on, nor confirmed or removed where there is none', async () => {
    const on = await guarded();
    const off = await somebody();
    const answers = [
      await on.dashboard.call('POST', '/me/totp', { current_password: password }),
      await on.dashboard.call('POST', '/me/totp/confirm', { totp: codeOf(on.secret, 1) }),
      await off.dashboard.call('POST', '/me/totp/confirm', { totp: '123456' }),
      await off.dashboard.call('DELETE', '/me/totp', { current_password: password }),
    ];
    expect(answers.map(({ body }) => body.error.code)).toEqual(Array(4).fill('CONFLICT'));
  });

  it('is stored sealed, its recovery codes as digests', async () => {
    const { id, secret, codes } = await guarded();
    const [row] = await stack.sql('select totp_secret from users where id = $1', [id]);
    expect(row.totp_secret).toMatch(/^v1\./);
    expect(row.totp_secret).not.toContain(secret);
    const stored = await stack.sql(
      `select 1 from recovery_codes where user_id = $1
         and digest in (select sha256(replace(code, '-', '')::bytea) from unnest($2::text[]) code)`,
      [id, codes],
    );
    expect(stored).toHaveLength(10);
  });

  it('is asked for after the right password, and nothing tells of it after a wrong one', async () => {
    const { email } = await guarded();
    const asked = await signIn(email);
    expect([asked.status, asked.body.error.code]).toEqual([401, 'TOTP_REQUIRED']);
    expect(asked.headers.get('set-cookie')).toBeNull();
    const { email: other } = await somebody();
    const [with_, without] = [
      await signIn(email, { totp: '123456' }, 'wrong'),
      await signIn(other, {}, 'wrong'),
    ];
    expect(comparable(with_)).toBe(comparable(without));
  });

  it('lets in with a code, in any process, and with each code once', async () => {
    const { email, secret } = await guarded();
    const totp = codeOf(secret, 1);
    const body = { email, password, totp };
    const answers = await Promise.all(
      [0, 1].map((api) => new Dashboard(stack).call('POST', '/session', body, { api })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const again = await signIn(email, { totp });
    expect([again.status, again.body.error.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('takes no code from before the last one that was used', async () => {
    const { email, secret } = await guarded();
    expect((await signIn(email, { totp: codeOf(secret, 1) })).status).toBe(200);
    expect((await signIn(email, { totp: codeOf(secret) })).status).toBe(401);
  });

  it.each([-10, 10])('takes no code that is %d time steps off', async (steps) => {
    const { email, secret } = await guarded();
    expect((await signIn(email, { totp: codeOf(secret, steps) })).status).toBe(401);
  });

  it('lets in with a recovery code, each of them once, however it is typed', async () => {
    const { id, email, codes } = await guarded();
    const [one = '', other = ''] = codes;
    expect((await signIn(email, { recovery_code: one })).status).toBe(200);
    expect((await signIn(email, { recovery_code: one })).status).toBe(401);
    const typed = ` ${other.toUpperCase().replaceAll('-', ' ')}`;
    expect((await signIn(email, { recovery_code: typed })).status).toBe(200);
    const { entries } = await operator.get('GET', `/audit-log?subject_id=${id}`);
    expect(entries[0]).toMatchObject({
      action: 'session.started',
      details: { second_factor: 'recovery code', recovery_codes_left: 8 },
    });
  });

  it.each([{ totp: '12345' }, { totp: 123_456 }, { totp: '12345a' }, { recovery_code: '' }])(
    'is refused as %j',
    async (factor) => {
      const { email } = await somebody();
      expect((await signIn(email, factor)).body.error.code).toBe('VALIDATION_ERROR');
    },
  );

  it('has its wrong codes counted as attempts and written to the audit log', async () => {
    const { id, email, secret } = await guarded();
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) {
      statuses.push((await signIn(email, { totp: codeOf(secret, -10) })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const { entries } = await operator.get('GET', `/audit-log?subject_id=${id}`);
    expect(entries[0]).toMatchObject({
      action: 'session.refused',
      details: { second_factor: 'wrong code' },
    });
  });

  it('is not guessed from many addresses: after twenty wrong codes only recovery codes help', async () => {
    const { id, email, secret, codes } = await guarded();
    await stack.sql(
      `insert into attempt_counters (key, hits, expires_at)
       values ($1, 20, now() + interval '10 minutes')`,
      [`totp:${id}`],
    );
    const { status, body } = await signIn(email, { totp: codeOf(secret, 1) });
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(body.error.details.retry_after).toBeGreaterThan(0);
    expect((await signIn(email, { recovery_code: codes[0] })).status).toBe(200);
  });

  it('may be asked for any number of times: only guesses count', async () => {
    const { id, email, secret } = await guarded();
    for (let tries = 0; tries < 22; tries += 1) {
      expect((await signIn(email)).body.error.code).toBe('TOTP_REQUIRED');
    }
    for (let tries = 0; tries < 22; tries += 1) {
      await stack.sql('update users set totp_used_step = null where id = $1', [id]);
      expect((await signIn(email, { totp: codeOf(secret) })).status).toBe(200);
    }
  });

  it('ends with its removal, recovery codes and all', async () => {
    const { id, email, dashboard } = await guarded();
    await dashboard.get('DELETE', '/me/totp', { current_password: password });
    expect((await signIn(email)).status).toBe(200);
    expect(await stack.sql('select 1 from recovery_codes where user_id = $1', [id])).toEqual([]);
    expect(await stack.sql('select totp_secret from users where id = $1', [id])).toEqual([
      { totp_secret: null },
    ]);
  });

  it('that was lost is removed by an operator; their own takes the password', async () => {
    const { id, email, dashboard } = await guarded();
    const own = await dashboard.call('DELETE', `/users/${id}/totp`);
    expect([own.status, own.body.error.code]).toEqual([409, 'CONFLICT']);
    await operator.get('DELETE', `/users/${id}/totp`);
    expect((await signIn(email)).status).toBe(200);
    const again = await operator.call('DELETE', `/users/${id}/totp`);
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT']);
  });
});
