import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { until } from '../support/until.js';
import { startCampaign } from './campaigns.js';
import { DashboardBrowser, type Visit } from './dashboard-browser.js';

/** What users are told before they end something, and where numbers lead: a campaign runs, and an endpoint fails. */
describe('who ends something that is in use', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;
  let receiver: Server;
  let keyId: string;
  let endpointId: string;
  let url: string;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/stock`;
    browser = await DashboardBrowser.start();
    visit = await browser.open();
    ({ page } = visit);
    await startCampaign(browser, visit, { name: 'Spring sale', count: 600, perSecond: 1 });
    const { api_keys: keys } = await visit.get('/api-keys');
    keyId = keys.find((each: any) => each.name === 'demo').id;
    const { webhook } = await visit.post(`/api-keys/${keyId}/webhooks`, {
      name: 'Warehouse',
      url,
      // Nobody writes: only test events wait for it.
      events: ['message.received'],
    });
    endpointId = webhook.id;
    for (let count = 0; count < 3; count += 1) {
      await visit.post(`/api-keys/${keyId}/webhooks/${endpointId}/test`);
    }
    await until(async () => (await visit.get('/overview')).failing_endpoints.length === 1);
  }, 180_000);

  afterEach(() => expect(visit.faults).toEqual([]));

  afterAll(async () => {
    await browser?.stop();
    receiver.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it.each([
    ['Switch off…', 'will pause'],
    ['Suspend…', 'will pause'],
    ['Revoke…', 'will pause for good'],
    ['Delete…', 'will pause for good'],
  ])('hears before “%s” which campaign stops', async (verb, stop) => {
    await visit.go(`/keys/${keyId}`);
    expect(await page.getByText('Spring sale').count()).toBe(0);
    await button(verb).first().click();
    const question = page.getByRole('dialog');
    await question.getByText(`1 campaign runs with it and ${stop}: Spring sale.`).waitFor();
    const isEnd = stop.endsWith('good');
    await until(async () => {
      const waiting = await question.getByText(/^\d+ events wait for its endpoints/).count();
      return waiting === (isEnd ? 1 : 0);
    });
    expect(await visit.barriers()).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  it('hears what is deleted with a key', async () => {
    const { webhooks } = await visit.get(`/api-keys/${keyId}/webhooks`);
    const words =
      webhooks.length === 1 ? '1 webhook endpoint' : `${webhooks.length} webhook endpoints`;
    await visit.go(`/keys/${keyId}`);
    await button('Delete…').first().click();
    const question = page.getByRole('dialog');
    await question.getByText(`Its 1 template mapping and ${words} are deleted.`).waitFor();
    await visit.photograph('keys-delete-in-use');
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  it('hears how many events wait for an endpoint, and where it is', async () => {
    await visit.go(`/keys/${keyId}`);
    await button('Actions for Warehouse').click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Warehouse”?' });
    await question.getByText('3 events wait for it and will not be delivered.').waitFor();
    await question.getByText(url, { exact: true }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  it('is not asked to recover while events only wait, and is led to them', async () => {
    await visit.go(`/keys/${keyId}`);
    await button('Actions for Warehouse').click();
    await page.getByRole('menuitem', { name: 'Recover what it missed…' }).click();
    const question = page.getByRole('dialog', { name: 'Recover what “Warehouse” missed?' });
    await question.getByText(/No event has failed for good since/).waitFor();
    await question.getByText('3 events still wait for their next try.').waitFor();
    await question.getByText('so there is nothing to recover').waitFor();
    const go = question.getByRole('button', { name: 'Recover events' });
    expect(await go.isDisabled()).toBe(true);
    expect(await visit.barriers()).toEqual([]);
    // Nobody has counted what failed before that day.
    await question.getByLabel('Since').fill('2026-01-01T00:00');
    await until(() => go.isEnabled());
    await question.getByRole('link', { name: 'Redeliver what waits' }).click();
    await page.getByText('3 matches').waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('endpoint'), searchParams.get('status')]).toEqual([
      endpointId,
      'waiting',
    ]);
    await button('Redeliver all…').waitFor();
  });

  it.each([
    ['/webhooks?status=failed', 'Redeliver all…'],
    ['/messages?status=failed&q=nobody-has-this', 'Send all again…'],
    ['/messages?status=scheduled', 'Cancel all…'],
  ])('is not asked about nothing: %s', async (path, verb) => {
    await visit.go(path);
    await page.getByText('0 matches').waitFor();
    expect(await button(verb).isDisabled()).toBe(true);
    expect(await button(verb).getAttribute('title')).toBe('Nothing matches the filters');
    await visit.go(`/webhooks?endpoint=${endpointId}`);
    await page.getByText('3 matches').waitFor();
    expect(await button('Redeliver all…').isDisabled()).toBe(false);
  });

  it.each(['/alerts', '/'])('comes from %s to exactly the events that wait', async (path) => {
    await visit.go(path);
    const list = page.getByRole('region', { name: 'Needs attention' });
    await list.getByText('Endpoint “Warehouse” of “demo” fails').waitFor();
    const link = list.getByRole('link', { name: '3 events wait' });
    await link.waitFor();
    expect(await list.getByRole('link', { name: /failed for good/ }).count()).toBe(0);
    await link.click();
    await page.getByText('3 matches').waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('endpoint')).toBe(endpointId);
    expect(searchParams.get('status')).toBe('waiting');
    await button('Redeliver all…').click();
    await page.getByRole('dialog', { name: /^Redeliver 3 waiting events to http/ }).waitFor();
    await button('Cancel').click();
  });

  it('is led from the name of an endpoint in the search to its deliveries', async () => {
    await visit.go('/webhooks?q=wareh');
    const field = page.getByLabel('Number, contact’s name, reference or id');
    expect(await field.getAttribute('placeholder')).toBe('Number, name, reference or id');
    await page.getByText('No delivery matches').waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page.getByRole('button', { name: /^Deliveries to endpoint Warehouse \(/ }).click();
    await page.getByText('3 matches').waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('endpoint'), searchParams.get('q')]).toEqual([endpointId, null]);
  });

  it('reads in the audit log what came of a job, and opens the list that it was about', async () => {
    await visit.post('/jobs', {
      kind: 'redeliver',
      filter: { status: 'waiting', endpoint_id: endpointId },
    });
    await visit.go('/audit-log');
    const row = page.getByRole('row').filter({ hasText: 'Job started' });
    await row.getByText(/^3 of 3 events handed over: 0 delivered/).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await row.getByRole('link', { name: 'Redeliver all' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('endpoint')).toBe(endpointId);
    expect(searchParams.get('status')).toBe('waiting');
  });
});
