import { randomUUID } from 'node:crypto';
import { until } from '../support/until.js';
import { DashboardBrowser, looks, type Visit } from './dashboard-browser.js';

/** Who changes the key of a program that never pauses does it without a refused call. */
describe('who rotates a busy key', () => {
  let browser: DashboardBrowser;
  let setUp: Visit;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    setUp = await browser.open();
  }, 180_000);

  afterAll(() => browser?.stop());

  /** A program that calls without a pause. Its key can be changed meanwhile. */
  class Program {
    answered = 0;
    readonly refused: number[] = [];
    private isOver = false;
    private readonly calling: Promise<void>;

    constructor(public key: string) {
      this.calling = this.callAlways();
    }

    end(): Promise<void> {
      this.isOver = true;
      return this.calling;
    }

    private async callAlways(): Promise<void> {
      const body = { to: '+14155550123', body: 'Hello' };
      while (!this.isOver) {
        const { status } = await browser.call(this.key, '/messages/text', body);
        this.answered += 1;
        if (status !== 200) this.refused.push(status);
      }
    }
  }

  it('ends a key that has leaked within six clicks of the sign-in', async () => {
    const name = `leaked ${randomUUID().slice(0, 8)}`;
    const created = await setUp.post('/api-keys', { name, permissions: ['send_text'] });
    const visit = await browser.open({ signedIn: false });
    const { page } = visit;
    let clicks = 0;
    await page.exposeFunction('tellClick', () => (clicks += 1));
    await page.addInitScript("document.addEventListener('click', () => window.tellClick(), true)");
    await page.goto('/dashboard');
    const { admin_email: email, admin_password: password } = browser.run;
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Rotate key…' }).click();
    await page.getByRole('button', { name: 'Rotate and end the old key now' }).click();
    await page.getByRole('dialog').getByText(`“${name}” has a new key`).waitFor();
    await page
      .getByRole('dialog')
      .getByText(/^The old key is refused since \d\d:\d\d:\d\d\.$/)
      .waitFor();
    expect(clicks).toBeLessThanOrEqual(6);
    const body = { to: '+14155550123', body: 'Hello' };
    expect((await browser.call(created.key, '/messages/text', body)).status).toBe(401);
    await visit.close();
  });

  it.each(looks)('refuses nothing, in four clicks: in $theme, $width', async (look) => {
    const name = `busy ${randomUUID().slice(0, 8)}`;
    const created = await setUp.post('/api-keys', {
      name,
      permissions: ['send_text'],
      rate_limit_per_minute: 100_000,
      daily_limit: 1_000_000,
    });
    const caller = new Program(created.key);
    const visit = await browser.open(look);
    const { page } = visit;
    let clicks = 0;
    await page.exposeFunction('tellClick', () => (clicks += 1));
    await page.addInitScript("document.addEventListener('click', () => window.tellClick(), true)");
    await visit.go('/keys?account=all');

    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Rotate key…' }).click();
    await page.getByRole('button', { name: /^Rotate key · old one works until \d/ }).click();
    const secrets = page.getByRole('dialog');
    await secrets.getByText(`“${name}” has a new key`).waitFor();
    await secrets.getByText(/^The old key works until /).waitFor();
    await visit.settled();
    await visit.photograph('key-rotated');
    expect(await visit.barriers()).toEqual([]);
    expect(await visit.overhang()).toBe(0);
    await secrets.getByRole('button', { name: /^Copy/ }).click();
    const key = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(key).toMatch(/^pk_live_/);
    expect(key).not.toBe(created.key);
    expect(clicks).toBe(4);

    // Calls of the old key go on, then those of the new one.
    const withOld = caller.answered;
    await until(() => caller.answered > withOld + 3);
    caller.key = key;
    const withNew = caller.answered;
    await until(() => caller.answered > withNew + 3);
    await caller.end();
    expect(caller.refused).toEqual([]);
    expect(visit.faults).toEqual([]);
    await visit.close();
  });
});
