import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { killIfThere } from '../support/kill.js';
import { temporaryFolder } from '../support/npm-start.js';
import { until } from '../support/until.js';
import { mapTemplate } from './campaigns.js';
import { DashboardBrowser, looks, type Visit } from './dashboard-browser.js';

const head = 'phone;customer;order;day;track;customer_no';
const lineOf = (index: number) =>
  `+44 7700 ${String(100_000 + index)};Priya ${index};ADV-${index};Sunday;a/${index};11-${index}`;

/** A file as a program for tables writes it, with these lines in place of its own. */
function fileOf(count: number, broken: Readonly<Record<number, string>> = {}) {
  const lines = Array.from({ length: count }, (_, index) => broken[index + 2] ?? lineOf(index));
  return {
    name: 'advent-uk.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([head, ...lines].join('\r\n')),
  };
}

/** Who has a list of people makes a campaign of it without a line of code. */
describe('who makes a campaign', () => {
  let browser: DashboardBrowser;
  let setUp: Visit;
  let visit: Visit;
  let page: Page;

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
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const posted = (path: RegExp) => visit.posts.filter((each) => path.test(each)).length;
  const choose = (file: ReturnType<typeof fileOf> | string) =>
    page.locator('input[type=file]').setInputFiles(file);
  /** Goes as far as the choice of a file. @returns the campaign's id */
  const draft = async (name: string) => {
    await visit.go('/campaigns?account=all');
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByPlaceholder('Choose a template').click();
    await page.getByRole('option', { name: /order_confirmation/ }).click();
    await page.getByLabel('Name').fill(name);
    await button('Next: recipients').dblclick();
    await page.getByRole('heading', { name: 'A CSV file of recipients' }).waitFor();
    // A double click makes one draft.
    expect(posted(/\/campaigns$/)).toBe(1);
    return /campaigns\/([^/]+)\/draft/.exec(page.url())?.[1] ?? '';
  };
  const seen = async () => {
    expect(await visit.barriers()).toEqual([]);
    expect(await visit.overhang()).toBe(0);
  };

  it('hears what is missing while no template has a mapping', async () => {
    await begin();
    await visit.go('/campaigns/new?account=all');
    await page.getByText('This key has no mapping.').waitFor();
    expect(await button('Next: recipients').isDisabled()).toBe(true);
    await seen();
    await mapTemplate(setUp);
  });

  it.each(looks)('from a file with wrong lines: in $theme, $width', async (look) => {
    await begin(look);
    const id = await draft('Advent');
    await seen();
    await choose(
      fileOf(40, {
        5: '7700 900 44;Ann;A;Sunday;a/1;1',
        9: '+447700200001;Ann;;Sunday;a/1;1',
        12: 'Zoë;ADV-1M0P',
        20: '+44 7700 100000;Ann;A;Sunday;a/1;1',
      }),
    );
    const problems = page.getByRole('list', { name: 'Lines with problems' }).locator('li');
    await problems.first().waitFor();
    const words = (await problems.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(words).toEqual([
      'Line 5 · phone Error 7700 900 44 No country code: a number starts with + or 00',
      'Line 9 · order Error (empty) Body {{2}} needs a value',
      'Line 12 Error Zoë · ADV-1M0P 2 columns, 6 expected',
      'Line 20 · phone Left out +44 7700 100000 Same person as line 2',
    ]);
    const phone = page.getByRole('region', { name: 'Preview on a phone' });
    await phone.getByText('Priya 0').waitFor();
    await button('Next recipient').click();
    await phone.getByText('Priya 1').waitFor();
    await visit.photograph('campaign-file');
    await seen();

    const saved = page.waitForEvent('download');
    await button('Problem lines').click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    expect(text).toContain('phone,customer,order,day,track,customer_no,line,problem');
    expect(text).toContain('Zoë,ADV-1M0P,,,,,12,"2 columns, 6 expected"');

    await button('Upload 36 recipients').click();
    await page.getByText('Uploaded 36 of 36').waitFor();
    await page.getByText('Estimate: 36 people').waitFor();
    await visit.photograph('campaign-uploaded');
    await seen();

    await page.getByRole('link', { name: 'Next: pace and time' }).click();
    await page.getByLabel('At most a second').fill('2');
    await visit.photograph('campaign-pace');
    await seen();
    await button('Next: check and start').click();
    await page.getByText('2 a second', { exact: true }).waitFor();
    await visit.photograph('campaign-check');
    await seen();
    await button('Send a test to me…').click();
    const own = page.getByLabel('Your number');
    await own.fill('0171 2345678');
    await own.blur();
    await page
      .getByText(/country code/)
      .last()
      .waitFor();
    await own.fill('+49 171 2345678');
    await seen();
    await button('Send test').click();
    await page.getByText('Test sent.').waitFor();
    await page.reload();
    await button('Send a test to me…').click();
    expect(await own.inputValue()).toBe('+49 171 2345678');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await button('Start…').click();
    await page
      .getByText(/It goes now to 36 people, one after another: about .+ at the present pace\./)
      .waitFor();
    await button('Send to 36 people').dblclick();
    await page.locator('h1 + span').getByText('Running').waitFor();
    expect(posted(/\/start$/)).toBe(1);
    expect(await setUp.get(`/campaigns/${id}`)).toMatchObject({
      status: 'running',
      per_second: 2,
      counts: { total: 36 },
    });
    await setUp.post(`/campaigns/${id}/cancel`);
  });

  it('sends to 5,000 people, each once, over a pause and the death of the worker', async () => {
    await begin();
    const id = await draft('Advent, all of it');
    await fetch(`${browser.run.simulator_url}/_simulator/messages`, { method: 'DELETE' });
    const broken = [318, 902, 1_990, 2_655, 3_104, 3_200, 3_300, 3_400, 3_500, 4_000];
    const words = ['7700 900 44', '', '+44', '+44 7700 900 38l', '+0447700900118'];
    await choose(
      fileOf(
        5_010,
        Object.fromEntries(
          broken.map((line, at) => [line, `${words[at % words.length]};Ann;A;Sunday;a;1`]),
        ),
      ),
    );
    await page.getByText('6 of 10').waitFor();
    await button('Show all 10').click();
    const problems = page.getByRole('list', { name: 'Lines with problems' }).locator('li b');
    const lines = (await problems.allInnerTexts()).map((text) => Number(text.replace(',', '')));
    expect(lines).toEqual(broken);
    await visit.photograph('campaign-5000-file');
    await button('Upload 5,000 recipients').click();
    await page.getByText('Uploaded 5,000 of 5,000').waitFor();
    await page.getByRole('link', { name: 'Next: pace and time' }).click();
    await page.getByLabel('At most a second').fill('600');
    await button('Next: check and start').click();
    await button('Start…').click();
    await button('Send to 5,000 people').click();
    await until(async () => (await setUp.get(`/campaigns/${id}`)).counts.pending < 4_500);
    await button('Pause').click();
    await page.getByText(`Paused by ${browser.run.admin_email}`).waitFor();
    await visit.photograph('campaign-5000-paused');
    const worker = browser.started.pidOf('Worker');
    killIfThere(worker);
    await button('Resume…').click();
    await button('Resume campaign').click();
    await until(async () => (await setUp.get(`/campaigns/${id}`)).status === 'completed', 60_000);
    expect(browser.started.pidOf('Worker')).not.toBe(worker);
    await page.locator('h1 + span').getByText('Completed').waitFor();
    await until(async () => (await setUp.get(`/campaigns/${id}`)).counts.sent === 0, 60_000);
    await visit.settled();
    await visit.photograph('campaign-5000-completed');

    await button('Export').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'As CSV' }).click();
    const results = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    expect(results).toHaveLength(5_000);
    // What the worker had claimed when it died, and not sent yet, is unconfirmed and never sent again.
    const ended = results.filter((line) => /,(?:delivered|read|unconfirmed),/.test(line));
    expect(ended).toHaveLength(5_000);
    const sent = results.filter((line) => !line.includes(',unconfirmed,')).length;
    const stats = await fetch(`${browser.run.simulator_url}/_simulator/stats`);
    expect(await stats.json()).toMatchObject({ accepted: sent, distinct: sent, duplicates: 0 });
  }, 180_000);

  it('goes on where a closed tab has left off', async () => {
    await begin();
    const id = await draft('Advent, large');
    // On the disk, where a file keeps the time of its last change.
    const path = join(temporaryFolder(), 'advent-uk.csv');
    writeFileSync(path, fileOf(3_500).buffer);
    let calls = 0;
    // The second call never comes back: the tab is closed meanwhile.
    await page.route('**/recipients', (route) => {
      calls += 1;
      if (calls === 1) void route.continue();
    });
    await choose(path);
    await button('Upload 3,500 recipients').click();
    await page.getByText('Uploading 1,000 of 3,500').waitFor();
    await until(() => calls === 2);
    await page.unroute('**/recipients');
    const again = await visit.context.newPage();
    await page.close({ runBeforeUnload: false });
    page = again;

    await page.goto(`/dashboard/campaigns/${id}/draft?account=all`);
    await page.getByText('Choose the file again to go on after line 1,001.').waitFor();
    // Whether the second call has arrived is not known, and does not matter.
    await page.getByText(/^[12],000 recipients so far$/).waitFor();
    // A file that has changed since begins at its first line.
    await choose(fileOf(3_500));
    await page.getByText('The file has changed since its upload was cut off').waitFor();
    await choose(path);
    await page.getByText('Goes on after line 1,001, with 2,500 recipients.').waitFor();
    expect(
      await page.getByRole('combobox', { name: 'Column for the recipient' }).isDisabled(),
    ).toBe(true);
    await button('Go on').click();
    await page.getByText('Uploaded 3,500 of 3,500').waitFor();
    expect((await setUp.get(`/campaigns/${id}`)).counts).toMatchObject({ total: 3_500 });
  });

  it('is told what Parley refuses, by the lines of the file, and starts over with other columns', async () => {
    await begin();
    const id = await draft('Advent, refused');
    await page.route('**/recipients', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.invalid = [{ index: 1, fields: { 'variables.day': 'must not be blank' } }];
      await route.fulfill({ response: answer, json: body });
    });
    await choose(fileOf(3));
    await button('Upload 3 recipients').click();
    const problems = page.getByRole('list', { name: 'Lines with problems' }).locator('li');
    await problems.first().waitFor();
    expect((await problems.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'Line 3 · day Error Sunday Must not be blank',
    ]);
    await button('Start over').click();
    await page.getByRole('heading', { name: 'A CSV file of recipients' }).waitFor();
    expect(page.url()).not.toContain(id);
    expect((await setUp.get(`/campaigns/${id}`)).status).toBe('cancelled');
  });

  it('is told of a time that does not exist, of one that comes twice, and of half a time', async () => {
    await begin({ timezoneId: 'Europe/Berlin' });
    const id = await draft('Advent, in spring');
    await choose(fileOf(3));
    await button('Upload 3 recipients').click();
    await page.getByRole('link', { name: 'Next: pace and time' }).click();
    await page.getByRole('switch', { name: 'Begin at a time' }).click();
    const field = page.getByLabel('When it begins');
    await field.fill('2027-03-28T02:30');
    await page.getByText('There is no 02:30 on 28 Mar 2027: clocks are put forward.').waitFor();
    await seen();
    await button('Next: check and start').click();
    await field.fill('2027-10-31T02:30');
    await page.getByText('This is the first one, 00:30 UTC.').waitFor();
    await seen();
    // A field with a part left out has no value.
    await field.fill('');
    await page.getByText('Enter a date and a time.').waitFor();
    await button('Next: check and start').click();
    expect(await field.isVisible()).toBe(true);
    expect((await setUp.get(`/campaigns/${id}`)).send_at).toBeNull();
    await page.getByRole('switch', { name: 'Begin at a time' }).click();
    await button('Next: check and start').click();
    await page.getByText('As soon as you start it').waitFor();
  });

  it('sees that a file is none, and that Parley does not answer', async () => {
    await begin();
    await draft('Advent, broken');
    await choose({ ...fileOf(0), buffer: Buffer.alloc(0) });
    await page.getByText('The file is empty.').waitFor();
    await page.route('**/recipients', (route) => route.abort());
    await choose(fileOf(3));
    await button('Upload 3 recipients').click();
    await page.getByText('Parley does not answer. What is uploaded stays.').waitFor();
    await page.unroute('**/recipients');
    await button('Go on').click();
    await page.getByText('Uploaded 3 of 3').waitFor();
  });
});
