import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { hourMs } from '#libs/durations';
import { until } from '../support/until.js';
import { DashboardBrowser, type Visit } from './dashboard-browser.js';

/** The widths at which lists are looked at. */
const widths = [320, 390, 768, 800, 1_000, 1_024, 1_200, 1_280, 1_440];

const longName = 'the-checkout-service-of-the-staging-environment';

/** Who looks for something at night finds it, by few clicks. */
describe('who looks for something', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;
  let otherAccount: string;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    const setUp = await browser.open();
    const { api_key: testKey, key } = await setUp.post('/api-keys', {
      name: longName,
      mode: 'test',
      permissions: ['send_text', 'view_messages'],
      webhook_url: `http://127.0.0.1:9/${'hooks/'.repeat(20)}`,
    });
    const { account } = await setUp.post('/accounts', {
      name: 'Fernhill Market and Garden Supplies of the United Kingdom',
      phone_number_id: '100000000000777',
      business_account_id: '200000000000777',
      display_phone_number: '+44 7700 900123',
      access_token: 'token',
      app_secret: 'secret',
    });
    otherAccount = account.id;
    const body = `Your order is on its way. ${'It is long. '.repeat(20)}`;
    const send = (apiKey: string, to: string, reference = 'order-'.padEnd(100, '58213')) =>
      browser.call(apiKey, '/messages/text', { to, body, reference });
    await Promise.all([
      send(browser.run.api_key, '+14155550123'),
      send(browser.run.api_key, '+15550131026', 'one'),
      send(key, '+15550131026', 'other'),
      send(key, '+15550131047'),
    ]);
    await until(async () => {
      const { deliveries } = await setUp.get(`/webhook-deliveries?key_id=${testKey.id}`);
      return deliveries.length > 0;
    });
    await setUp.close();
  }, 180_000);

  afterAll(() => browser?.stop());

  beforeEach(async () => {
    visit = await browser.open();
    ({ page } = visit);
  });

  afterEach(async () => {
    expect(visit.faults).toEqual([]);
    await visit.close();
  });

  const rows = () => page.locator('tbody tr[data-link]');
  /** A parameter of the address. */
  const asked = (name: string) => new URL(page.url()).searchParams.get(name);

  it('finds every message that failed with a code within two hours in three clicks', async () => {
    await visit.go('/?account=all&mode=both');
    await page.getByRole('link', { name: '131026' }).click();
    await page.getByRole('button', { name: 'Custom' }).click();
    const dialog = page.getByRole('dialog', { name: 'Custom time' });
    const now = Date.now();
    const inField = (at: number) => new Date(at).toISOString().slice(0, 19);
    // Tests run in UTC.
    await dialog.getByLabel('From').fill(inField(now - hourMs));
    await dialog.getByLabel('To').fill(inField(now + hourMs));
    await dialog.getByRole('button', { name: 'Show' }).click();
    await page.getByText('2 matches · 131026: Recipient not on WhatsApp').waitFor();
    await until(async () => (await rows().count()) === 2);
    expect([asked('code'), asked('status'), asked('range')]).toEqual(['131026', 'failed', null]);
    await page.reload();
    await page.getByText('2 matches').waitFor();
    expect(await visit.barriers()).toEqual([]);
  });

  it('chooses several statuses, and an unknown code shows nothing', async () => {
    await visit.go('/messages?account=all');
    await page.getByRole('button', { name: '+ Status' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Unconfirmed' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('3 matches').waitFor();
    expect(asked('status')).toBe('unconfirmed,failed');
    await page.getByRole('button', { name: '+ Sent again' }).click();
    await page.getByRole('menuitem', { name: 'Yes' }).click();
    await page.getByText('No message matches').waitFor();
    await page.getByRole('button', { name: 'Sent again Yes' }).click();
    await page.getByRole('menuitem', { name: 'No', exact: true }).click();
    await page.getByText('3 matches').waitFor();
    expect(asked('resent')).toBe('no');
    await page.getByRole('button', { name: '+ Error code' }).click();
    await page.getByLabel('WhatsApp’s code').fill('1');
    await page.keyboard.press('Enter');
    await page.getByText('No message matches').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await until(async () => (await rows().count()) === 4);
  });

  it('may type into the search before it is there', async () => {
    await page.addInitScript('window.requestIdleCallback = () => 0');
    let release = () => undefined as void;
    const typed = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/search-dialog/, async (route) => {
      await typed;
      await route.continue();
    });
    await visit.go('/messages?account=all');
    const request = page.waitForRequest(/search-dialog/);
    await page.keyboard.press('Control+k');
    await request;
    await page.keyboard.type('Marix');
    await page.keyboard.press('Backspace');
    release();
    const field = page.getByLabel('Search the dashboard');
    await until(async () => (await field.inputValue()) === 'Mari');
    await page.keyboard.type('a');
    await until(async () => (await field.inputValue()) === 'Maria');
    // It takes all keys when it opens again, too.
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('again');
    await until(async () => (await field.inputValue()) === 'again');
  });

  it('finds the search loaded without having asked for it', async () => {
    const loaded = page.waitForResponse(/search-dialog.*\.js/);
    await visit.go('/messages?account=all');
    await loaded;
  });

  it('says of what the search finds that it is of test mode', async () => {
    await visit.go('/?account=all');
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search the dashboard').fill(longName);
    const found = page.getByRole('option', { name: longName }).first();
    await found.getByText('Test', { exact: true }).waitFor();
    await page.getByLabel('Search the dashboard').fill('demo');
    const live = page.getByRole('option', { name: /^demo ?API key/ });
    await live.waitFor();
    expect(await live.getByText('Test', { exact: true }).count()).toBe(0);
    await visit.photograph('search-modes');
  });

  it('searches a list when typing pauses, and keeps what is typed meanwhile', async () => {
    await visit.go('/messages?account=all');
    const field = page.getByLabel('Number, name, reference or id');
    const entries = () => page.evaluate<number>('history.length');
    const before = await entries();
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/messages\?.*q=on(?:&|$)/, async (route) => {
      await held;
      await route.continue();
    });
    await field.pressSequentially('on');
    await page.waitForURL(/q=on(?:&|$)/);
    await field.pressSequentially('e');
    answer();
    await page.waitForURL(/q=one/);
    await page.getByText('1 match').waitFor();
    expect(await page.locator('input:focus').inputValue()).toBe('one');
    expect(await entries()).toBe(before);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await until(async () => (await field.inputValue()) === '' && asked('q') === null);
    await field.fill('two');
    await field.press('Enter');
    await page.getByText('No message matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await until(async () => (await field.inputValue()) === '');

    // The whole id opens its page, but only with Enter.
    const { messages } = await visit.get('/messages?reference=one');
    const [{ message_id: id }] = messages;
    await page.clock.install();
    await field.fill(id);
    await page.clock.runFor(5_000);
    expect([asked('q'), new URL(page.url()).pathname]).toEqual([null, '/dashboard/messages']);
    await field.press('Enter');
    await page.waitForURL(`**/messages/${id}*`);
  });

  it('sends no text that is too short when typing pauses', async () => {
    await visit.go('/audit-log?account=all');
    await page.clock.install();
    const field = page.getByRole('textbox', { name: 'Any words of a row' });
    await field.fill('a');
    await page.clock.runFor(5_000);
    expect(asked('q')).toBe(null);
    await field.fill('admin');
    await page.clock.runFor(5_000);
    await page.waitForURL(/q=admin/);
    expect(await field.inputValue()).toBe('admin');
  });

  it('puts no API key into an address', async () => {
    const key = `pk_live_3kTM${'x'.repeat(36)}`;
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    for (const [path, field] of [
      ['/messages', 'Number, name, reference or id'],
      ['/keys', 'Search keys'],
    ] as const) {
      await visit.go(`${path}?account=all`);
      await page.getByLabel(field).fill(` ${key}`);
      await page.getByText('This is an API key. Keep it secret').waitFor();
      await page.keyboard.press('Enter');
      await visit.settled();
      expect(page.url()).not.toContain('xxxx');
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search the dashboard').fill(key);
    await page.getByText('This is an API key. Keep it secret').last().waitFor();
    await until(() => addresses.some((address) => /\/search\?.*pk_live_3kTM/.test(address)));
    expect(addresses.filter((address) => address.includes('xxxx'))).toEqual([]);
  });

  it('reads on from left to right behind a name with marks of direction', async () => {
    const [turned, phone] = ['gpj.\u202Eevil', '+14155550123'];
    await page.route(/\/dashboard\/contacts(?:\?|\/)/, async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll(
        /"username":(?:null|"[^"]*")/g,
        `"username":"${turned}"`,
      );
      await route.fulfill({
        response,
        body: text.replaceAll(/"name":null/g, `"name":"${turned}"`),
      });
    });
    await visit.go('/contacts?account=all');
    await page.getByText(turned).first().waitFor();
    const leaking = () =>
      page.evaluate(`[...document.querySelectorAll('body *')]
        .filter((element) => {
          const parts = [...element.childNodes].filter((part) => part.textContent.trim() !== '');
          if (!parts.some((part) => part.nodeType === 3 && part.data.includes('\\u202E'))) return false;
          const { display, unicodeBidi } = getComputedStyle(element);
          return parts.length > 1 || (display === 'inline' && unicodeBidi !== 'isolate');
        })
        .map((element) => element.outerHTML)`);
    expect(await leaking()).toEqual([]);
    await page.getByText(turned).first().click();
    await page.getByRole('heading', { level: 1, name: turned }).waitFor();
    await page.getByText(phone).first().waitFor();
    expect(await leaking()).toEqual([]);
  });

  it('opens a menu whose code is still on its way by keyboard, and gets the focus back', async () => {
    await visit.go('/messages?account=all');
    let arrive = () => undefined as void;
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/assets/menu-panel*', async (route) => {
      await arrival;
      await route.continue();
    });
    const opener = page.getByRole('button', { name: '+ Status' });
    await opener.press('Enter');
    await page.locator('[aria-haspopup="menu"][aria-expanded="true"]').and(opener).waitFor();
    expect(await page.getByRole('menu').count()).toBe(0);
    arrive();
    await page.getByRole('menu', { name: '+ Status' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menuitemcheckbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(':focus[aria-expanded="false"]').and(opener).waitFor();
  });

  it('sees every column whole, at each width, with long values', async () => {
    for (const path of [
      '/messages',
      '/requests',
      '/webhooks',
      '/keys',
      '/contacts',
      '/accounts',
      '/users',
      '/audit-log',
      '/alerts',
    ]) {
      await visit.go(`${path}?account=all`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await visit.settled();
        expect([path, width, await visit.overhang()]).toEqual([path, width, 0]);
        // A card clips what is too wide for it.
        const clipped = await page.evaluate<string[]>(`
          [...document.querySelectorAll('main .card')].flatMap((card) => {
            const { right } = card.getBoundingClientRect();
            return [...card.querySelectorAll('td, th')]
              .filter((cell) => cell.getBoundingClientRect().right > right + 1)
              .map((cell) => cell.className + ': ' + cell.textContent.slice(0, 30));
          })`);
        expect([path, width, clipped]).toEqual([path, width, []]);
      }
    }
  });

  it('opens what a row is about, wherever they click it, and by keyboard', async () => {
    await visit.go('/messages?account=all');
    const box = await rows().first().boundingBox();
    if (!box) throw new Error('the row is not there');
    await page.mouse.click(box.x + box.width - 20, box.y + box.height / 2);
    await page.waitForURL(/\/messages\/[\da-f-]{36}/);
    await visit.go('/messages?account=all');
    const opened = page.context().waitForEvent('page');
    await page.mouse.click(box.x + box.width - 20, box.y + box.height / 2, { button: 'middle' });
    const tab = await opened;
    await tab.waitForURL(/\/messages\/[\da-f-]{36}/);
    await tab.close();
    await rows().first().getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/messages\/[\da-f-]{36}/);
  });

  it('reads times in UTC on request, and in the next window too', async () => {
    await visit.go('/messages?account=all');
    await page
      .getByText(/^\d+ [A-Z][a-z]+ \d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'UTC', exact: true }).click();
    await page.getByRole('columnheader', { name: 'Accepted (UTC)' }).waitFor();
    await visit.go('/audit-log?account=all');
    await page.getByRole('columnheader', { name: 'At (UTC)' }).waitFor();
  });

  it('sends several messages again, after a question, and hears what came of each', async () => {
    await visit.go('/messages?account=all&status=failed&q=one');
    await rows().getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Send again 1…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('to the simulator').waitFor();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    // WhatsApp refuses the same number again.
    await dialog.getByText('0 of 1 message sent again.').waitFor();
    await dialog.getByText(/1 refused: Recipient not on WhatsApp/).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('region', { name: 'Selected rows' }).count()).toBe(0);
  });

  it('delivers several events again, and finds those of one user at one endpoint', async () => {
    await visit.go(
      `/webhooks?account=all&status=succeeded&q=${encodeURIComponent('1 415 555 0123')}`,
    );
    await until(async () => (await rows().count()) > 0);
    const count = await rows().count();
    expect(await rows().getByText('+14155550123').count()).toBe(count);
    await rows().getByRole('checkbox').first().check();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.waitFor();
    // Beside an open delivery there is no room for the checkboxes, and so there is no bar.
    await rows().first().getByRole('link').first().click();
    await page.locator('.delivery-head').waitFor();
    await bar.waitFor({ state: 'hidden' });
    await page.goBack();
    await bar.waitFor();
    await page.getByRole('button', { name: `Select all ${count} shown` }).click();
    await page.getByRole('button', { name: `Redeliver ${count}…` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await dialog.getByText(`${count} of ${count} event`).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  it('shows whole times beside an open delivery', async () => {
    const { deliveries } = await visit.get('/webhook-deliveries');
    for (const zone of ['Local', 'UTC']) {
      await visit.go(`/webhooks/${deliveries[0].id}?account=all`);
      if (zone === 'UTC') await page.getByRole('button', { name: 'UTC', exact: true }).click();
      await rows().first().waitFor();
      await page.locator('.delivery-head').waitFor();
      const cut = await page
        .locator('.table-box', { has: page.locator('.deliveries-table') })
        .evaluate((box) => {
          const { right } = box.getBoundingClientRect();
          return [...box.querySelectorAll('th, time')].filter(
            (each) => each.getBoundingClientRect().right > right,
          ).length;
        });
      expect([zone, cut]).toEqual([zone, 0]);
    }
    await visit.photograph('webhooks-open-delivery');
  });

  it('saves what the list shows as a file that is called by its filters', async () => {
    await visit.go('/messages?account=all&status=failed&code=131026');
    await page.getByText('131026: Recipient').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'As CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('messages-failed-131026.csv');
    const [heads, ...lines] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(heads).toMatch(/^message_id,created_at,status,to,/);
    expect(lines.every((line) => line.includes(',failed,+15550131026,'))).toBe(true);
  });

  it('shares a link that shows the same account', async () => {
    await visit.go('/messages');
    await until(() => Promise.resolve(asked('account') === 'all'));
    await page.getByRole('button', { name: /All accounts/ }).click();
    await page.getByRole('menuitem', { name: /^Fernhill/ }).click();
    await page.getByText('No message yet').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No deliveries yet').waitFor();
    expect(asked('account')).toBe(otherAccount);
    const other = await browser.open();
    await other.page.goto(page.url());
    await other.page.getByText('No deliveries yet').waitFor();
    await other.close();
  });

  it('hears why nothing is left to send again, and how many go after the tick', async () => {
    await visit.go('/messages?account=all&status=failed&code=131026');
    await page.getByRole('button', { name: 'Send all again…' }).click();
    const question = page.getByRole('dialog', { name: 'Send 0 failed messages again?' });
    const nothing = page.getByText(
      /^Nothing to send again: (.*; )?\d+ cannot be helped by another try\.$/,
    );
    await nothing.waitFor();
    const none = question.getByRole('button', { name: 'Send 0 again', exact: true });
    expect(await none.isDisabled()).toBe(true);
    expect(await visit.barriers()).toEqual([]);
    const tick = page.getByRole('checkbox', { name: /^Also \d+ messages? that another try/ });
    const [, count] = /(\d+) cannot be helped/.exec(await nothing.innerText()) ?? [];
    await tick.check();
    const some = page.getByRole('dialog', { name: /^Send \d+ failed messages? again\?$/ });
    expect(
      await some.getByRole('button', { name: `Send ${count} again`, exact: true }).isEnabled(),
    ).toBe(true);
    expect(await nothing.count()).toBe(0);
  });

  // Last, because it adds messages.
  it('does something to all that matches, also what the page does not show', async () => {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await visit.go('/messages?account=all&status=failed');
    await button('Send all again…').click();
    await page.getByRole('dialog', { name: /^Send \d+ failed messages? again\?$/ }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await button('Cancel').click();
    // Where they cannot be counted, it can be done all the same.
    await page.route('**/jobs/preview', (route) => route.fulfill({ json: {}, status: 503 }));
    await button('Send all again…').click();
    await page.getByText('How many these are could not be counted.').waitFor();
    await page.unroute('**/jobs/preview');
    await button('Send all again').click();
    // Other tests may have added to those that have failed.
    await page
      .getByRole('status')
      .getByText(/\d+ of \d+ messages? handed over: \d+ sent/)
      .waitFor();
    await until(async () => (await button('Stop').count()) === 0);
    await visit.go('/messages?account=all&status=queued');
    await button('Cancel all…').waitFor();
    await visit.go('/messages?account=all&status=sent');
    await page.getByText('match').first().waitFor();
    expect(await button('Cancel all…').count()).toBe(0);
    // What was delivered is left out, unless somebody asks for it.
    await visit.go('/webhooks?account=all&event=message.status');
    await button('Redeliver all…').click();
    const repeat = page.getByRole('checkbox', { name: /^Also repeat the .* delivered$/ });
    await repeat.waitFor();
    expect(await repeat.isChecked()).toBe(false);
    await page.getByText(/matches the filters now and was not delivered/).waitFor();
    await repeat.check();
    await page.getByRole('dialog', { name: /^Redeliver [\d,]+ events? to http.*\?$/ }).waitFor();
    expect(await page.getByText(/and was not delivered/).count()).toBe(0);
    expect(await visit.barriers()).toEqual([]);
    await button('Cancel').click();
    await visit.go('/webhooks?account=all&status=retrying');
    await button('Redeliver all…').click();
    await page
      .getByRole('dialog', { name: /^Redeliver \d+ retrying events? to http.*\?$/ })
      .waitFor();
    await page.getByRole('button', { name: /^Redeliver \d+$/ }).click();
    await page
      .getByRole('status')
      .getByText(/\d+ of \d+ events? (handed over: \d+ delivered|done)/)
      .waitFor();
    await button('Dismiss').first().click();
    await until(async () => (await page.locator('.job-line').count()) === 0);
    const { jobs } = await visit.get('/jobs');
    expect(jobs.map(({ kind }: { kind: string }) => kind)).toEqual(['redeliver', 'resend']);
  });
});
