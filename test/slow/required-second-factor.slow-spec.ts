import { Dashboard, newUser, password } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { codeOf } from '../support/totp.js';

describe('an installation with REQUIRE_TOTP', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ workers: 0, env: { REQUIRE_TOTP: 'true' } });
  });

  afterAll(() => stack?.stop());

  const codeOfAnswer = async (user: Dashboard, method: string, path: string, body?: object) =>
    (await user.call(method, path, body)).body.error?.code ?? 'done';

  it('lets users do nothing but set up a second factor until they have one', async () => {
    const user = await Dashboard.signIn(stack);
    expect(await user.get('GET', '/session')).toMatchObject({
      user: { has_second_factor: false },
      second_factor_required: true,
    });
    const { user: me } = await user.get('GET', '/session');
    const change = { current_password: password, new_password: `${password}!` };
    const refused = [
      await codeOfAnswer(user, 'GET', '/overview'),
      await codeOfAnswer(user, 'GET', '/users'),
      await codeOfAnswer(user, 'POST', '/users', newUser()),
      await codeOfAnswer(user, 'POST', '/session/password', change),
      await codeOfAnswer(user, 'GET', `/users/${me.id}/sessions`),
    ];
    expect(new Set(refused)).toEqual(new Set(['TOTP_SETUP_REQUIRED']));
    const { secret } = await user.get('POST', '/me/totp', {
      current_password: installation.adminPassword,
    });
    await user.get('POST', '/me/totp/confirm', { totp: codeOf(secret) });
    expect(await codeOfAnswer(user, 'GET', '/overview')).toBe('done');
    const created = await user.get('POST', '/users', newUser());
    const other = await Dashboard.signIn(stack, created.user.email, password);
    expect(await codeOfAnswer(other, 'GET', '/overview')).toBe('TOTP_SETUP_REQUIRED');
    expect(await codeOfAnswer(other, 'DELETE', '/session')).toBe('done');
  });
});
