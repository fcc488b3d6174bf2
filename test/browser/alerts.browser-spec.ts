import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { hourMs } from '#libs/durations';
import { newUser, password } from '../support/dashboard.js';
import { until } from '../support/until.js';
import { demoNumber } from '../support/webhooks.js';
import { DashboardBrowser, looks, type Visit } from './dashboard-browser.js';

/** What needs attention: one list on the overview, on the page Alerts, and in the count next to its name. */
describe('what needs attention', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;
  let receiver: Server;
  let status = 410;
  let endpoint: { id: string; keyId: string };
  let clicks: number;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    browser = await DashboardBrowser.start();
    visit = await browser.open();
    ({ page } = visit);
    await page.exposeFunction('tellClick', () => (clicks += 1));
    await page.addInitScript("document.addEventListener('click', () => window.tellClick(), true)");
  }, 180_000);

  beforeEach(() => {
    clicks = 0;
  });

  afterEach(() => expect(visit.faults).toEqual([]));

  afterAll(async () => {
    await browser?.stop();
    receiver.close();
  });

  const list = () => page.getByRole('region', { name: 'Needs attention' });
  const titles = () => list().locator('li .strong').allInnerTexts();
  const strip = () => page.getByRole('region', { name: 'Endpoints' });
  const sideCount = () =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Alerts/ });

  it('is nothing while all is well', async () => {
    await visit.go('/alerts');
    await list().getByText('All is well').waitFor();
    await page
      .getByText(/No alert has been resolved yet\. Mappings that no longer fit, .*not kept/)
      .waitFor();
    expect(await sideCount().innerText()).toBe('Alerts');
  });

  it('is an endpoint that is switched off, the same on every page that lists it', async () => {
    const { api_key: key } = await visit.post('/api-keys', {
      name: 'fragile',
      permissions: ['send_text'],
    });
    const { port } = receiver.address() as AddressInfo;
    const { webhook } = await visit.post(`/api-keys/${key.id}/webhooks`, {
      name: 'Stock',
      url: `http://127.0.0.1:${port}/`,
    });
    endpoint = { id: webhook.id, keyId: key.id };
    await visit.post(`/api-keys/${key.id}/webhooks/${webhook.id}/test`);
    await until(async () => (await visit.get('/overview')).failing_endpoints.length === 1);
    const expected = ['Endpoint “Stock” of “fragile” is switched off'];
    for (const path of ['/', '/alerts']) {
      await visit.go(path);
      await list().getByText('Fix your endpoint.').waitFor();
      await list()
        .getByText(/^Since/)
        .waitFor();
      expect(await titles()).toEqual(expected);
      expect(await list().getByText('All is well').count()).toBe(0);
      await sideCount().getByText('1 open').waitFor();
    }
  });

  it('leads to the deliveries of the endpoint in at most two clicks', async () => {
    await visit.go('/alerts');
    await list().getByRole('link', { name: '1 event failed for good' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('endpoint')).toBe(endpoint.id);
    // What was delivered is not in the list that "Redeliver all" is about.
    expect(searchParams.get('status')).toBe('failed');
    await page.getByText('1 match', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'webhook.test' }).first().waitFor();
    expect(clicks).toBeGreaterThan(0);
    expect(clicks).toBeLessThanOrEqual(2);
  });

  it('comes first in the strip of endpoints, which filters the deliveries below it', async () => {
    await visit.post(`/api-keys/${endpoint.keyId}/webhooks`, {
      name: 'Unused',
      url: 'https://crm.example/hooks',
    });
    await visit.go('/webhooks');
    const tiles = strip().getByRole('listitem');
    await tiles.filter({ hasText: 'crm.example/hooks' }).getByText('No deliveries').waitFor();
    // The chosen endpoint is tested, and no other; one that is switched off gets nothing.
    const test = page.getByRole('button', { name: 'Send test event', exact: true });
    await tiles.filter({ hasText: 'crm.example/hooks' }).getByRole('button').first().click();
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith('/test')),
      test.click(),
    ]);
    expect(sent.url()).toMatch(new RegExp(`/api-keys/${endpoint.keyId}/webhooks/[^/]+/test$`));
    await page.waitForURL(/\/webhooks\/[\da-f-]{36}/);
    await page.getByText('Test event sent to Unused (crm.example/hooks).').waitFor();
    await visit.go(`/webhooks?endpoint=${endpoint.id}`);
    await tiles.first().getByText('Disabled', { exact: true }).waitFor();
    expect(await test.count()).toBe(0);
    await visit.go('/webhooks');
    const stock = tiles.first();
    await stock.getByText('fragile · Stock').waitFor();
    await stock.getByText('Disabled', { exact: true }).waitFor();
    await stock.getByText(/^Disabled since .* It answered 410 Gone\.$/).waitFor();
    await stock.getByText('1 event', { exact: true }).waitFor();
    const choice = stock.getByRole('button', { name: /^Deliveries to .*, Stock$/ });
    const asked = () => new URL(page.url()).searchParams.get('endpoint');
    await choice.click();
    await until(() => asked() === endpoint.id);
    expect(await choice.getAttribute('aria-pressed')).toBe('true');
    await page.getByText('1 shown').waitFor();
    await choice.click();
    await until(() => asked() === null);
  });

  it('has no test event before somebody says which endpoint gets it', async () => {
    await visit.post(`/api-keys/${endpoint.keyId}/webhooks`, {
      name: 'Ledger',
      url: 'https://ledger.example/hooks',
    });
    await visit.go('/webhooks');
    await page.getByRole('button', { name: 'Send test event…' }).click();
    const question = page.getByRole('dialog', { name: 'Send a test event to which endpoint?' });
    const go = question.getByRole('button', { name: 'Send test event' });
    expect(await go.isDisabled()).toBe(true);
    const choice = question.getByRole('radio', { name: /^Ledger of fragile/ });
    await question.getByText('ledger.example/hooks').waitFor();
    // One that is switched off cannot get it.
    expect(await question.getByRole('radio', { name: /^Stock/ }).count()).toBe(0);
    await choice.check();
    expect(await visit.barriers()).toEqual([]);
    const named = page.getByRole('dialog', { name: 'Send a test event to “Ledger”?' });
    await named.getByRole('button', { name: 'Send to Ledger' }).click();
    await page.getByText('Test event sent to Ledger (ledger.example/hooks).').waitFor();
    await visit.go('/webhooks');
    await page.getByRole('button', { name: 'Send test event to Unused' }).click();
    await page.getByText('Test event sent to Unused (crm.example/hooks).').waitFor();
  });

  it('is told before everything is delivered to the endpoint again', async () => {
    await visit.go(`/webhooks?event=webhook.test&status=failed&key=${endpoint.keyId}`);
    await page.getByRole('button', { name: 'Redeliver all…' }).click();
    const question = page.getByRole('dialog', { name: /^Redeliver 1 failed event to http/ });
    await question.getByText('“Stock” is switched off.').waitFor();
    await question.getByText('410', { exact: false }).waitFor();
    await question.getByText(/Enable it first/).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await question.getByRole('button', { name: 'Redeliver 1', exact: true }).click();
    // It named the one endpoint, and so does the line of the job, also when the page is loaded again.
    const line = page.locator('.job-line').filter({ hasText: 'Redeliver all to Stock (127.0.0.1' });
    await line.getByRole('button', { name: 'Dismiss' }).waitFor();
    await visit.go('/webhooks');
    await line.getByRole('button', { name: 'Dismiss' }).click();
    await line.waitFor({ state: 'detached' });
    // Nobody answers at the other endpoints, which would be alerts, too. Before, their events would fail as deleted ones.
    const path = `/api-keys/${endpoint.keyId}/webhooks`;
    const { webhooks } = await visit.get(path);
    for (const { id } of webhooks) {
      if (id !== endpoint.id) await visit.post(`${path}/${id}`, undefined, 'DELETE');
    }
  });

  it.each(looks)('can be read in the $theme theme, $width', async ({ theme, width }) => {
    const other = await browser.open({ theme, width });
    const pages = [
      ['/', 'Fix your endpoint.', 'overview-attention'],
      ['/alerts', 'Fix your endpoint.', 'alerts-open'],
      ['/webhooks', 'fragile · Stock', 'webhooks-strip'],
    ] as const;
    for (const [path, text, photograph] of pages) {
      await other.go(path);
      await other.page.getByText(text).first().waitFor();
      await other.photograph(photograph);
      expect(await other.barriers()).toEqual([]);
      expect(await other.overhang()).toBe(0);
    }
    await other.close();
  });

  it('stays visible once it is resolved', async () => {
    status = 200;
    await visit.go('/alerts');
    await list().getByRole('link', { name: 'Open the key' }).click();
    // The key's page has the words of the list of webhooks.
    const item = page.getByRole('listitem').filter({ hasText: 'Stock' });
    await item.getByText('Disabled', { exact: true }).waitFor();
    await item.getByText(/^Disabled since .* It answered 410 Gone\. Its events fail/).waitFor();
    await item.getByText('0 % of 1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enable endpoint' }).click();
    await sideCount().getByText('1 open').waitFor({ state: 'detached' });
    await sideCount().click();
    await list().getByText('All is well').waitFor();
    const resolved = page.getByRole('region', { name: 'Resolved' }).getByRole('listitem');
    await resolved.getByText('Webhook disabled').waitFor();
    await resolved.getByText(/^Resolved/).waitFor();
    await page.getByText(/^Mappings that no longer fit, .*not kept here\.$/).waitFor();
    await visit.photograph('alerts-resolved');
    expect(await visit.barriers()).toEqual([]);
  });

  it('of an endpoint that works again leads to the events of that time', async () => {
    const ended = {
      id: '0198a000-0000-7000-8000-000000000000',
      account_id: (await visit.get('/accounts')).accounts[0].id,
      kind: 'endpoint_failed',
      subject: endpoint.id,
      message: 'The endpoint “Stock” of the API key “demo” failed. It works again.',
      details: { api_key_id: endpoint.keyId, endpoint_id: endpoint.id, failures: 43 },
      created_at: '2026-11-20T10:00:00.000Z',
      resolved_at: '2026-11-20T10:12:00.000Z',
      owner: null,
      muted_until: null,
    };
    await page.route('**/api/v1/dashboard/alerts?*', (route) =>
      route.fulfill({ json: { data: { alerts: [ended] } } }),
    );
    await visit.go('/alerts');
    const line = page.getByRole('region', { name: 'Resolved' }).getByRole('listitem');
    await line.getByText('Endpoint failed', { exact: true }).waitFor();
    await line.getByText(/It works again\. 43 failed attempts\./).waitFor();
    await visit.photograph('alerts-endpoint-failed');
    await line.getByRole('link', { name: 'Events of that time' }).click();
    await page.waitForURL(/\/webhooks\?/);
    const asked = new URL(page.url()).searchParams;
    expect([asked.get('endpoint'), asked.get('from'), asked.get('to')]).toEqual([
      endpoint.id,
      ended.created_at,
      ended.resolved_at,
    ]);
    await page.unrouteAll();
  });

  it('is enabled from the strip, and gets what it missed', async () => {
    status = 410;
    const path = `/api-keys/${endpoint.keyId}/webhooks/${endpoint.id}`;
    await visit.post(`${path}/test`);
    await until(async () => (await visit.get('/overview')).failing_endpoints.length === 1);
    status = 200;
    await visit.go('/webhooks');
    await strip().getByRole('button', { name: 'Enable and recover Stock…' }).click();
    const question = page.getByRole('dialog', { name: /^Enable “Stock” and recover 2 events\?$/ });
    await question.getByText('Successful deliveries are not repeated.').waitFor();
    await question.getByRole('button', { name: 'Enable and recover' }).click();
    const tile = strip().getByRole('listitem').filter({ hasText: 'fragile · Stock' });
    await tile.getByRole('status').getByText('2 events handed over').waitFor();
    await tile.getByText('Healthy').waitFor();
    await question.waitFor({ state: 'detached' });
    await until(async () => {
      const { webhook } = await visit.get(path);
      return webhook.health.failed === 0 && webhook.health.waiting === 0;
    });
  });

  it('is taken, muted and unmuted', async () => {
    const { businessAccountId, phoneNumberId } = demoNumber;
    const rate = async (quality: string) => {
      const answer = await fetch(`${browser.run.simulator_url}/_simulator/numbers`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          phone_number_id: phoneNumberId,
          business_account_id: businessAccountId,
          quality_rating: quality,
        }),
      });
      expect(answer.status).toBe(200);
      await visit.post(`/accounts/${browser.run.account_id}/check`);
    };
    const button = (name: string) => page.getByRole('button', { name: `${name}: Number quality` });
    const muted = page.getByRole('region', { name: 'Muted' });
    const { user } = await visit.get('/session');
    await rate('RED');
    await visit.go('/alerts');
    await page.getByText('alert.raised').waitFor();
    await sideCount().getByText('1 open').waitFor();
    expect(await muted.count()).toBe(0);
    await button('Take').click();
    await list().getByText(`Taken by ${user.email}`).waitFor();
    await button('Give back').click();
    await button('Take').click();
    await list().getByText(`Taken by ${user.email}`).waitFor();

    const before = Date.now();
    await button('Mute').click();
    await page.getByRole('menuitem', { name: 'For 8 hours' }).click();
    await muted.getByText(/^Muted until/).waitFor();
    await muted.getByText(`Taken by ${user.email}`).waitFor();
    await list().getByText('All is well').waitFor();
    await sideCount().getByText('1 open').waitFor({ state: 'detached' });
    const { alerts } = await visit.get('/overview');
    const lasts = Date.parse(alerts[0].muted_until) - before;
    expect(Math.round(lasts / hourMs)).toBe(8);
    await visit.photograph('alerts-muted');
    expect(await visit.barriers()).toEqual([]);
    const narrow = await browser.open({ width: 'narrow' });
    await narrow.go('/alerts');
    await narrow.page.getByText(/^Muted until/).waitFor();
    await narrow.photograph('alerts-muted');
    expect(await narrow.barriers()).toEqual([]);
    expect(await narrow.overhang()).toBe(0);
    await narrow.close();

    const role = { role: 'viewer', account_id: browser.run.account_id };
    const { user: viewer } = await visit.post('/users', newUser(role));
    const looker = await browser.open({ signedIn: false });
    await looker.post('/session', { email: viewer.email, password });
    await looker.go('/alerts');
    await looker.page.getByText(/^Muted until/).waitFor();
    const changes = looker.page.getByRole('button', { name: /Number quality$/ });
    expect(await changes.count()).toBe(0);
    await looker.close();
    await visit.go('/');
    expect(await page.getByText('Number quality').count()).toBe(0);

    await visit.go('/alerts');
    await button('Unmute').click();
    await list().getByText(`Taken by ${user.email}`).waitFor();
    await sideCount().getByText('1 open').waitFor();
    await muted.waitFor({ state: 'detached' });
    await visit.photograph('alerts-taken');
    expect(await visit.barriers()).toEqual([]);
    await rate('GREEN');
    await until(async () => (await visit.get('/overview')).alerts.length === 0);
  });
});
