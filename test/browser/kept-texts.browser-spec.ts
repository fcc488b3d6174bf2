import type { Page } from 'playwright-core';
import { DashboardBrowser, type Visit } from './dashboard-browser.js';

describe('what was written in the playground', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;
  let userId: string;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
  }, 180_000);

  afterAll(() => browser?.stop());

  beforeEach(async () => {
    visit = await browser.open();
    ({ page } = visit);
    userId = (await visit.get('/session')).user.id;
    await visit.go('/playground?type=text');
  });

  afterEach(async () => {
    expect(visit.faults).toEqual([]);
    await visit.close();
  });

  const body = () => page.getByRole('textbox', { name: 'Body', exact: true });
  const h1 = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const kept = () => page.evaluate<string | null>(`sessionStorage.getItem('parley.kept')`);
  const reload = async () => {
    await page.reload();
    await h1('Playground');
  };
  const signIn = async () => {
    await page.getByLabel('Email address').fill(browser.run.admin_email);
    await page.getByLabel('Password', { exact: true }).fill(browser.run.admin_password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await h1('Playground');
  };
  const signOut = async (from = page) => {
    await from.getByRole('button', { name: browser.run.admin_email }).click();
    await from.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await from.getByRole('heading', { level: 1, name: 'Sign in to Parley' }).waitFor();
  };

  it('is there after a reload, for each type of message', async () => {
    await body().fill('Written before the reload');
    await page.getByRole('combobox', { name: 'Type of message' }).click();
    await page.getByRole('option', { name: 'Buttons', exact: true }).click();
    await page.getByLabel('Title of button 1', { exact: true }).fill('Mine');
    await reload();
    expect(await page.getByLabel('Title of button 1', { exact: true }).inputValue()).toBe('Mine');
    await visit.go('/playground?type=text');
    expect(await body().inputValue()).toBe('Written before the reload');
  });

  it('is there after a reload, even where it is no JSON yet', async () => {
    const json = page.getByLabel('Request body as JSON');
    await json.fill('{ "to": ');
    await reload();
    await page.getByText('This is not a JSON object.').waitFor();
    expect(await json.inputValue()).toBe('{ "to": ');
  });

  it('stays in the tab', async () => {
    await body().fill('Only in this tab');
    expect(await kept()).toContain('Only in this tab');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Only in this tab');
  });

  it('is gone after a sign-out', async () => {
    const sample = await body().inputValue();
    await body().fill('Written before the sign-out');
    await signOut();
    expect(await kept()).toBeNull();
    await signIn();
    expect(await body().inputValue()).toBe(sample);
  });

  it('is gone after a sign-out in another tab, once this one is loaded again', async () => {
    await body().fill('Written before the sign-out');
    const other = await visit.context.newPage();
    await other.goto('/dashboard/alerts');
    await other.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await signOut(other);
    await page.reload();
    await h1('Sign in to Parley');
    expect(await kept()).toBeNull();
  });

  it('is not shown to another user, and deleted', async () => {
    await body().fill('Written by the one before');
    const theirs = (await kept())?.replace(userId, 'another');
    await page.evaluate(`sessionStorage.setItem('parley.kept', ${JSON.stringify(theirs)})`);
    await reload();
    expect(await body().inputValue()).not.toBe('Written by the one before');
    expect(await kept()).toBeNull();
  });

  it('does not break the page in whatever form it is stored', async () => {
    const sample = await body().inputValue();
    for (const stored of [
      'no JSON',
      'null',
      '[]',
      '{"user":"USER"}',
      '{"user":"USER","values":null}',
      '{"user":"USER","values":{"playground ":null}}',
      '{"user":"USER","values":{"playground ":"text"}}',
      '{"user":"USER","values":{"playground ":{"text":{"body":5}}}}',
      '{"user":"USER","values":{"playground ":{"unknown":"Hello"}}}',
    ]) {
      const text = JSON.stringify(stored.replace('USER', userId));
      await page.evaluate(`sessionStorage.setItem('parley.kept', ${text})`);
      await reload();
      expect([stored, await body().inputValue()]).toEqual([stored, sample]);
    }
    await body().fill('Kept from now on');
    await reload();
    expect(await body().inputValue()).toBe('Kept from now on');
  });

  it('is forgotten when the page fails, so that it cannot fail again because of it', async () => {
    await body().fill('Written before the page failed');
    await page.route('**/dashboard/api-keys*', (route) =>
      route.fulfill({ json: { data: { api_keys: [null] } } }),
    );
    await page.reload();
    await h1('This page can’t be shown right now');
    expect(await kept()).toBeNull();
  });
});
