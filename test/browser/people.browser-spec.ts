import { randomUUID } from 'node:crypto';
import type { Route } from 'playwright-core';
import { newAccount, newKey, newUser, password } from '../support/dashboard.js';
import { codeOf } from '../support/totp.js';
import { until } from '../support/until.js';
import { DashboardBrowser, looks, type Visit } from './dashboard-browser.js';

async function signIn({ page }: Visit, email: string, given = password): Promise<void> {
  await page.goto('/dashboard');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(given);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What the picture of a page shows must be right in every look. */
async function inspect(visit: Visit, name: string): Promise<void> {
  await visit.settled();
  await visit.photograph(`people-${name}`);
  expect(await visit.barriers()).toEqual([]);
  expect(await visit.overhang()).toBe(0);
  expect(visit.faults).toEqual([]);
}

describe('people and how they sign in', () => {
  let browser: DashboardBrowser;
  let operator: Visit;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    operator = await browser.open();
  }, 180_000);

  afterAll(async () => {
    await operator?.close();
    await browser?.stop();
  });

  /** A new user, whose window is not signed in. */
  async function somebody(look = looks[0]) {
    const { user } = await operator.post('/users', newUser());
    return { user, visit: await browser.open({ ...look, signedIn: false }) };
  }

  it.each(looks)('set up a second factor and sign in with it: $theme, $width', async (look) => {
    const { user, visit } = await somebody(look);
    const { page } = visit;
    await signIn(visit, user.email);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await visit.go('/me');
    await page.getByText('this one').waitFor();
    await inspect(visit, 'your-account');
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator' }).waitFor();
    await inspect(visit, 'set-up');
    const secret = (await page.locator('.secret-value code').innerText()).trim();
    await page.getByLabel('Code of your authenticator').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('The second factor is on.').waitFor();
    await inspect(visit, 'recovery-codes');
    const codes = (await page.locator('.secret-value code').innerText()).trim().split('\n');
    expect(codes).toHaveLength(10);
    await page.getByLabel('I have stored these codes').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Remove…' }).waitFor();
    await inspect(visit, 'second-factor-on');

    await visit.context.clearCookies();
    await signIn(visit, user.email);
    await page.getByLabel('Code of your authenticator').fill('000000');
    await inspect(visit, 'sign-in-code');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The code is wrong, or it was used before.').waitFor();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await visit.close();
  });

  it.each(looks)('get a link to a new password: $theme, $width', async (look) => {
    const { user, visit } = await somebody(look);
    const own = await browser.open(look);
    await own.go('/users');
    await inspect(own, 'users');
    const menu = () => own.page.getByRole('button', { name: `Actions for ${user.email}` }).click();
    await menu();
    await own.page.getByRole('menuitem', { name: 'Make a reset link…' }).click();
    await own.page.getByRole('button', { name: 'Make the link' }).click();
    await own.page.getByText('Reset link', { exact: true }).waitFor();
    await inspect(own, 'reset-link');
    const url = (await own.page.locator('.secret-value code').innerText()).trim();

    await visit.page.goto(url);
    await visit.page.getByLabel('Password', { exact: true }).fill('a new password of mine');
    await inspect(visit, 'reset');
    const askForCode = (route: Route) =>
      route.fulfill({ status: 401, json: { success: false, error: { code: 'TOTP_REQUIRED' } } });
    await visit.page.route('**/dashboard/session', askForCode);
    await visit.page.getByRole('button', { name: 'Set the password' }).click();
    await visit.page.getByText('Your password is set.').waitFor();
    await visit.page.unroute('**/dashboard/session', askForCode);
    await visit.page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(visit, user.email, 'a new password of mine');
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    await own.go('/users');
    await menu();
    await own.page.getByRole('menuitem', { name: 'Sessions…' }).click();
    await own.page.getByRole('button', { name: /^End the session in Chrome/ }).waitFor();
    await inspect(own, 'sessions');
    await own.page.getByRole('button', { name: /^End the session in Chrome/ }).click();
    await own.page.getByText('Nobody is signed in as this user.').waitFor();
    await visit.page.reload();
    await visit.page.getByRole('heading', { level: 1, name: 'Sign in to Parley' }).waitFor();
    await visit.close();
    await own.close();
  });

  it.each(looks)('are invited by a link: $theme, $width', async (look) => {
    const email = `invited-${randomUUID()}@parley.test`;
    const own = await browser.open(look);
    await own.go('/users');
    await own.page.getByRole('button', { name: 'Create user' }).click();
    const dialog = own.page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill(email);
    await dialog.getByText('Viewer', { exact: true }).click();
    await inspect(own, 'invite');
    await dialog.getByRole('button', { name: 'Invite user' }).click();
    await dialog.getByRole('button', { name: 'Copy invitation link' }).waitFor();
    await inspect(own, 'invitation');
    const link = () => own.page.locator('.secret-value code').innerText();
    const first = (await link()).trim();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await own.page.getByRole('row', { name: email }).getByText('No password yet').waitFor();
    await inspect(own, 'invited');
    // Who has lost the link gets another one, not a new password.
    await own.page.getByRole('button', { name: `Actions for ${email}` }).click();
    await own.page.getByRole('menuitem', { name: 'Make a new invitation…' }).click();
    const again = own.page.getByRole('dialog', { name: `A new invitation for ${email}` });
    await again.getByText('The old link ends.').waitFor();
    expect(await again.getByText('second factor').count()).toBe(0);
    await inspect(own, 'invitation-again');
    await again.getByRole('button', { name: 'Make the link' }).click();
    await again.getByRole('button', { name: 'Copy invitation link' }).waitFor();
    const url = (await link()).trim();
    expect(url).not.toBe(first);
    await own.close();

    const visit = await browser.open({ ...look, signedIn: false });
    await visit.page.goto(url);
    await visit.page.getByLabel('Password', { exact: true }).fill('a new password of mine');
    await visit.page.getByRole('button', { name: 'Set the password' }).click();
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await visit.close();
  });

  it('are told what is wrong with a new user, at the field', async () => {
    const visit = await browser.open();
    const { page } = visit;
    await visit.go('/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const form = page.getByRole('dialog', { name: 'Create a user' });
    const email = form.getByLabel('Email address');
    await email.fill('bad mail');
    await email.press('Enter');
    await form.getByText('Write an address such as name@example.com').waitFor();
    await email.and(page.locator(':focus')).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await email.fill('');
    await form.getByRole('button', { name: 'Invite user' }).click();
    await form.getByText('Write an address such as name@example.com').waitFor();
    await visit.close();
  });

  it('are asked before Esc takes what they have typed of a new user', async () => {
    const visit = await browser.open();
    const { page } = visit;
    await visit.go('/users');
    const form = page.getByRole('dialog', { name: 'Create a user' });
    await page.getByRole('button', { name: 'Create user' }).click();
    await form.waitFor();
    // Nothing is typed: nothing is asked.
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create user' }).click();
    const email = form.getByLabel('Email address');
    await email.fill('ada@example.org');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep typing' }).click();
    await page
      .getByRole('dialog', { name: 'Close without saving?' })
      .waitFor({ state: 'detached' });
    await email.focus();
    expect(await email.inputValue()).toBe('ada@example.org');
    await page.keyboard.press('Escape');
    await page.getByText('Close without saving?').waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Discard what I typed' }).click();
    await form.waitFor({ state: 'detached' });
    expect(visit.faults).toEqual([]);
    await visit.close();
  });

  it('see as viewers what is there, and no control that changes it', async () => {
    const { accounts } = await operator.get('/accounts');
    const { api_key: live } = await operator.post('/api-keys', newKey({ name: 'a live key' }));
    await operator.post('/api-keys', newKey({ name: 'a test key', mode: 'test' }));
    const { user } = await operator.post(
      '/users',
      newUser({ role: 'viewer', account_id: accounts[0].id }),
    );
    const visit = await browser.open({ signedIn: false });
    const { page } = visit;
    await signIn(visit, user.email);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('Viewer', { exact: true }).waitFor();
    const main = page.locator('main');
    const changes =
      /Create|New campaign|Import|Edit|Rotate|Revoke|Delete|Add endpoint|Actions for|Send test event|Sync now/;
    for (const path of [
      '/',
      '/keys',
      `/keys/${live.id}`,
      '/campaigns',
      '/webhooks',
      '/contacts',
      '/messages',
      '/templates',
    ]) {
      await visit.go(path);
      await visit.settled();
      for (const role of ['button', 'link'] as const) {
        expect([path, await main.getByRole(role, { name: changes }).count()]).toEqual([path, 0]);
      }
    }
    await visit.go('/keys');
    expect(await page.getByLabel('a live key is on').isDisabled()).toBe(true);
    const template = await until(async () => {
      const { templates } = await operator.get('/templates?mode=live');
      return templates.find(({ parameters }: { parameters: object[] }) => parameters.length > 0);
    });
    await visit.go(`/templates/${template.id}`);
    const variable = page.getByLabel(/^Variable for/).first();
    await variable.waitFor();
    expect(await variable.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Use WhatsApp’s names' }).count()).toBe(0);
    await page.getByRole('button', { name: user.email }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
    await inspect(visit, 'user-menu');
    await page.keyboard.press('Escape');
    for (const path of ['/keys/new', `/keys/${live.id}/edit`, '/campaigns/new']) {
      await visit.go(path);
      await page.getByText('Viewers change nothing').waitFor();
    }
    await visit.go('/playground');
    await visit.settled();
    await main.getByRole('combobox', { name: 'Key', exact: true }).click();
    await page.getByRole('option', { name: 'a test key (test)' }).waitFor();
    expect(await page.getByRole('option', { name: 'a live key' }).count()).toBe(0);
    await inspect(visit, 'viewer');
    await visit.close();
  });

  it('are offered the playground as viewers once there is a test key', async () => {
    const { account } = await operator.post('/accounts', newAccount());
    const { user } = await operator.post(
      '/users',
      newUser({ role: 'viewer', account_id: account.id }),
    );
    const visit = await browser.open({ signedIn: false });
    await signIn(visit, user.email);
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await visit.settled();
    const header = visit.page.getByRole('link', { name: 'Open playground' });
    const before = await header.count();
    await operator.post('/api-keys', newKey({ mode: 'test', account_id: account.id }));
    await visit.page.reload();
    await until(async () => (await header.count()) === before + 1);
    await visit.close();
  });

  it('set a new password under a whole link only', async () => {
    const { visit } = await somebody();
    await visit.page.goto('/dashboard/reset');
    await visit.page.getByText('The link is not complete.').waitFor();
    await visit.page.goto('/dashboard/reset#token=used-before');
    await visit.page.reload();
    await visit.page.getByLabel('Password', { exact: true }).fill('a new password of mine');
    await visit.page.getByRole('button', { name: 'Set the password' }).click();
    await visit.page.getByText('Ask an operator for another one.').waitFor();
    await visit.close();
  });
});

describe('people without a second factor, where everybody must have one', () => {
  let browser: DashboardBrowser;

  beforeAll(async () => {
    browser = await DashboardBrowser.start({ REQUIRE_TOTP: 'true' });
  }, 180_000);

  afterAll(() => browser?.stop());

  it('set it up before anything else, and then see the dashboard', async () => {
    const { admin_email: email, admin_password: own } = browser.run;
    const title = (visit: Visit) =>
      visit.page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor();
    // In every look first: once it is set up, nobody is left without one.
    for (const look of looks) {
      const visit = await browser.open({ ...look, signedIn: false });
      await signIn(visit, email, own);
      await title(visit);
      expect(await visit.page.getByRole('navigation').count()).toBe(0);
      await inspect(visit, 'required');
      await visit.close();
    }
    const visit = await browser.open({ signedIn: false });
    const { page } = visit;
    await signIn(visit, email, own);
    await title(visit);
    await visit.go('/users');
    await title(visit);
    await page.getByLabel('Your password').fill(own);
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator' }).waitFor();
    const secret = (await page.locator('.secret-value code').innerText()).trim();
    await page.getByLabel('Code of your authenticator').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByLabel('I have stored these codes').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect(visit.faults).toEqual([]);
    await visit.close();
  });
});
