import type { Locator } from 'playwright-core';
import { until } from '../support/until.js';
import { DashboardBrowser, looks, type Visit } from './dashboard-browser.js';

const number = { phone_number_id: '300000000000801', business_account_id: '400000000000801' };
const pin = '482913';

/** What a number lacks that was just bought. */
const bare = { registered: false, pin, subscribed: false, has_payment_method: false };

/** An account from its form to its first live message, by the checklist of its page. */
describe('going live', () => {
  let browser: DashboardBrowser;
  let visit: Visit;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    visit = await browser.open();
  }, 180_000);

  afterAll(() => browser?.stop());

  afterEach(() => expect(visit.faults).toEqual([]));

  const simulator = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${browser.run.simulator_url}/_simulator/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer.json() as Promise<any>;
  };
  /** Waits until a row of the checklist is in a state. */
  const row = async (id: string, state: string, { page }: Visit = visit): Promise<Locator> => {
    const found = page.locator(`[data-item="${id}"][data-state="${state}"]`);
    await found.waitFor({ timeout: 30_000 });
    return found;
  };
  const newAccount = async (name: string, end: string): Promise<string> => {
    const { account } = await visit.post('/accounts', {
      name,
      phone_number_id: `300000000000${end}`,
      business_account_id: `400000000000${end}`,
      display_phone_number: '+44 20 7946 0191',
      access_token: 'a-token',
      app_secret: 'a-secret',
    });
    return account.id;
  };

  it('takes at most 17 clicks from “Create account” to a live message', async () => {
    const { page } = visit;
    let clicks = 0;
    const click = async (target: Locator) => {
      await target.click();
      clicks += 1;
    };
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await visit.go('/accounts');
    await click(page.getByRole('link', { name: 'Create account' }));
    await page.getByLabel('Name').fill('Fernhill Express');
    await page.getByLabel('Number', { exact: true }).fill('+44 20 7946 0191');
    await page.getByLabel('Phone number id').fill(number.phone_number_id);
    await page.getByLabel('Business account id').fill(number.business_account_id);
    await page.getByLabel('Access token', { exact: true }).fill('a-token');
    await page.getByLabel('App secret', { exact: true }).fill('a-secret');
    await page.getByText('1 is the phone number id, 2 the business account id').waitFor();
    await simulator('PUT', 'numbers', { ...number, ...bare });
    await click(button('Create account'));

    await page.getByText('2 of 8 done').waitFor();
    await page.getByText('Not verified', { exact: true }).waitFor();
    await page.getByText('Not live yet').waitFor();
    const unregistered = await row('number', 'missing');
    await click(button('Register number'));
    await unregistered.getByText('A PIN has six digits.').waitFor();
    await unregistered.getByLabel('PIN').fill('000000');
    await click(button('Register number'));
    await unregistered.getByText(/Wrong two-step PIN \(133005\)/).waitFor();
    await unregistered.getByLabel('PIN').fill(pin);
    await click(button('Register number'));
    await row('number', 'done');

    await click(button('Copy callback URL'));
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    expect(await copied()).toMatch(/^http.*\/platform\/whatsapp\/webhooks\/[0-9a-f-]{36}$/);
    await click(button('Copy verify token'));
    const verifyToken = await copied();
    expect(await page.getByText(verifyToken).count()).toBe(0);
    expect(await simulator('POST', 'handshake', { verify_token: verifyToken })).toMatchObject({
      confirmed: true,
    });
    await simulator('PUT', 'numbers', { ...number, has_payment_method: true });
    await click(button('Check all now'));
    await row('callback', 'done');
    await row('payment', 'done');
    await page.getByText('Verified', { exact: true }).waitFor();

    await click(button('Subscribe the app'));
    await row('subscription', 'done');
    await row('webhook', 'missing');
    await simulator('POST', 'inbound', {
      from: '+447700900142',
      text: 'Hello',
      phone_number_id: number.phone_number_id,
    });
    // Nobody asks for it.
    await row('webhook', 'done');

    await click(page.getByRole('link', { name: 'Create key' }));
    // The page that is left has a field with this name, too.
    await page.getByRole('heading', { name: 'Create an API key' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('fernhill');
    expect(await page.getByRole('checkbox', { name: 'send_template' }).isChecked()).toBe(true);
    await click(button('Create key'));
    await click(page.getByLabel('I have stored these secrets'));
    await click(button('Back to going live'));
    const test = await row('test_message', 'missing');
    // Parley syncs the templates of a new account by itself.
    await test.getByLabel('Your phone number').fill('+44 7700 900142');
    await click(button('Send test message'));
    await page.getByText('8 of 8 done').waitFor();
    expect(await page.getByText('Not live yet').count()).toBe(0);
    const { messages } = await visit.get('/messages?to=%2B447700900142&type=template');
    expect(messages).toMatchObject([{ type: 'template', mode: 'live' }]);
    expect(clicks).toBeLessThanOrEqual(14);
  }, 120_000);

  it('is seen in the list of accounts, with the last webhook', async () => {
    await visit.go('/accounts');
    const verified = visit.page.getByRole('row', { name: /Fernhill Express/ });
    await verified.getByText('Verified', { exact: true }).waitFor();
    await verified.locator('[data-name="Last webhook"] time').waitFor();
    await verified.getByText('Green', { exact: true }).waitFor();
    await verified.getByText('No limit', { exact: true }).waitFor();
    const demo = visit.page.getByRole('row', { name: /Demo/ });
    await demo.getByText('Not verified').waitFor();
  });

  it('shows at its row why WhatsApp refused the test message, and what a real one costs', async () => {
    const accountId = await newAccount('Fernhill Market', '802');
    await visit.post('/api-keys', {
      name: 'market',
      permissions: ['send_template'],
      account_id: accountId,
    });
    await visit.post('/templates/sync', { account_id: accountId });
    const { page } = visit;
    await visit.go(`/accounts/${accountId}`);
    const test = await row('test_message', 'missing');
    const send = test.getByRole('button', { name: 'Send test message' });
    await send.click();
    await test.getByText(/^A number with its country code/).waitFor();
    await test.getByText(/nothing is charged/).waitFor();
    await test.getByLabel('Your phone number').fill('+1 555 013 1026');
    await send.click();
    const refusal = test.getByRole('alert');
    await refusal.waitFor();
    expect(await refusal.innerText()).toContain('131026');
    await row('test_message', 'missing');

    await page.route('**/api/v1/dashboard/session', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.whatsapp_simulated = false;
      await route.fulfill({ response: answer, json: body });
    });
    await visit.go(`/accounts/${accountId}`);
    await test.getByText(/through WhatsApp\. Charges apply\./).waitFor();
    const color = await send.evaluate<string, null>(
      (element) => (globalThis as any).getComputedStyle(element).backgroundColor,
      null,
    );
    expect(color).toBe('rgb(180, 83, 9)');
    await page.unroute('**/api/v1/dashboard/session');
  });

  describe.each(looks)('in $theme, $width', (look) => {
    const end = `${810 + looks.indexOf(look)}`;
    let looked: Visit;
    let accountId: string;

    beforeAll(async () => {
      accountId = await newAccount(`Look ${end}`, end);
      await simulator('PUT', 'numbers', {
        phone_number_id: `300000000000${end}`,
        business_account_id: `400000000000${end}`,
        ...bare,
      });
      looked = await browser.open(look);
    });

    afterAll(() => looked?.close());

    const fits = async (name: string) => {
      await looked.settled();
      await looked.photograph(name);
      expect(await looked.barriers()).toEqual([]);
      expect(await looked.overhang()).toBe(0);
      expect(looked.faults).toEqual([]);
    };

    it('can be used with what is missing, refused and shown', async () => {
      const { page } = looked;
      await looked.go(`/accounts/${accountId}`);
      const unregistered = await row('number', 'missing', looked);
      await unregistered.getByLabel('PIN').fill('000000');
      await page.getByRole('button', { name: 'Register number' }).click();
      await unregistered.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Show the verify token' }).click();
      await page.getByRole('button', { name: 'All five places' }).click();
      await page.getByText('4 is the app secret.').waitFor();
      await fits('go-live-missing');
    });

    it('and with a token that WhatsApp does not accept, which is replaced', async () => {
      await visit.post(`/accounts/${accountId}`, { access_token: 'expired-token' }, 'PATCH');
      await looked.go(`/accounts/${accountId}`);
      const refused = await row('token', 'failed', looked);
      await refused.getByText(/WhatsApp answers 190/).waitFor();
      await row('number', 'unknown', looked);
      await fits('go-live-failed');
      const { page } = looked;
      await refused.getByRole('button', { name: 'Enter another token' }).click();
      const field = page.getByLabel('Access token', { exact: true });
      await page.locator(':focus').and(field).waitFor();
      await field.fill('a-token');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await row('token', 'done', looked);
    });
  });

  describe.each(looks)('the health of the number in $theme, $width', (look) => {
    const end = `${830 + looks.indexOf(look)}`;
    const own = {
      phone_number_id: `300000000000${end}`,
      business_account_id: `400000000000${end}`,
    };
    let looked: Visit;

    afterAll(() => looked?.close());

    it('is shown with its history, in the list of accounts, and as alerts', async () => {
      const accountId = await newAccount(`Health ${end}`, end);
      const token = `token-${end}`;
      await visit.post(`/accounts/${accountId}`, { access_token: token }, 'PATCH');
      looked = await browser.open(look);
      const { page } = looked;
      await looked.go(`/accounts/${accountId}`);
      const card = page.getByRole('region', { name: 'Number health' });
      await card.getByText('Green', { exact: true }).waitFor({ timeout: 30_000 });
      await card.getByText('Never', { exact: true }).waitFor();
      await card.getByText('Quality first reported: Green').waitFor({ timeout: 30_000 });

      await simulator('PUT', 'numbers', {
        ...own,
        quality_rating: 'RED',
        messaging_limit: 'TIER_2K',
        name_status: 'PENDING_REVIEW',
      });
      const inDays = (days: number) => Math.floor(Date.now() / 1_000) + days * 86_400;
      await simulator('PUT', 'tokens', { access_token: token, expires_at: inDays(9) });
      await card.getByRole('button', { name: 'Check number' }).click();
      await card.getByText('Red', { exact: true }).waitFor();
      await card.getByText('2,000 people in 24 hours', { exact: true }).waitFor();
      await card.getByText('In review', { exact: true }).waitFor();
      await card.getByText('Token ends in 9 days').waitFor();
      await card.getByText('Quality Green → Red').waitFor();
      await card.getByRole('button', { name: 'All history' }).click();
      await card.getByText('Limit first reported: No limit').waitFor();
      const fits = async (name: string) => {
        await looked.settled();
        await looked.photograph(name);
        expect(await looked.barriers()).toEqual([]);
        expect(await looked.overhang()).toBe(0);
        expect(looked.faults).toEqual([]);
      };
      await fits('number-health');
      await looked.go('/accounts');
      const listed = page.getByRole('row', { name: new RegExp(`Health ${end}`) });
      await listed.getByText('Red', { exact: true }).waitFor();
      await listed.getByText('Token ends in 9 days').waitFor();
      await fits('number-health-list');
      await looked.go('/alerts');
      await page.getByText('Token expiring').first().waitFor();
      await page
        .getByText(/rates the quality of the number as low/)
        .first()
        .waitFor();
    }, 90_000);
  });

  it('says that the checklist cannot be read, and tries again', async () => {
    const { page } = visit;
    const accountId = await newAccount('Fernhill Away', '820');
    await page.route('**/checklist', (route) => route.abort());
    await visit.go(`/accounts/${accountId}`);
    const card = page.getByRole('region', { name: 'Go live' });
    const again = card.getByRole('button', { name: /again/i });
    await again.waitFor({ timeout: 30_000 });
    await page.unroute('**/checklist');
    await again.click();
    await until(async () => (await card.getByText(/of 8 done/).count()) > 0);
  });
});
