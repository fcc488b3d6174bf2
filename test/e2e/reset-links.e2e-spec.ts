import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { hourMs } from '#libs/durations';
import { Dashboard, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';
import { Stack } from '../support/stack.js';
import { codeOf } from '../support/totp.js';

const newPassword = 'a new password behind a link';

describe('a link to a new password', () => {
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
    return { id: user.id as string, email: user.email as string };
  }

  async function linkFor(id: string): Promise<string> {
    const { url } = await operator.get('POST', `/users/${id}/reset-link`);
    return String(url).split('#token=')[1] ?? '';
  }

  const reset = (token: string, given = newPassword, api = 0) =>
    new Dashboard(stack).call('POST', '/password-reset', { token, new_password: given }, { api });

  /** What a link is answered that is not good any more. */
  async function expectUseless(token: string) {
    const { status, body } = await reset(token);
    expect([status, Object.keys(body.error.details.fields)]).toEqual([400, ['token']]);
  }

  it('leads to the dashboard, holds for a day and is stored as a digest', async () => {
    const { id } = await somebody();
    const { url, expires_at: end } = await operator.get('POST', `/users/${id}/reset-link`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/reset#token=[\w-]{43}$/);
    const [link] = await stack.sql(
      `select expires_at, expires_at - now() between interval '23 hours 55 minutes' and interval '24 hours'
         as is_a_day
       from reset_links where user_id = $1 and digest = sha256($2::text::bytea)`,
      [id, url.split('#token=')[1]],
    );
    expect(link).toEqual({ expires_at: new Date(end), is_a_day: true });
  });

  it('sets a password once, ends all sessions, and says so in the audit log', async () => {
    const { id, email } = await somebody();
    const before = await Dashboard.signIn(stack, email, password);
    const token = await linkFor(id);
    const answers = await Promise.all([reset(token), reset(token, `${newPassword}!`, 1)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await before.call('GET', '/session')).status).toBe(401);
    await expect(Dashboard.signIn(stack, email, password)).rejects.toThrow('UNAUTHENTICATED');
    expect(answers.find(({ status }) => status === 200)?.body.data).toEqual({ email });
    const [won] = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    await Dashboard.signIn(stack, email, won === 0 ? newPassword : `${newPassword}!`);
    const { entries } = await operator.get('GET', `/audit-log?subject_id=${id}`);
    const said = entries.map(({ action, actor }: any) => [action, actor === email]);
    expect(said).toContainEqual(['user.reset_link_made', false]);
    expect(said).toContainEqual(['user.password_reset', true]);
    await expectUseless(token);
  });

  it('keeps the second factor on', async () => {
    const { id, email } = await somebody();
    const user = await Dashboard.signIn(stack, email, password);
    const { secret } = await user.get('POST', '/me/totp', { current_password: password });
    await user.get('POST', '/me/totp/confirm', { totp: codeOf(secret) });
    expect((await reset(await linkFor(id))).status).toBe(200);
    const credentials = { email, password: newPassword };
    const asked = await new Dashboard(stack).call('POST', '/session', credentials);
    expect(asked.body.error.code).toBe('TOTP_REQUIRED');
    const totp = codeOf(secret, 1);
    const answer = await new Dashboard(stack).call('POST', '/session', { ...credentials, totp });
    expect(answer.status).toBe(200);
  });

  it('takes a password of the usual rules, and is not used up by another one', async () => {
    const { id } = await somebody();
    const token = await linkFor(id);
    const { status, body } = await reset(token, 'short');
    expect([status, Object.keys(body.error.details.fields)]).toEqual([400, ['new_password']]);
    expect((await reset(token)).status).toBe(200);
  });

  const change = { current_password: password, new_password: `${password}!` };

  it.each([
    ['a newer link', ({ id }: { id: string }) => linkFor(id)],
    [
      'a day',
      ({ id }: { id: string }) =>
        stack.sql('update reset_links set expires_at = now() where user_id = $1', [id]),
    ],
    [
      "the user's own new password",
      async ({ email }: { email: string }) =>
        (await Dashboard.signIn(stack, email, password)).get('POST', '/session/password', change),
    ],
    [
      "an operator's new password",
      ({ id }: { id: string }) =>
        operator.get('PATCH', `/users/${id}`, { password: `${password}!` }),
    ],
    [
      'the user being switched off, also for later',
      async ({ id }: { id: string }) => {
        await operator.get('PATCH', `/users/${id}`, { active: false });
        await operator.get('PATCH', `/users/${id}`, { active: true });
      },
    ],
  ])('ends with %s', async (_, end) => {
    const user = await somebody();
    const token = await linkFor(user.id);
    await end(user);
    await expectUseless(token);
  });

  it('is not made for a user who is switched off', async () => {
    const { id } = await somebody();
    await operator.get('PATCH', `/users/${id}`, { active: false });
    const { status, body } = await operator.call('POST', `/users/${id}/reset-link`);
    expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
  });

  it('is not guessed: five tries a minute from one address, and right ones do not count', async () => {
    const { id } = await somebody();
    for (let times = 0; times < 6; times += 1) {
      expect((await reset(await linkFor(id))).status).toBe(200);
    }
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await reset('a-guess')).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('is not used from a page of another origin', async () => {
    const { id } = await somebody();
    const body = { token: await linkFor(id), new_password: newPassword };
    const headers = { Origin: 'https://evil.example' };
    const answer = await new Dashboard(stack).call('POST', '/password-reset', body, { headers });
    expect(answer.body.error.code).toBe('FORBIDDEN');
  });

  describe('of an invitation', () => {
    const invite = () =>
      operator.get(
        'POST',
        '/users',
        newUser({ role: 'viewer', account_id: installation.accountId, password: null }),
      );

    it('comes once, where no password is given, and holds for a day', async () => {
      const { user, invite_link: link, invite_link_expires_at: end } = await invite();
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/reset#token=[\w-]{43}$/);
      const hours = (Date.parse(end) - Date.now()) / hourMs;
      expect(hours).toBeGreaterThan(23.9);
      expect(hours).toBeLessThanOrEqual(24);
      const token = link.split('#token=')[1];
      for (const path of ['/users', '/audit-log']) {
        expect((await operator.call('GET', path)).text).not.toContain(token);
      }
      const { entries } = await operator.get('GET', `/audit-log?subject_id=${user.id}`);
      expect(entries).toMatchObject([{ action: 'user.created', details: { invited: true } }]);
      const other = await operator.get('POST', '/users', newUser());
      expect(Object.keys(other)).toEqual(['user']);
    });

    it('lets the user in, who could not sign in before', async () => {
      const { user, invite_link: link } = await invite();
      expect(user).toMatchObject({ has_password: false, last_sign_in_at: null });
      for (const given of [password, newPassword, 'null']) {
        const body = { email: user.email, password: given };
        const { status } = await new Dashboard(stack).call('POST', '/session', body);
        expect(status).toBe(401);
      }
      const token = link.split('#token=')[1];
      expect((await reset(token)).status).toBe(200);
      await expectUseless(token);
      await Dashboard.signIn(stack, user.email, newPassword);
      const { users } = await operator.get('GET', '/users');
      expect(users.find(({ id }: any) => id === user.id).has_password).toBe(true);
    });

    it('is followed by another one where it was lost', async () => {
      const { user, invite_link: link } = await invite();
      const token = await linkFor(user.id);
      await expectUseless(link.split('#token=')[1]);
      expect((await reset(token)).status).toBe(200);
    });

    it('is not made for a user who is switched off', async () => {
      const given = newUser({ password: undefined, active: false });
      const { status, body } = await operator.call('POST', '/users', given);
      expect([status, Object.keys(body.error.details.fields)]).toEqual([400, ['active']]);
    });
  });

  describe('from npm run reset-operator', () => {
    const run = (...names: string[]) =>
      spawnSync(process.execPath, [join(checkout, 'dist/src/reset-operator.js'), ...names], {
        env: { PATH: process.env.PATH, ...stack.apis[0]?.env },
        encoding: 'utf8',
      });

    it('lets an operator in who has lost everything', async () => {
      const { user } = await operator.get('POST', '/users', newUser());
      const lost = await Dashboard.signIn(stack, user.email, password);
      const { secret } = await lost.get('POST', '/me/totp', { current_password: password });
      await lost.get('POST', '/me/totp/confirm', { totp: codeOf(secret) });
      await operator.get('PATCH', `/users/${user.id}`, { active: false });

      const { stdout, status } = run(user.email.toUpperCase());
      expect(status).toBe(0);
      const [, address, token = ''] = /^ {2}(\S+)#token=(\S+)$/m.exec(stdout) ?? [];
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/reset$/);
      expect((await lost.call('GET', '/session')).status).toBe(401);
      expect((await reset(token)).status).toBe(200);
      await Dashboard.signIn(stack, user.email, newPassword);
      const { entries } = await operator.get('GET', `/audit-log?subject_id=${user.id}`);
      const entry = entries.find(({ action }: any) => action === 'user.operator_reset');
      expect(entry).toMatchObject({
        actor: 'npm run reset-operator',
        details: { second_factor: 'removed', active: { from: false, to: true } },
      });
    });

    it('asks which operator where there are several, and knows operators only', async () => {
      const { user: other } = await operator.get('POST', '/users', newUser());
      const email = `${randomUUID()}@parley.test`;
      await operator.get('POST', '/users', {
        ...newUser(),
        email,
        role: 'administrator',
        account_id: installation.accountId,
      });
      const unnamed = run();
      expect(unnamed.status).toBe(1);
      expect(unnamed.stderr).toMatch(/^There are several operators: .+ Name one: .+\n$/);
      expect(unnamed.stderr).toContain(other.email);
      expect(run(email).stderr).toMatch(`There is no operator ${email}.`);
    });
  });
});
