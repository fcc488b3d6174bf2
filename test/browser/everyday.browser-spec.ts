import type { Page } from 'playwright-core';
import { DashboardBrowser, type Visit } from './dashboard-browser.js';

/** What people run into who use the dashboard every day. */
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

  it('a page whose parts an update took away is loaded anew once, and then when asked to', async () => {
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
});
