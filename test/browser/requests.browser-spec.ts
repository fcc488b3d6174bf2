import type { Locator, Page } from 'playwright-core';
import { hourMs } from '#libs/durations';
import { until } from '../support/until.js';
import { DashboardBrowser, looks, type Visit } from './dashboard-browser.js';

/** Who is told “your API refused us” finds out why. */
describe('who looks into the requests of a caller', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;
  let refusedId: string;
  let sentId: string;
  let messageId: string;
  let keyId: string;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    const { api_key: key } = browser.run;
    const refused = await browser.call(key, '/messages/interactive/list', { to: '12', body: '' });
    refusedId = refused.body.meta.request_id;
    await browser.call('another unknown key', '/templates');
    const sent = await browser.call(key, '/messages/text', { to: '+14155550123', body: 'Hello' });
    sentId = sent.body.meta.request_id;
    messageId = sent.body.data.message_id;
    const setUp = await browser.open();
    await until(async () => {
      const { requests } = await setUp.get('/requests');
      return requests.some(({ request_id: id }: any) => id === sentId);
    });
    [{ id: keyId }] = (await setUp.get('/api-keys')).api_keys;
    await setUp.close();
  }, 180_000);

  afterAll(() => browser?.stop());

  const begin = async (look = {}) => {
    visit = await browser.open(look);
    ({ page } = visit);
  };

  afterEach(async () => {
    expect(visit.faults).toEqual([]);
    await visit.close();
  });

  /** What is open. */
  const panel = (): Locator => page.getByRole('region', { name: 'Request', exact: true });
  const rows = () => page.locator('tbody tr');
  const asked = (name: string) => new URL(page.url()).searchParams.get(name);

  it.each(looks)(
    'finds why a request was refused by three keys: in $theme, $width',
    async (look) => {
      await begin(look);
      await visit.go('/?account=all');
      // Ctrl K, paste, Enter.
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search the dashboard' }).waitFor();
      await page.keyboard.insertText(refusedId);
      await page.getByRole('option', { name: /VALIDATION_ERROR/ }).waitFor();
      await page.keyboard.press('Enter');

      await panel().getByText('VALIDATION_ERROR').waitFor();
      expect(
        await panel().getByText('The request is not valid. No message was made.').count(),
      ).toBe(1);
      const fields = await panel().getByRole('listitem').allInnerTexts();
      expect(fields.toSorted()).toEqual(['body', 'button', 'sections', 'to']);
      await visit.settled();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await visit.photograph('request');
      expect(await visit.barriers()).toEqual([]);
      expect(await visit.overhang()).toBe(0);
    },
  );

  it('moves to the next and the previous row, by keys and by buttons', async () => {
    await begin();
    await visit.go('/requests?account=all');
    await rows().getByRole('link', { name: 'POST /messages/text' }).click();
    await panel().getByText('Request accepted').waitFor();
    expect(await panel().getByRole('button', { name: 'Newer request' }).isDisabled()).toBe(true);
    await page.keyboard.press('ArrowDown');
    await panel().getByText('Request refused').waitFor();
    expect(asked('request_id')).toBe(refusedId);
    expect(await page.locator(':focus').innerText()).toBe('POST /messages/interactive/list');
    await page.keyboard.press('ArrowUp');
    await panel().getByText('Request accepted').waitFor();
    await panel().getByRole('button', { name: 'Older request' }).click();
    await panel().getByText('Request refused').waitFor();
    await panel().getByRole('button', { name: 'Close the request' }).click();
    await panel().waitFor({ state: 'detached' });
    expect(asked('request_id')).toBeNull();
  });

  it('moves on a narrow screen too, and comes back to the list', async () => {
    await begin({ width: 'narrow' });
    await visit.go(`/requests?account=all&request_id=${sentId}`);
    await panel().getByRole('button', { name: 'Older request' }).click();
    await panel().getByText('Request refused').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await rows().first().waitFor();
  });

  it('goes on to the message, the key, and what was refused alike', async () => {
    await begin();
    await visit.go(`/requests?account=all&request_id=${refusedId}`);
    await panel().getByText('None was made').waitFor();
    await panel().getByText('1 request of this key was refused like this').waitFor();
    await panel().getByRole('link', { name: 'Show them' }).click();
    await page.getByText('1 match').waitFor();
    expect([asked('key'), asked('code'), asked('request_id')]).toEqual([
      keyId,
      'VALIDATION_ERROR',
      refusedId,
    ]);
    await panel().getByRole('link', { name: 'demo', exact: true }).waitFor();
    await visit.go(`/messages/${messageId}`);
    await page.getByRole('link', { name: sentId.slice(0, 13) }).click();
    await panel().getByText('Request accepted').waitFor();
    await panel().getByRole('link', { name: 'Open the message' }).click();
    await page.waitForURL(new RegExp(`/messages/${messageId}`));
  });

  it('narrows the list, and finds an address and an id in one field', async () => {
    await begin();
    await visit.go('/requests?account=all');
    await page.getByText('1 call, unknown key').waitFor();
    await page.getByText('from 127.0.0.1, in one minute').waitFor();
    await page.getByRole('button', { name: 'Accepted', exact: true }).click();
    await page.getByText('1 match').waitFor();
    await page.getByRole('button', { name: 'Refused', exact: true }).click();
    await page.getByText('2 matches').waitFor();
    await page.getByRole('button', { name: '+ Route' }).click();
    await page.getByRole('menuitem', { name: '/messages/interactive/list' }).click();
    await page.getByText('1 match').waitFor();
    await page.getByRole('button', { name: '+ Error code' }).click();
    await page.getByRole('menuitem', { name: 'WINDOW_CLOSED' }).click();
    await page.getByText('No request matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    const field = page.getByRole('textbox', { name: 'Request id or address' });
    await field.fill('192.0.2.200');
    await field.press('Enter');
    await page.getByText('No request matches').waitFor();
    await field.fill('nonsense');
    await field.press('Enter');
    await page.getByText('“nonsense” is neither a request id').waitFor();
    await field.fill(refusedId);
    await field.press('Enter');
    await panel().getByText('VALIDATION_ERROR').waitFor();
  });

  it('comes from what the overview and a key say of refused calls', async () => {
    await begin();
    for (const [path, key] of [
      ['/', null],
      [`/keys/${keyId}`, keyId],
    ] as const) {
      await visit.go(`${path}?account=all`);
      await page.getByRole('link', { name: 'refused', exact: true }).first().click();
      await page.waitForURL(/\/requests/);
      expect([asked('result'), asked('key'), asked('range')]).toEqual(['refused', key, '24h']);
      await visit.go(`${path}?account=all`);
      await page.locator('a[href*="/requests?"] rect').click();
      await rows().getByText('VALIDATION_ERROR').waitFor();
      expect([asked('result'), asked('key')]).toEqual(['refused', key]);
      expect(Date.parse(asked('to') ?? '') - Date.parse(asked('from') ?? '')).toBe(hourMs);
    }
  });

  it.each([
    [7, 'No request yet'],
    [0, 'Requests are not logged'],
  ])('hears why nothing is there when requests are kept for %s days', async (days, title) => {
    await begin();
    await page.route('**/api/v1/dashboard/requests?*', (route) =>
      route.fulfill({
        json: {
          success: true,
          data: { requests: [], next_cursor: null },
          meta: { request_id: 'req_1', total: 0, total_is_exact: true, kept_days: days },
        },
      }),
    );
    await visit.go('/requests?account=all');
    await page.getByText(title).waitFor();
    expect(await visit.barriers()).toEqual([]);
  });

  it('hears that the log has no such request, and that it cannot be read', async () => {
    await begin();
    await visit.go(`/requests?account=all&request_id=req_${'0'.repeat(32)}`);
    await panel().getByText('The log has no request').waitFor();
    await page.route('**/api/v1/dashboard/requests?*', (route) => route.abort());
    await visit.go('/requests?account=all');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  it.each(looks)(
    'has bodies kept, and sees which field is wrong: in $theme, $width',
    async (look) => {
      await begin(look);
      await visit.go(`/keys/${keyId}?account=all`);
      await page.getByRole('button', { name: 'Keep bodies…' }).click();
      await page.getByText('For an hour from now').waitFor();
      await visit.settled();
      await visit.photograph('keep-bodies');
      expect(await visit.barriers()).toEqual([]);
      await page.getByRole('button', { name: 'Keep bodies for an hour' }).click();
      await page.getByText('Bodies of its requests are kept,').waitFor();
      expect(await page.getByRole('button', { name: 'Keep bodies…' }).count()).toBe(0);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await visit.settled();
      await visit.photograph('bodies-kept');
      expect(await visit.barriers()).toEqual([]);
      expect(await visit.overhang()).toBe(0);

      const { api_key: key } = browser.run;
      const refused = await browser.call(key, '/messages/text', {
        to: 4155550123,
        body: 'For Mia',
      });
      await visit.go(`/requests?account=all&request_id=${refused.body.meta.request_id}`);
      const body = panel().getByRole('region', { name: 'json code' });
      await body.waitFor();
      expect(JSON.parse(await body.innerText())).toEqual({
        to: '41…23, as a number',
        body: 'text of 7 characters',
      });
      await visit.settled();
      await visit.photograph('request-body');
      expect(await visit.barriers()).toEqual([]);
      expect(await visit.overhang()).toBe(0);

      await visit.go(`/keys/${keyId}?account=all`);
      await page.getByRole('button', { name: 'Keep no more bodies' }).click();
      await page.getByRole('button', { name: 'Keep bodies…' }).waitFor();
    },
  );

  it('leads from a template that was not found to those of the key', async () => {
    const refused = await browser.call(browser.run.api_key, '/messages/template/send', {
      to: '+14155550123',
      template_name: 'no_such_template',
      language: 'en',
    });
    const id = refused.body.meta.request_id;
    expect(refused.body.error.code).toBe('TEMPLATE_NOT_FOUND');
    await begin();
    await until(async () => (await visit.get('/requests')).requests[0].request_id === id);
    await visit.go(`/requests?account=all&request_id=${id}`);
    await panel().getByText('The answer named the template.').waitFor();
    await visit.photograph('request-template');
    expect(await visit.barriers()).toEqual([]);
    await panel().getByRole('link', { name: 'Templates that this key can send' }).click();
    await page.waitForURL(new RegExp(`/templates.*key=${keyId}`));
  });
});
