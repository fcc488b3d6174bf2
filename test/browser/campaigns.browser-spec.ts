import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.js';
import { startCampaign } from './campaigns.js';
import { DashboardBrowser, looks, type Visit } from './dashboard-browser.js';

const count = 400;

/** Who has begun a campaign follows it, and stops it when something is wrong. */
describe('who watches over campaigns', () => {
  let browser: DashboardBrowser;
  let setUp: Visit;
  let visit: Visit;
  let page: Page;
  let started = 0;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    setUp = await browser.open();
  }, 180_000);

  afterAll(() => browser?.stop());

  afterEach(async () => {
    expect(visit.faults).toEqual([]);
    await visit.close();
  });

  const begin = async (look = {}) => {
    visit = await browser.open(look);
    ({ page } = visit);
  };
  /** A campaign that takes minutes, of which a message has failed. */
  const running = async (given: { failing?: string } = {}) => {
    const name = `Advent ${++started}`;
    const id = await startCampaign(browser, setUp, { name, count, perSecond: 2, ...given });
    await until(async () => (await setUp.get(`/campaigns/${id}`)).counts.failed === 1);
    return { id, name };
  };
  const statusOf = async (id: string) => (await setUp.get(`/campaigns/${id}`)).status;
  const badge = (status: string) => page.locator('h1 + span').getByText(status, { exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** The numbers of the legend. */
  const expectBooks = async () => {
    const counts = await page
      .getByRole('list', { name: 'Recipients by status' })
      .locator('b')
      .allInnerTexts();
    expect(counts.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0)).toBe(count);
  };

  /** Only a code that cannot be helped is there: nobody is chosen until the user says so. */
  const expectChoice = async (failed: number) => {
    const code = page.getByRole('checkbox', {
      name: `131026 Recipient not on WhatsApp, or cannot receive the message: ${failed}`,
    });
    await code.waitFor();
    expect(await code.isChecked()).toBe(false);
    await page.getByText('Do not send again: reach the recipient in another way.').waitFor();
    expect(await button('Make a draft').isDisabled()).toBe(true);
    await page.getByText(/left out: another try most likely cannot help \(131026\)\.$/).waitFor();
    expect(await visit.overhang()).toBe(0);
    await visit.photograph('campaign-retry');
    expect(await visit.barriers()).toEqual([]);
    await code.check();
    expect(await page.getByText('left out').count()).toBe(0);
    await button(`Make a draft of ${failed} recipient`).click();
  };

  it('hears how campaigns are made while there is none', async () => {
    await begin();
    await visit.go('/campaigns?account=all');
    await page.getByText('No campaign yet').waitFor();
    await button('Copy a curl command').click();
    await button('Copied').waitFor();
    expect(await visit.barriers()).toEqual([]);
  });

  it.each(looks)('pauses, resumes and cancels one: in $theme, $width', async (look) => {
    const { id, name } = await running();
    await begin(look);
    await visit.go('/campaigns?account=all');
    await page.getByRole('link', { name, exact: true }).click();
    await badge('Running').waitFor();
    await expectBooks();
    await visit.photograph('campaign-running');
    expect(await visit.barriers()).toEqual([]);

    await button('Pause').click();
    await badge('Paused').waitFor();
    await page.getByText(`Paused by ${browser.run.admin_email}`).waitFor();
    await expectBooks();
    expect(await statusOf(id)).toBe('paused');
    await visit.photograph('campaign-paused');
    expect(await visit.barriers()).toEqual([]);

    await button('Resume…').click();
    await page.getByText('at most 2 a second').waitFor();
    await button('Keep it paused').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await statusOf(id)).toBe('paused');
    await button('Resume…').click();
    await button('Resume campaign').click();
    await badge('Running').waitFor();
    await expectBooks();

    await button('Cancel…').click();
    await page.getByText('recipients will get nothing').waitFor();
    expect(await visit.barriers()).toEqual([]);
    await button('Cancel campaign').click();
    await badge('Cancelled').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectBooks();
    expect(await statusOf(id)).toBe('cancelled');
    expect(await button('Cancel…').count()).toBe(0);
    expect(await visit.overhang()).toBe(0);
    expect(await visit.barriers()).toEqual([]);

    // No name of a button is cut.
    await page.getByRole('button', { name: /^Send to the rest/ }).waitFor();
    const cut = await page.locator('.page-actions button').evaluateAll((all) =>
      all
        .flatMap((each) => [...each.querySelectorAll('*')])
        .filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)
        .map((each) => each.textContent),
    );
    expect(cut).toEqual([]);
    await visit.photograph('campaign-cancelled');

    // What follows is a draft: nothing is sent before it is started.
    const { counts } = await setUp.get(`/campaigns/${id}`);
    await button(`Cancelled ${counts.cancelled}`).waitFor();
    const drafts: [string, string, number][] = [
      [`Send to the rest (${counts.cancelled})…`, `${name} (rest)`, counts.cancelled],
      ['Retry anyway…', `${name} (retry)`, counts.failed],
      ['Duplicate', `${name} (copy)`, 0],
    ];
    for (const [verb, title, total] of drafts) {
      await visit.go(`/campaigns/${id}?account=all`);
      await button(verb).click();
      if (verb.startsWith('Retry')) await expectChoice(counts.failed);
      if (verb.startsWith('Send')) {
        await page.getByText('Nothing is sent before you start it.').waitFor();
        await button(`Make a draft of ${counts.cancelled} recipients`).click();
      }
      await page.waitForURL(/\/draft/);
      await page.getByText(title).first().waitFor();
      // A retry opens where it is started, and says what it was made from; a copy has nobody yet.
      const step = total === 0 ? 'Recipients' : 'Check and start';
      await page.locator('.draft-steps [aria-current=step]', { hasText: step }).waitFor();
      if (total > 0) {
        await page
          .getByText(/(A retry|The rest) of /)
          .first()
          .waitFor();
        expect(await page.getByRole('link', { name, exact: true }).getAttribute('href')).toContain(
          id,
        );
        await visit.photograph(`campaign-draft-${total}`);
      }
      const draftId = page.url().match(/campaigns\/([^/]+)\/draft/)?.[1];
      expect(await setUp.get(`/campaigns/${draftId}`)).toMatchObject({
        name: title,
        status: 'draft',
        counts: { total },
      });
    }
    // Who is in a retry cannot be tried again: the page says so and offers the retries instead.
    await visit.go(`/campaigns/${id}?account=all`);
    await page
      .getByText(
        `${counts.cancelled} of ${counts.cancelled} who got nothing are in the draft “${name} (rest)”, which was not started.`,
      )
      .waitFor();
    await page
      .getByText(`1 of 1 failed is in the draft “${name} (retry)”, which was not started.`)
      .waitFor();
    expect(await page.getByRole('link', { name: 'Open it' }).count()).toBe(2);
    await page.getByRole('link', { name: `${name} (rest)` }).waitFor();
    await page.getByText(`(draft, ${counts.cancelled} recipients)`).waitFor();
    expect(await page.getByRole('button', { name: /Send to the rest|Retry/ }).count()).toBe(0);
    expect(await visit.overhang()).toBe(0);
    await visit.photograph('campaign-tried-again');
    await page.getByRole('link', { name: `${name} (retry)` }).click();
    await badge('Draft').waitFor();
    // A draft has recipients, and no figures of a run.
    await page.getByText(String(counts.failed), { exact: true }).first().waitFor();
    expect(await page.getByRole('region', { name: 'Progress' }).count()).toBe(0);
    expect(await page.getByText('A pause keeps back').count()).toBe(0);
  });

  it.each(looks)(
    'stops one and sends to the failed and the rest, in six clicks: in $theme, $width',
    async (look) => {
      // WhatsApp takes the message and reports a failure that another try can help.
      const { id, name } = await running({ failing: '+15551131000' });
      await begin(look);
      await visit.go(`/campaigns/${id}?account=all`);
      let clicks = 0;
      await page.exposeFunction('tellClick', () => (clicks += 1));
      await page.evaluate("document.addEventListener('click', () => window.tellClick(), true)");
      await button('Cancel…').click();
      await page.getByText('You can still send to them').waitFor();
      await button('Cancel campaign').click();
      await badge('Cancelled').waitFor();
      const { cancelled } = (await setUp.get(`/campaigns/${id}`)).counts;
      await button(`Retry the failed and the rest (${cancelled + 1})…`).click();
      const rest = page.getByRole('checkbox', { name: /^The rest, to whom it never sent: \d+$/ });
      expect(await rest.isChecked()).toBe(true);
      await visit.settled();
      await visit.photograph('campaign-failed-and-rest');
      expect(await visit.barriers()).toEqual([]);
      expect(await visit.overhang()).toBe(0);
      await button(`Make a draft of ${cancelled + 1} recipients`).click();
      await page.getByText(`, and ${cancelled} to whom it never sent.`).waitFor();
      await button('Start…').click();
      await button(`Send to ${cancelled + 1} people`).click();
      await badge('Running').waitFor();
      expect(clicks).toBe(6);
      const retryId = page.url().match(/campaigns\/([0-9a-f-]+)/)?.[1] ?? '';
      expect(await setUp.get(`/campaigns/${retryId}`)).toMatchObject({
        name: `${name} (retry)`,
        retry_of: id,
        counts: { total: cancelled + 1 },
      });
      // It must not have sent to everybody before its campaign is looked at.
      await setUp.post(`/campaigns/${retryId}/pause`);
      const all = cancelled + 1;
      const notice = `${all} of ${all} who failed or got nothing are in “${name} (retry)”`;
      await visit.go(`/campaigns/${id}?account=all`);
      await page.getByText(`${notice}, which is paused.`).waitFor();
      await setUp.post(`/campaigns/${retryId}/cancel`);
      await visit.go(`/campaigns/${id}?account=all`);
      await page.getByText('Retries of the failed and the rest').waitFor();
      expect(await page.getByText(notice).count()).toBe(0);
    },
  );

  it('sees what is known of one, each word apart from the next, on a phone', async () => {
    const { id } = await running();
    await begin({ width: 'narrow' });
    await page.route(`**/api/v1/dashboard/campaigns/${id}`, async (route) => {
      const answer = await route.fetch();
      const { data } = await answer.json();
      const counts = { ...data.counts, unconfirmed: 2, sending: 1 };
      await route.fulfill({ json: { data: { ...data, counts, rate: null, eta_seconds: null } } });
    });
    await visit.go(`/campaigns/${id}?account=all`);
    const legend = page.getByRole('list', { name: 'Recipients by status' });
    await legend.getByText('Unconfirmed').waitFor();
    const spilled = await legend
      .getByRole('link')
      .evaluateAll((all) =>
        all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
      );
    expect(spilled).toEqual([]);
    const progress = page.getByRole('region', { name: 'Progress' });
    expect(await progress.innerText()).toMatch(/Rate limit\s+2 a second/);
    expect(await progress.getByText(/^(Rate|Ends in about)$/).count()).toBe(0);
    await visit.photograph('campaign-rate-unknown');
    await page.unrouteAll();
    await setUp.post(`/campaigns/${id}/cancel`);
  });

  it('reads number, status and reason of who failed on a phone', async () => {
    const { id } = await running();
    await begin({ width: 'narrow' });
    await visit.go(`/campaigns/${id}?account=all&status=failed`);
    const row = page.locator('.recipients-table tbody tr');
    const boxOf = async (found: Locator) => {
      const box = await found.boundingBox();
      if (!box) throw new Error('It is not shown.');
      return box;
    };
    const link = row.getByRole('link', { name: '+15550131026' });
    await link.waitFor();
    expect(await link.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    const number = await boxOf(link);
    expect(number.width).toBeGreaterThan(90);
    const badgeBox = await boxOf(row.locator('.badge'));
    expect(badgeBox.x).toBeGreaterThan(number.x + 90);
    const reason = await boxOf(row.locator('.recipient-why'));
    expect(reason.y).toBeGreaterThanOrEqual(badgeBox.y + badgeBox.height);
    expect(reason.x).toBe(number.x);
    expect(await visit.overhang()).toBe(0);
    await visit.photograph('campaign-failed-recipient');
    await setUp.post(`/campaigns/${id}/cancel`);
  });

  it('finds who failed and why, and goes on to the message and back', async () => {
    const { id, name } = await running();
    await begin();
    await visit.go(`/campaigns/${id}?account=all`);
    await page.getByRole('link', { name: /\d running/ }).waitFor();
    const codes = page.getByRole('region', { name: 'Failures by code' });
    await codes.getByText('Recipient not on WhatsApp').waitFor();
    await codes.getByRole('link', { name: 'Recipients with code 131026' }).click();
    const rows = page.locator('.recipients-table tbody tr');
    await until(async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toMatch(/\+15550131026[^]*Failed[^]*131026[^]*11-1/);
    expect(new URL(page.url()).searchParams.get('code')).toBe('131026');

    // There is a filter for each status that has recipients, and for no other.
    expect(await page.getByRole('button', { name: / 0$/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Skipped 0' }).click();
    await page.getByText('No recipient matches').waitFor();
    await button('Clear filters').click();
    await button('Failed 1').click();
    await until(async () => (await rows.count()) === 1);
    await button('Export').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'As CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/recipients.*failed.*\.csv$/);

    await rows.getByRole('link', { name: '+15550131026' }).click();
    await page.getByRole('heading', { level: 1, name: '+15550131026' }).waitFor();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();

    await visit.go('/messages?account=all&q=15550131026');
    await page.getByText(`· campaign ${name}`).first().waitFor();
    await visit.photograph('messages-of-campaign');
    await visit.go('/messages?account=all&q=987');
    await page
      .getByText('“987”. Type at least the last four digits of a number. Searched: ids')
      .waitFor();
    await setUp.post(`/campaigns/${id}/cancel`);
  });

  it('comes from the alert to a campaign that paused by itself', async () => {
    const { id, name } = await running();
    const campaign = await setUp.get(`/campaigns/${id}`);
    const { api_key: key } = await setUp.get(`/api-keys/${campaign.api_key_id}`);
    await setUp.post(`/api-keys/${key.id}`, { daily_limit: 1 }, 'PATCH');
    await until(async () => (await statusOf(id)) === 'paused');
    await begin();
    await visit.go('/alerts?account=all');
    await page.getByRole('link', { name: 'Open the campaign' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText('Paused: 90 % of the key’s day used').waitFor();
    await page.getByText('It goes on by itself tomorrow (UTC)').waitFor();
    // From now on it is somebody's decision.
    await button('Keep paused').click();
    await page.getByText(`Paused by ${browser.run.admin_email}`).waitFor();
    await setUp.post(`/api-keys/${key.id}`, { daily_limit: key.daily_limit }, 'PATCH');
    await setUp.post(`/campaigns/${id}/cancel`);
  });

  it('hears that there is no such campaign, and that the list cannot be read', async () => {
    await begin();
    await visit.go('/campaigns/00000000-0000-7000-8000-000000000000?account=all');
    await page.getByText('CAMPAIGN_NOT_FOUND').waitFor();
    await page.route('**/api/v1/dashboard/campaigns?*', (route) => route.abort());
    await visit.go('/campaigns?account=all');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });
});
