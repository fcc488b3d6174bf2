import type { Page } from 'playwright-core';
import { hourMs } from '#libs/durations';
import { version } from '../../src/config/version.js';
import { until } from '../support/until.js';
import { DashboardBrowser, type Visit } from './dashboard-browser.js';

/** What people who use the dashboard every day run into. */
describe('every day', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
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

  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  const h1 = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('a page that cannot be loaded says so inside the frame, and opens when Parley is back', async () => {
    await visit.go('/keys');
    await page.route('**/*', (route) => route.abort());
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByText('Parley does not answer. The page opens').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Parley does not answer. The page opens').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(true);
    expect(await visit.barriers()).toEqual([]);
    await page.unroute('**/*');
    await h1('Playground');
  });

  it('a page whose files an update removed reloads once, then only on request', async () => {
    await visit.go('/keys');
    let loads = 0;
    page.on('load', () => loads++);
    await page.route('**/assets/sandbox-page*', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Sandbox phone' }).click();
    await page.getByText('Parley may have been updated.').waitFor();
    expect(loads).toBe(1);
    await page.unroute('**/assets/sandbox-page*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await h1('Sandbox phone');
  });

  it.each(['Playground', 'Messages', 'Webhooks', 'Audit log'])(
    'the focus goes to the head of the page %s',
    async (name) => {
      await visit.go('/keys');
      await page.getByRole('link', { name, exact: true }).press('Enter');
      await h1(name);
      await until(async () => (await focused()) === name);
    },
  );

  it('the focus stays on the row of the delivery that is open next to the list', async () => {
    const { api_keys: keys } = await visit.get('/api-keys');
    await visit.post(`/api-keys/${keys[0].id}/webhook/test`);
    await visit.go('/webhooks');
    await page.getByRole('link', { name: 'webhook.test' }).first().press('Enter');
    await page.getByRole('tab', { name: 'Payload' }).waitFor();
    expect(await focused()).toContain('webhook.test');
  });

  it('the focus goes to the head of the page after the sign-in', async () => {
    const stranger = await browser.open({ signedIn: false });
    await stranger.go('/keys');
    await stranger.page.getByLabel('Email address').fill(browser.run.admin_email);
    await stranger.page.getByLabel('Password', { exact: true }).fill(browser.run.admin_password);
    await stranger.page.keyboard.press('Enter');
    await stranger.page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await until(() =>
      stranger.page.evaluate<boolean>("document.activeElement.textContent === 'API keys'"),
    );
    await stranger.close();
  });

  describe('in the playground', () => {
    const result = () => page.getByRole('region', { name: 'Result' });
    const title = () => page.getByLabel('Title of button 1', { exact: true });
    const to = () => page.getByLabel('To', { exact: true });

    beforeEach(async () => {
      await visit.go('/playground?type=button');
      await page.getByText('Send real message', { exact: true }).click();
    });

    it('a send without an answer says that the message may be on its way', async () => {
      await page.route('**/dashboard/playground', (route) => route.abort());
      await page.getByRole('button', { name: 'Send message' }).click();
      await result().getByText('may have been accepted and sent').waitFor();
      await result().getByRole('link', { name: 'Messages' }).waitFor();
    });

    it('a message that fails on its way says why', async () => {
      await to().fill('+15551131026');
      await page.getByRole('button', { name: 'Send message' }).click();
      await result().getByText('131026 Recipient not on WhatsApp').waitFor();
    });

    it('only the field that you change loses its mark', async () => {
      await to().fill('12');
      await title().fill('');
      await page.getByRole('button', { name: 'Send message' }).click();
      await page.getByText('2 fields to change').waitFor();
      await title().fill('Track');
      await page.getByText('1 field to change').waitFor();
      expect(await to().getAttribute('aria-invalid')).toBe('true');
    });
  });

  it('the button that sends for real keeps its words on a phone', async () => {
    const phone = await browser.open({ width: 'narrow' });
    await phone.go('/playground');
    await phone.page.getByText('Send real message', { exact: true }).click();
    const words = phone.page
      .getByRole('button', { name: 'Send message' })
      .getByText('Send message');
    expect(await words.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await phone.close();
  });

  it('says what became of messages in the time that you choose, and what percentages are of', async () => {
    const { body } = await browser.call(browser.run.api_key, '/messages/text', {
      to: '+15550131026',
      body: 'Hello',
    });
    expect(body.error.details.whatsapp_error_code).toBe(131_026);
    await visit.go('/');
    const outcomes = page.getByRole('region', { name: 'Outcomes' });
    await outcomes.getByText(/of \d+ sent or failed/).waitFor();
    const rows = outcomes.getByRole('table', { name: 'Messages, by what became of them' });
    expect(await rows.getByRole('row').count()).toBe(1 + 24);
    await outcomes.locator('a[href*="status=failed"] rect').last().click();
    await page.getByRole('link', { name: '+15550131026' }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toMatch(/:00\.000Z$/);
    await visit.go('/');
    await outcomes.getByRole('button', { name: '30 days' }).click();
    await page.waitForURL(/range=30d/);
    await page.reload();
    await outcomes.getByRole('button', { name: '30 days', pressed: true }).waitFor();
    await outcomes.getByRole('link', { name: /% Failed/ }).click();
    await page.getByRole('link', { name: '+15550131026' }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
  });

  it('opens exactly what a number counts', async () => {
    const message = { to: '+447700123456', body: 'Hello' };
    const sent = await browser.call(browser.run.api_key, '/messages/text', message);
    expect(sent.status).toBe(200);
    const { message_id: id } = sent.body.data;
    await until(async () => (await visit.get(`/messages/${id}`)).status === 'read', 60_000);
    await visit.go('/');
    const outcomes = page.getByRole('region', { name: 'Outcomes' });
    await outcomes.getByText('Taken by WhatsApp').waitFor();
    const links = outcomes.locator('.outcome-figures a');
    const found: string[] = [];
    for (let at = 0; at < (await links.count()); at += 1) {
      const figure = links.nth(at).locator('xpath=ancestor::div[@class="outcome"]');
      const words = (await figure.innerText()).replaceAll(',', '');
      const counted = words.match(/(\d+) of \d+ sent/)?.[1] ?? words.match(/\d+/)?.[0];
      await links.nth(at).click();
      await page.getByText(new RegExp(`^${counted} match(es)?$`)).waitFor();
      found.push(words);
      await visit.go('/');
      await links.first().waitFor();
    }
    const named = found.map((words) => words.split('\n')[0]);
    expect(named).toEqual(expect.arrayContaining(['Delivered', 'Read']));

    const statuses = page.getByRole('region', { name: 'Messages by status' });
    const counts = await statuses.locator('.share .end:not(.quiet)').allInnerTexts();
    const total = counts.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
    await visit.go('/messages?range=24h');
    await page.getByText(new RegExp(`^${total} match(es)?$`)).waitFor();

    await visit.go('/');
    const calls = page.getByRole('link', { name: /^[\d,]+ Calls, last 24 h$/ });
    const called = /^[\d,]+/.exec(await calls.innerText())?.[0];
    await calls.click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('24h');
    await page.getByText(new RegExp(`^${called} match(es)?$`)).waitFor();
  });

  it('says of an unconfirmed message what it is and what to do, and of a failed one nothing that contradicts itself', async () => {
    const send = async (to: string) =>
      (await browser.call(browser.run.api_key, '/messages/text', { to, body: 'Hello' })).body;
    const { data } = await send('+15552000001');
    await send('+15550131026');
    await until(
      async () => (await visit.get(`/messages/${data.message_id}`)).status === 'unconfirmed',
      60_000,
    );
    await visit.go(`/messages/${data.message_id}`);
    await page.getByText('the recipient may have it, or not').waitFor();
    await page.getByText('the recipient may then get it twice').waitFor();
    const preview = await page.getByRole('region', { name: 'Preview on a phone' }).boundingBox();
    expect((preview?.y ?? 900) + (preview?.height ?? 0)).toBeLessThanOrEqual(900);
    await visit.photograph('message-unconfirmed');
    expect(await visit.barriers()).toEqual([]);

    const { messages } = await visit.get('/messages?error_code=131026');
    await visit.go(`/messages/${messages[0].message_id}`);
    await page.getByText('Do not send again: reach the recipient in another way.').waitFor();
    expect(await page.getByText('Remove the cause first').count()).toBe(0);
    // The reason has the width of the card, not of the column beside the time.
    const width = (selector: string) =>
      page.locator(selector).evaluate((box) => box.getBoundingClientRect().width);
    expect(await width('.story-reason')).toBeGreaterThan((await width('.story')) * 0.85);
    await visit.photograph('message-failed');
  });

  it.each([900, 860, 820])(
    'shows every place of the sidebar above its foot in a window of %i',
    async (height) => {
      await page.setViewportSize({ width: 1_440, height });
      await visit.go('/');
      const last = await page.locator('.side-link').last().boundingBox();
      const foot = await page.locator('.side-foot').boundingBox();
      expect(foot?.y).toBeGreaterThanOrEqual((last?.y ?? 0) + (last?.height ?? 0));
    },
  );

  it('shows what is live, what are tests, or both: the choice goes along to every page', async () => {
    const mode = () => new URL(page.url()).searchParams.get('mode');
    const modes = page.getByRole('group', { name: 'Mode of all pages' });
    const choice = (name: string, pressed = true) =>
      modes.getByRole('button', { name, exact: true, pressed });
    const key = await visit.post('/api-keys', {
      name: 'key of tests',
      mode: 'test',
      permissions: ['send_text'],
    });
    for (const reference of ['test 1', 'test 2']) {
      await browser.call(key.key, '/messages/text', {
        to: '+15550131026',
        body: 'Hello',
        reference,
      });
    }
    await visit.go('/');
    await choice('Live').waitFor();
    expect(mode()).toBe('live');
    await choice('Test', false).click();
    await choice('Test').waitFor();
    const statuses = page.getByRole('region', { name: 'Messages by status' });
    const line = statuses.locator('.share').filter({ hasText: 'Failed' });
    await line.getByText('2', { exact: true }).waitFor();
    await statuses.getByRole('link', { name: 'Failed' }).click();
    await h1('Messages');
    const rows = page.locator('.messages-table tbody tr');
    await until(async () => (await rows.count()) === 2);
    expect(mode()).toBe('test');
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await h1('API keys');
    await page.getByText(/^1 of \d+ keys$/).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await choice('Test').waitFor();
    await page
      .locator('.totals')
      .getByRole('link', { name: /API keys$/ })
      .click();
    await h1('API keys');
    await choice('Both').waitFor();
    await page.getByText(/^(\d+) of \1 keys$/).waitFor();
    await choice('Live', false).click();
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await until(() => mode() === 'live');
    await page.goto('/dashboard/messages');
    await choice('Both').waitFor();
    await visit.post(`/api-keys/${key.api_key.id}`, {}, 'DELETE');
  });

  describe('of messages', () => {
    let failed: string;

    beforeAll(async () => {
      const { body } = await browser.call(browser.run.api_key, '/messages/interactive/button', {
        to: '+15550131026',
        body: 'Shall we ring the bell?',
        buttons: [{ id: 'ring', title: 'Ring the bell' }],
        reference: 'order-58213',
      });
      failed = body.error.details.message_id;
    });

    it('finds a recipient however the number is written', async () => {
      await visit.go('/messages?range=24h&status=nonsense');
      await page.getByLabel('Number, name, reference or id').fill('1 (555) 013-1026');
      await page.keyboard.press('Enter');
      await page.getByText('131026 Recipient not on WhatsApp').first().waitFor();
      expect(new URL(page.url()).searchParams.get('range')).toBe('24h');
    });

    it('keeps the column headings when nothing matches, and names the filters', async () => {
      await visit.go('/messages?range=7d&status=queued&q=nothing');
      await page.getByText('“nothing”, Queued, 7 days').waitFor();
      await until(async () => (await page.getByRole('columnheader').count()) === 8);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('link', { name: '+15550131026' }).first().waitFor();
    });

    it('says what an attempt meant, and shows the raw answer on request', async () => {
      await visit.go(`/messages/${failed}`);
      const steps = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
      const attempt = steps.filter({ hasText: 'Try 1' });
      await attempt.getByText('131026 Recipient not on WhatsApp').waitFor();
      expect(await attempt.getByText('fbtrace_id').isVisible()).toBe(false);
      await attempt.getByText('WhatsApp’s answer').click();
      await attempt.getByText('fbtrace_id').waitFor();
      // The step that failed says why, and what to do.
      const failure = steps.filter({ hasText: 'Failed' });
      await failure.getByText('131026 Recipient not on WhatsApp').waitFor();
      await failure.getByText('Parley does not try this message again.').waitFor();
      expect(await visit.barriers()).toEqual([]);
    });

    it('explains a code that Parley does not know by WhatsApp’s text, once', async () => {
      const { body } = await browser.call(browser.run.api_key, '/messages/text', {
        to: '+15550131028',
        body: 'Hello?',
      });
      const id = body.error.details.message_id;
      await visit.go(`/messages/${id}`);
      const steps = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
      await steps.filter({ hasText: 'Try 1' }).getByText('131028 Unknown error').waitFor();
      const failure = page.locator('.story-reason');
      await failure.getByText('131028 Unknown error', { exact: true }).waitFor();
      expect(await failure.innerText()).not.toMatch(/WhatsApp’s (own )?text|#131028/);
      await visit.go('/messages?status=failed&code=131028');
      await page.getByRole('row').getByText('131028 Unknown error', { exact: true }).waitFor();
    });

    it('says when a message is to be sent', async () => {
      const { body } = await browser.call(browser.run.api_key, '/messages/text', {
        to: '+12025550148',
        body: 'Your table is ready',
        send_at: new Date(Date.now() + 3 * hourMs).toISOString(),
      });
      await visit.go(`/messages/${body.data.message_id}`);
      const steps = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
      expect(await steps.allInnerTexts()).toEqual([
        expect.stringMatching(/^Scheduled[^]*“Your table is ready”/),
        expect.stringMatching(/^To be sent[^]*at .* \(in 3 hours\)/),
      ]);
    });

    it('opens a sent message in the playground', async () => {
      await visit.go(`/messages/${failed}`);
      await page.getByRole('link', { name: 'Open in playground' }).click();
      const json = page.getByLabel('Request body as JSON');
      await json.waitFor();
      expect(JSON.parse(await json.inputValue())).toEqual({
        to: '+15550131026',
        body: 'Shall we ring the bell?',
        buttons: [{ id: 'ring', title: 'Ring the bell' }],
        reference: 'order-58213',
      });
    });

    it('offers no retry for something that does not exist', async () => {
      await visit.go('/messages/01a202e7-0000-7000-8000-000000000000');
      await page.getByText('There is no such message.').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    });

    it('says how old the shown message is when it cannot reload', async () => {
      await browser.call(browser.run.api_key, '/messages/text', {
        to: '+12025550147',
        body: 'Your code is 493 028',
      });
      const { messages } = await visit.get('/messages?to=%2B12025550147');
      await visit.go(`/messages/${messages[0].message_id}`);
      await page.route('**/dashboard/messages/*', (route) => route.abort());
      await until(async () => {
        await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
        return page.getByText('This could not be refreshed.').isVisible();
      });
      await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    });
  });

  it('shows at the field what prevents signing in, and puts the focus there', async () => {
    const stranger = await browser.open({ signedIn: false });
    await stranger.go('/');
    await stranger.page.locator('input:focus').waitFor();
    await stranger.page.keyboard.type('nobody');
    await stranger.page.keyboard.press('Enter');
    await stranger.page.getByText('Write an address such as name@example.com').waitFor();
    expect(await stranger.page.getByLabel('Email address').inputValue()).toBe('nobody');
    expect(await stranger.barriers()).toEqual([]);
    await stranger.close();
  });

  it('tells which version runs, in the user’s menu', async () => {
    await visit.go('/keys');
    await page.getByRole('button', { name: browser.run.admin_email }).click();
    await page.getByRole('menu').getByText(`Parley ${version}`, { exact: true }).waitFor();
  });

  it('gives the focus back to what opened a dialog', async () => {
    await visit.go('/keys');
    const user = page.getByRole('button', { name: browser.run.admin_email });
    await user.click();
    await page.getByRole('menuitem', { name: 'Change password…' }).click();
    await page.getByRole('textbox', { name: 'Current password' }).waitFor();
    await page.keyboard.press('Escape');
    await until(async () => (await focused()).includes(browser.run.admin_email));
  });

  it('puts the focus on the harmless choice before it resends a message', async () => {
    const { messages } = await visit.get('/messages?status=failed');
    await visit.go(`/messages/${messages[0].message_id}`);
    await page.getByRole('button', { name: 'Send again…' }).click();
    await until(async () => (await focused()) === 'Cancel');
  });

  it('asks before you leave a half-written mapping', async () => {
    await until(async () => (await visit.get('/templates?mode=live')).templates.length > 0);
    await visit.go('/templates');
    const variable = page.getByLabel(/^Variable for/).first();
    await variable.fill('customer');
    await page.getByRole('link', { name: 'API keys' }).click();
    const question = page.getByRole('dialog', { name: /unsaved/ });
    await question.getByRole('button', { name: 'Keep writing' }).click();
    expect(await variable.inputValue()).toBe('customer');
    await page.getByRole('link', { name: 'API keys' }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await h1('API keys');
  });

  it('opens on a template of the key, and scrolls the list to the chosen one', async () => {
    // The key is live. A name has a template in each mode, and which of the two is last is chance.
    const { templates } = await visit.get('/templates?limit=200&mode=live');
    await visit.go('/templates');
    const chosen = page.locator('.template-rows [data-chosen="true"]');
    expect(await chosen.locator('[aria-current]', { hasText: 'test' }).count()).toBe(0);
    // What is next to the names is read later, for each key by itself.
    let held = 0;
    let release = () => {};
    const mappings = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/template-mappings', async (route) => {
      held += 1;
      await mappings;
      await route.continue();
    });
    await page.goto(`/dashboard/templates/${templates.at(-1).id}`);
    const isInView = () =>
      page.evaluate<boolean>(`(() => {
        const list = document.querySelector('.template-rows');
        const row = list?.querySelector('[data-chosen="true"]');
        return row?.getBoundingClientRect().bottom <= list?.getBoundingClientRect().bottom + 1;
      })()`);
    await until(async () => held > 0 && (await isInView()));
    release();
    await chosen
      .getByText(/mapping|mapped/i)
      .first()
      .waitFor({ state: 'attached' });
    expect(await isInView()).toBe(true);
  });

  it('names the filters that no delivery matches, and ignores unknown filter values', async () => {
    await visit.go('/webhooks?status=failed&event=message.received');
    await page.getByText('Failed, message.received').waitFor();
    await page.getByRole('columnheader', { name: 'Event' }).waitFor();
    await visit.go('/webhooks?status=nonsense');
    await page
      .getByRole('link', { name: /^message.status/ })
      .first()
      .waitFor();
  });

  it.each([
    ['/messages?status=nonsense', 'status “nonsense”'],
    ['/messages?status=failed,lost&type=x&range=week', 'status “lost”, type “x”, range “week”'],
    ['/contacts?opted_out=never', 'opted out “never”'],
    ['/campaigns?status=done', 'status “done”'],
    ['/requests?code=lower', 'code “lower”'],
    ['/audit-log?from=soon', 'from “soon”'],
  ])('says what of an address narrows nothing: %s', async (path, words) => {
    await visit.go(path);
    await page.getByText(`Not understood in the address: ${words}.`).waitFor();
  });

  it.each(['/requests?q=shop', '/audit-log?q=a'])(
    'shows nothing for a search that is not understood: %s',
    async (path) => {
      await visit.go(path);
      await page.getByText('The search was not understood').waitFor();
      expect(await page.locator('tbody tr').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    },
  );

  it('has the times of a list in one row of a phone, and no hints for a keyboard', async () => {
    const phone = await browser.open({ width: 'narrow' });
    await phone.go('/messages');
    const times = phone.page.locator('.time-bar > .segments button');
    await times.last().waitFor();
    const tops = await times.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    expect(tops.length).toBe(5);
    expect(new Set(tops).size).toBe(1);
    expect(await phone.overhang()).toBe(0);
    await phone.page.locator('.search input').waitFor();
    expect(await phone.page.locator('.search kbd').isVisible()).toBe(false);
    await phone.photograph('messages-phone-times');
    await phone.close();
    await visit.go('/messages');
    await page.locator('.search kbd').waitFor();
  });

  it('gives a delivery its own page on a phone', async () => {
    const phone = await browser.open({ width: 'narrow' });
    await phone.go('/webhooks');
    await phone.page
      .getByRole('link', { name: /^message.status/ })
      .first()
      .click();
    const title = { level: 1, name: /^Status \w+, message to \+\d+$/ };
    await phone.page.getByRole('heading', title).waitFor();
    await phone.close();
  });

  it('does not call a phone empty just because the list does not reach it', async () => {
    const to = (index: number) => `+1202555${1_000 + index}`;
    for (let index = 0; index < 101; index++) {
      await browser.call(browser.run.api_key, '/messages/text', { to: to(index), body: 'Hello' });
    }
    await visit.go(`/sandbox?phone=${encodeURIComponent(to(0))}`);
    const chosen = page.getByRole('region', { name: 'Phones' }).locator('[data-chosen="true"]');
    await chosen.getByText('Hello').waitFor();
    await page.getByLabel('Search phones').fill('+1 202 555 1042');
    await page.getByRole('button', { name: to(42) }).waitFor();
    await page.getByRole('button', { name: to(43) }).waitFor({ state: 'detached' });
  });
});
