import type { Page } from 'playwright-core';
import { until } from '../support/until.js';
import { DashboardBrowser, type Visit } from './dashboard-browser.js';

const to = '+447700900531';

/** How often a page that nobody touches reads from Parley. The seconds are those of the page's clock. */
describe('a page that is only looked at', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;
  let reads: string[];
  let open: number;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    await browser.call(browser.run.api_key, '/messages/interactive/button', {
      to,
      body: 'Will you be at home?',
      buttons: [{ id: 'yes', title: 'Yes' }],
    });
    visit = await browser.open();
    ({ page } = visit);
    const { messages } = await until(async () => {
      const found = await visit.get(`/simulator/messages?to=${encodeURIComponent(to)}`);
      return found.messages.length > 0 && found;
    });
    await visit.post(`/simulator/messages/${encodeURIComponent(messages[0].id)}/reply`, {
      button_id: 'yes',
    });
    await until(async () => {
      const path = '/webhook-deliveries?event=message.received&status=succeeded';
      return (await visit.get(path)).deliveries.length > 0;
    });
    open = 0;
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/api/')) return;
      open += 1;
      reads.push(pathname.replace('/api/v1/dashboard', ''));
    });
    const close = (request: { url(): string }) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) open -= 1;
    };
    page.on('requestfinished', close);
    page.on('requestfailed', close);
    await page.clock.install();
  }, 180_000);

  beforeEach(() => {
    reads = [];
  });

  afterAll(() => browser?.stop());

  const answered = () => until(async () => open === 0);

  /** What the page reads while its clock goes on; every answer arrives before it does. */
  async function readIn(seconds: number): Promise<string[]> {
    await answered();
    reads = [];
    for (let half = 0; half < 2 * seconds; half++) {
      await page.clock.runFor(500);
      await answered();
    }
    return reads;
  }

  const count = (paths: readonly string[], path: string) =>
    paths.filter((each) => each.startsWith(path)).length;

  const show = (state: 'hidden' | 'visible') =>
    page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    `);

  it('reads a conversation often just after it was opened, then every five seconds', async () => {
    await visit.go(`/sandbox?phone=${encodeURIComponent(to)}`);
    await page
      .getByRole('region', { name: `Phone ${to}` })
      .getByText('at home?')
      .first()
      .waitFor();
    expect(count(await readIn(8), '/simulator/conversation')).toBeGreaterThan(3);
    await readIn(10);
    const minute = await readIn(60);
    expect(count(minute, '/simulator/conversation')).toBeLessThanOrEqual(13);
    expect(minute.length).toBeLessThanOrEqual(22);
  });

  it('reads nothing in a tab that is hidden', async () => {
    await show('hidden');
    expect(await readIn(60)).toEqual([]);
    await show('visible');
    await until(async () => reads.length > 0);
  });

  it('asks once for each thing when it is opened', async () => {
    for (const path of ['/messages', '/webhooks', '/keys', '/contacts', '/audit-log']) {
      reads = [];
      await visit.go(path);
      await answered();
      expect([path, reads.length]).toEqual([path, new Set(reads).size]);
    }
  });

  it('does not ask again for the pages of a list that somebody has opened one after the other', async () => {
    const sends = Array.from({ length: 30 }, (_, at) =>
      browser.call(browser.run.api_key, '/messages/text', {
        to: `+141555502${10 + at}`,
        body: 'One of many',
      }),
    );
    await Promise.all(sends);
    await visit.go('/messages');
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByText('31 shown').waitFor();
    expect(count(await readIn(30), '/messages')).toBe(0);
    // Contacts who never wrote are no older than others.
    await until(async () => (await visit.get('/contacts?limit=100')).contacts.length > 30);
    await visit.go('/contacts');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(/^3[1-9] shown$/).waitFor();
  });

  it('asks for no delivery on the overview once the first reply has arrived', async () => {
    await visit.go('/');
    await page.getByRole('region', { name: 'Needs attention' }).waitFor();
    expect(count(await readIn(60), '/webhook-deliveries')).toBe(0);
  });
});
