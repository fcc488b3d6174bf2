import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { DashboardBrowser, looks, themes, type Visit } from './dashboard-browser.js';

const message = {
  to: '+14155550188',
  body: 'Will you be at home?',
  buttons: [{ id: 'yes', title: 'Yes' }],
};

/** A key from its creation to the refusal of its requests. */
describe('the life of an API key', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;
  let key: string;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    visit = await browser.open();
    ({ page } = visit);
  }, 180_000);

  afterAll(() => browser?.stop());

  afterEach(() => expect(visit.faults).toEqual([]));

  // The label names the list of a TagsInput, too.
  const addresses = (): Locator => page.locator('input').and(page.getByLabel('Allowed addresses'));
  const send = () => browser.call(key, '/messages/interactive/button', message);

  it('begins with a form that leads to the first field that is wrong', async () => {
    await visit.go('/keys/new');
    const name = page.getByRole('textbox', { name: 'Name' });
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator(':focus').and(name).waitFor();
    await name.fill('demo');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('This account has a key with this name.').waitFor();
    await page.locator(':focus').and(name).waitFor();
    await name.fill('demo-2');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('names what is wrong with an attribute', async () => {
    await visit.go('/keys/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('orders-api');
    await page.getByRole('textbox', { name: 'Description' }).fill('The shop’s order system');
    await addresses().fill('10.0.0.300');
    await addresses().press('Enter');
    await page.getByText(/“10\.0\.0\.300” is not an address/).waitFor();
    await visit.photograph('keys-new-wrong');
    expect(await visit.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Remove 10.0.0.300' }).click();
  });

  it('takes every attribute, and shows the secrets once', async () => {
    for (const permission of ['send_text', 'view_messages']) {
      await page.getByRole('checkbox', { name: permission }).check();
    }
    await page.getByRole('textbox', { name: 'Per minute' }).fill('120');
    await page.getByRole('textbox', { name: 'Per day (UTC)' }).fill('5000');
    await page.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'In 30 days' }).click();
    await addresses().fill('127.0.0.0/8');
    await addresses().press('Enter');
    const receiver = `${browser.run.simulator_url}/_simulator/receiver`;
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver);
    await page.getByRole('switch', { name: 'Event feed' }).press('Space');
    await visit.photograph('keys-new-filled');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Key “orders-api” is ready' }).waitFor();
    await visit.photograph('keys-created');
    expect(await visit.barriers()).toEqual([]);
    key = (await page.getByText(/^pk_live_\w{40}$/).innerText()).trim();
    const { api_keys: keys } = await visit.get('/api-keys');
    expect(keys.find(({ name }: { name: string }) => name === 'orders-api')).toMatchObject({
      description: 'The shop’s order system',
      mode: 'live',
      permissions: ['send_text', 'view_messages'],
      rate_limit_per_minute: 120,
      daily_limit: 5_000,
      expires_at: expect.any(String),
      allowed_ips: ['127.0.0.0/8'],
      require_signature: false,
      active: true,
      webhook: { url: receiver },
      event_feed: true,
    });
  });

  it('asks before the secrets are lost', async () => {
    const done = page.getByRole('button', { name: 'Done' });
    expect(await done.isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Messages' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without the secrets?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByLabel('I have stored these secrets').check();
    await done.click();
    await page.getByRole('heading', { level: 1, name: 'orders-api', exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  it('sends with fetch, and the message is there', async () => {
    expect(await send()).toMatchObject({ status: 200, body: { data: { status: 'sent' } } });
    await visit.go('/messages');
    await page.getByRole('link', { name: message.to }).click();
    await page.getByRole('heading', { level: 1, name: message.to }).waitFor();
    await page.getByText('Read', { exact: true }).first().waitFor();
  });

  it('gets a reply, and gets it again on request', async () => {
    const { messages } = await visit.get(
      `/simulator/messages?to=${encodeURIComponent(message.to)}`,
    );
    const wamid = encodeURIComponent(messages[0].id);
    await visit.post(`/simulator/messages/${wamid}/reply`, { button_id: 'yes' });
    const delivery = await until(async () => {
      const path = '/webhook-deliveries?event=message.received&status=succeeded';
      return (await visit.get(path)).deliveries[0];
    });
    await redeliver(delivery.id);
    await until(async () => {
      const { delivery: after } = await visit.get(`/webhook-deliveries/${delivery.id}`);
      return after.status === 'succeeded' && after.attempts.length === 2;
    });
  });

  async function redeliver(id: string): Promise<void> {
    await visit.go(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Redeliver now' }).click();
  }

  describe('has a second endpoint', () => {
    const endpoints = (): Locator => page.getByRole('region', { name: 'Webhook endpoints' });
    const item = (): Locator => endpoints().getByRole('listitem').filter({ hasText: 'Failures' });
    const open = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for Failures' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };

    it('that is added with a filter and shows its secret once', async () => {
      await visit.go('/keys');
      await page.getByRole('link', { name: 'orders-api' }).click();
      await page.getByRole('button', { name: 'Add endpoint' }).click();
      const form = page.getByRole('dialog');
      const url = form.getByRole('textbox', { name: 'URL' });
      await url.fill('nowhere');
      await form.getByRole('button', { name: 'Add endpoint' }).click();
      await form.getByText('An address that begins with https:// or http://.').waitFor();
      await page.locator(':focus').and(url).waitFor();
      await url.fill(`${browser.run.simulator_url}/_simulator/receiver`);
      await form.getByRole('textbox', { name: 'Name' }).fill('default');
      await form.getByRole('checkbox', { name: 'message.received' }).uncheck();
      await form.getByRole('checkbox', { name: 'failed' }).check();
      await visit.photograph('keys-endpoint-form');
      expect(await visit.barriers()).toEqual([]);
      await form.getByRole('button', { name: 'Add endpoint' }).click();
      await form.getByText('is the name of the endpoint that webhook_url sets').waitFor();
      await form.getByRole('textbox', { name: 'Name' }).fill('Failures');
      await form.getByRole('button', { name: 'Add endpoint' }).click();
      await page.getByRole('heading', { name: '“Failures” is ready' }).waitFor();
      const secret = (await page.getByText(/^whsec_/).innerText()).trim();
      expect(await visit.barriers()).toEqual([]);
      await page.getByLabel('I have stored this secret').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await item().getByText('Only these statuses: failed').waitFor();
      await page.getByText(/^whsec_/).waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(secret);
    });

    it('that gets a test event, and says so', async () => {
      await item()
        .getByRole('button', { name: /^Send test event to / })
        .click();
      await item().getByRole('status').getByText('Succeeded').waitFor();
      await item().getByText('100 % of 1', { exact: true }).waitFor();
      await endpoints().getByRole('table').getByText('to Failures').waitFor();
      for (const theme of themes.toReversed()) {
        await page.emulateMedia({ colorScheme: theme });
        expect(await visit.barriers()).toEqual([]);
      }
      await item().getByText('Healthy', { exact: true }).waitFor();
      await item().getByRole('link', { name: 'Test event to Failures' }).click();
      await page
        .getByRole('region', { name: /^Delivery of/ })
        .getByText('Failures')
        .waitFor();
      await page.goBack();
    });

    it('that is changed, and gets another secret', async () => {
      await open('Edit…');
      const form = page.getByRole('dialog');
      await form.getByRole('checkbox', { name: 'Whole account' }).check();
      await form.getByRole('textbox', { name: 'Most events at once' }).fill('2');
      await form.getByRole('button', { name: 'Save changes' }).click();
      await item().getByText('At most 2 at once').waitFor();
      await item()
        .getByText(/^Whole account/)
        .waitFor();
      await open('Rotate webhook secret…');
      await page.getByRole('button', { name: /^Rotate webhook secret · old one works/ }).click();
      await page.getByText(/^whsec_/).waitFor();
      await page.getByLabel('I have stored this secret').check();
      await page.getByRole('button', { name: 'Done' }).click();
    });

    it('that is seen in both themes and widths', async () => {
      const address = new URL(page.url()).pathname.replace('/dashboard', '');
      for (const theme of themes) {
        for (const width of ['wide', 'narrow'] as const) {
          const other = await browser.open({ theme, width });
          await other.go(address);
          await other.photograph('keys-endpoints');
          expect(await other.overhang()).toBe(0);
          await other.page.getByRole('button', { name: 'Add endpoint' }).click();
          await other.page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).waitFor();
          await other.photograph('keys-endpoint-new');
          expect(await other.barriers()).toEqual([]);
          await other.close();
        }
      }
    });

    it('that is deleted', async () => {
      await open('Delete…');
      const question = page.getByRole('dialog', { name: 'Delete “Failures”?' });
      await question.getByRole('button', { name: 'Delete endpoint' }).click();
      await item().waitFor({ state: 'detached' });
    });
  });

  describe('has an endpoint in WhatsApp’s own form', () => {
    const hook = '/inbox';
    const item = (): Locator =>
      page
        .getByRole('region', { name: 'Webhook endpoints' })
        .getByRole('listitem')
        .filter({ hasText: 'Inbox' });
    let receiver: WebhookReceiver;
    let keyPage: string;

    beforeAll(async () => {
      receiver = await WebhookReceiver.start();
    });

    afterAll(() => receiver.close());

    const open = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for Inbox' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    const storeSecret = async () => {
      const secret = (await page.getByText(/^[0-9a-f]{32}$/).innerText()).trim();
      await page.getByLabel('I have stored this secret').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText(secret).waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(secret);
    };
    const inEveryLook = async (look: (other: Visit) => Promise<void>) => {
      for (const each of looks) {
        const other = await browser.open(each);
        await look(other);
        expect(await other.barriers()).toEqual([]);
        expect(await other.overhang()).toBe(0);
        expect(other.faults).toEqual([]);
        await other.close();
      }
    };

    it('for which the deliveries have no filter before', async () => {
      await visit.go('/webhooks');
      await page.getByRole('button', { name: '+ Event' }).click();
      await page.getByRole('menuitem', { name: 'webhook.test' }).waitFor();
      expect(await page.getByRole('menuitem', { name: /^whatsapp/ }).count()).toBe(0);
    });

    it('that is added with fields and a verify token, and shows its secret once', async () => {
      receiver.knowToken(hook, 'let-me-in');
      await visit.go('/keys');
      await page.getByRole('link', { name: 'orders-api' }).click();
      await page.getByRole('button', { name: 'Add endpoint' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('textbox', { name: 'URL' }).fill(receiver.url(hook));
      await form.getByRole('textbox', { name: 'Name' }).fill('Inbox');
      await form.getByRole('checkbox', { name: 'In WhatsApp’s own form' }).check();
      await form.getByRole('checkbox', { name: 'message.received' }).waitFor({ state: 'detached' });
      const fields = form.getByRole('textbox', { name: 'Fields' });
      await fields.fill('Messages');
      await form.getByRole('textbox', { name: 'Verify token' }).fill('let-me-in');
      await form.getByRole('button', { name: 'Add endpoint' }).click();
      await form.getByText(/^At most 50 names of fields/).waitFor();
      await page.locator(':focus').and(fields).waitFor();
      expect(await visit.barriers()).toEqual([]);
      await fields.fill('messages, account_update');
      await form.getByRole('button', { name: 'Add endpoint' }).click();
      await page.getByRole('heading', { name: '“Inbox” is ready' }).waitFor();
      await storeSecret();
      await item().getByText('Challenge answered', { exact: true }).waitFor();
      for (const event of ['whatsapp.messages', 'whatsapp.account_update']) {
        await item().getByText(event, { exact: true }).waitFor();
      }
      keyPage = new URL(page.url()).pathname.replace('/dashboard', '');
    });

    it('that says so when a test finds that it does not know its token any more', async () => {
      receiver.knowToken(hook, 'forgotten');
      await item()
        .getByRole('button', { name: /^Send test event to / })
        .click();
      await item()
        .getByText(/^Challenge answered wrongly/)
        .waitFor();
      await item().getByRole('status').getByText('Succeeded').waitFor();
    });

    it('that keeps its token and gets other fields', async () => {
      await open('Edit…');
      const form = page.getByRole('dialog');
      await form.getByText(/^It has one, which is not shown/).waitFor();
      // Of its format, and what Parley's own events are, nothing can be changed.
      const [only, ...others] = await form.getByRole('checkbox').all();
      expect([await only?.isChecked(), others]).toEqual([false, []]);
      await form.getByRole('checkbox', { name: 'Remove the verify token' }).waitFor();
      await form.getByRole('textbox', { name: 'Fields' }).fill('messages smb_message_echoes');
      await form.getByRole('button', { name: 'Save changes' }).click();
      await item().getByText('whatsapp.smb_message_echoes').waitFor();
      await item()
        .getByText(/^Challenge answered wrongly/)
        .waitFor();
      await open('Edit…');
      receiver.knowToken(hook, 'another');
      await form.getByRole('textbox', { name: 'Verify token' }).fill('another');
      await form.getByRole('button', { name: 'Save changes' }).click();
      await item().getByText('Challenge answered', { exact: true }).waitFor();
    });

    it('whose deliveries are listed, and found by their event', async () => {
      // By another key: such an endpoint gets what concerns its account.
      const sent = await browser.call(browser.run.api_key, '/messages/interactive/button', message);
      expect(sent.status).toBe(200);
      await until(() =>
        receiver.at(hook).some(({ body }) => body?.entry[0].changes[0].value.statuses),
      );
      await visit.go('/webhooks');
      await page.getByRole('button', { name: '+ Event' }).click();
      const choice = page.getByRole('menuitem', { name: 'whatsapp.messages' });
      await choice.waitFor();
      await visit.photograph('webhooks-event-filter');
      await choice.click();
      const rows = page.locator('.deliveries-table tbody tr');
      await until(async () => {
        const texts = await rows.allInnerTexts();
        return texts.length > 0 && texts.every((text) => text.includes('whatsapp.messages'));
      });
      await rows.filter({ hasText: 'Inbox' }).first().waitFor();
      expect(new URL(page.url()).searchParams.get('event')).toBe('whatsapp.messages');
      await page
        .getByRole('link', { name: /^whatsapp\.messages/ })
        .first()
        .click();
      await page
        .getByRole('region', { name: /^Delivery of/ })
        .getByText('Inbox', { exact: true })
        .waitFor();
      await visit.photograph('webhooks-whatsapp');
    });

    it('is kept as a filter in an address that names a field which is not offered', async () => {
      await visit.go('/webhooks?event=whatsapp.a_new_field');
      await page.getByRole('button', { name: 'Event whatsapp.a_new_field' }).waitFor();
      await page.getByText('No delivery matches').waitFor();
      expect(new URL(page.url()).searchParams.get('event')).toBe('whatsapp.a_new_field');
      await visit.go('/webhooks?event=whatsapp.A%20field');
      await page.getByRole('button', { name: '+ Event' }).waitFor();
    });

    it('that is seen in both themes and widths', async () => {
      await inEveryLook(async (other) => {
        await other.go(keyPage);
        await other.page.getByText('Challenge answered', { exact: true }).waitFor();
        await other.photograph('keys-whatsapp-endpoint');
        await other.page.getByRole('button', { name: 'Add endpoint' }).click();
        const form = other.page.getByRole('dialog');
        await form.getByRole('checkbox', { name: 'In WhatsApp’s own form' }).check();
        await form.getByRole('textbox', { name: 'Verify token' }).waitFor();
        await other.photograph('keys-whatsapp-endpoint-new');
      });
    });

    it('whose new secret alone signs at once', async () => {
      await visit.go(keyPage);
      await open('Rotate webhook secret…');
      const question = page.getByRole('dialog');
      await question.getByText(/the new secret alone signs/).waitFor();
      await question
        .getByRole('button', { name: 'Rotate webhook secret · old one stops now' })
        .click();
      await storeSecret();
      await open('Delete…');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
      await item().waitFor({ state: 'detached' });
    });
  });

  it('says so while it has no endpoint', async () => {
    const { api_key } = await visit.post('/api-keys', {
      name: 'quiet',
      permissions: ['send_text'],
    });
    await visit.go(`/keys/${api_key.id}`);
    await page.getByText('Replies and status changes are not sent anywhere.').waitFor();
    await visit.photograph('keys-no-endpoint');
    expect(await visit.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('dialog', { name: 'Add an endpoint to “quiet”' }).waitFor();
  });

  it('shows no webhook secret of a key without a webhook', async () => {
    await visit.go('/keys/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('no-webhook');
    await page.getByRole('checkbox', { name: 'send_text' }).check();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Signing secret', { exact: true }).waitFor();
    expect(await page.getByText('Webhook secret', { exact: true }).count()).toBe(0);
    await page.getByLabel('I have stored these secrets').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'no-webhook' }).waitFor();
  });

  it('has one state, with its reason', async () => {
    await page.getByText('Active', { exact: true }).waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    await page.getByRole('button', { name: 'Switch off…' }).click();
    const question = page.getByRole('dialog', { name: /^Switch off “/ });
    await question.getByText(/^Its requests are refused from now on/).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByText('It was switched off.').count()).toBe(0);
    await page.getByRole('button', { name: 'Switch off…' }).click();
    await question.getByRole('button', { name: 'Switch off key' }).click();
    await page.getByText('It was switched off.').waitFor();
    expect(await page.getByText('Active', { exact: true }).count()).toBe(0);
    await visit.photograph('keys-switched-off');
    expect(await visit.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('It was switched off.').waitFor({ state: 'detached' });
  });

  it('proposes a day with both keys, and says until when', async () => {
    await visit.go('/keys');
    await page.getByRole('link', { name: 'orders-api' }).click();
    await page.getByRole('button', { name: 'Rotate key…' }).click();
    const question = page.getByRole('dialog');
    const overlap = question.getByRole('combobox', { name: 'The old key keeps working for' });
    expect(await overlap.inputValue()).toBe('24 hours');
    await question.getByRole('button', { name: /^Rotate key · old one works until \d/ }).waitFor();
    await visit.photograph('keys-rotate');
    const phone = await browser.open({ width: 'narrow', theme: 'dark' });
    await phone.go(new URL(page.url()).pathname.replace('/dashboard', ''));
    await phone.page.getByRole('button', { name: 'Rotate signing secret…' }).click();
    const words = phone.page.getByText(/^Rotate signing secret · old one works until/);
    expect(await words.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await phone.photograph('keys-rotate');
    expect(await phone.barriers()).toEqual([]);
    await phone.close();
    await overlap.click();
    await page.getByRole('option', { name: 'Not at all' }).click();
    await question.getByRole('button', { name: 'Rotate key · old one stops now' }).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
  });

  it('says when and from where the old key was used last, and ends it', async () => {
    const made = await visit.post('/api-keys', { name: 'leaked', permissions: ['view_messages'] });
    const { id } = made.api_key;
    await visit.post(`/api-keys/${id}/rotate`, { overlap_seconds: 86_400 });
    const statusOf = async () => (await browser.call(made.key, '/messages')).status;
    expect(await statusOf()).toBe(200);
    for (const look of looks) {
      const other = await browser.open(look);
      await other.go(`/keys/${id}`);
      const notice = other.page.getByRole('status').filter({ hasText: 'The old key still works.' });
      await notice.getByText(/Last used .+ from 127\.0\.0\.1\./).waitFor({ timeout: 20_000 });
      await notice.getByRole('button', { name: 'End the old key now…' }).click();
      await other.page.getByRole('dialog', { name: 'End the old key of “leaked” now?' }).waitFor();
      await other.settled();
      await other.photograph('keys-end-old');
      expect(await other.barriers()).toEqual([]);
      expect(await other.overhang()).toBe(0);
      await other.close();
    }
    await visit.go(`/keys/${id}`);
    await page.getByRole('button', { name: 'End the old key now…' }).click();
    await page.getByRole('button', { name: 'End the old key', exact: true }).click();
    await page.getByText('The old key still works.').waitFor({ state: 'detached' });
    await page.getByText('Old key ended early').waitFor();
    expect(await statusOf()).toBe(401);
  });

  it('is suspended and reinstated, and the changes next to it show it at once', async () => {
    await visit.go('/keys');
    await page.getByRole('link', { name: 'orders-api' }).click();
    const changes = page.getByRole('region', { name: 'Latest changes' });
    await page.getByRole('button', { name: 'Suspend…' }).click();
    const question = page.getByRole('dialog');
    await question.getByText(/^In use: last call .+, 1 call in 24 h\.$/).waitFor();
    await question.getByRole('textbox', { name: 'Reason' }).fill('Looked at');
    await question.getByRole('button', { name: 'Suspend key' }).click();
    await changes.getByText('Key suspended').waitFor({ timeout: 5_000 });
    await page.getByText(/^Suspended\. An operator suspended it on .+: “Looked at”\./).waitFor();
    await page.getByRole('button', { name: 'Reinstate…' }).click();
    await question.getByRole('button', { name: 'Reinstate key' }).click();
    await changes.getByText('Key reinstated').waitFor({ timeout: 5_000 });
  });

  it('ends when it is revoked: from then on its requests are refused', async () => {
    await visit.go('/keys');
    await page.getByRole('link', { name: 'orders-api' }).click();
    await page.getByRole('button', { name: 'Revoke…' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke “orders-api”?' });
    const revoke = question.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.isDisabled()).toBe(true);
    await visit.photograph('keys-revoke');
    expect(await visit.barriers()).toEqual([]);
    await question.getByRole('textbox').fill('orders-api');
    await revoke.click();
    await question.waitFor({ state: 'detached' });
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    expect(await send()).toMatchObject({
      status: 401,
      body: { error: { code: 'REVOKED_API_KEY' } },
    });
  });

  it('has no page once it is deleted', async () => {
    const address = page.url();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “orders-api”?' });
    await question.getByRole('textbox').fill('orders-api');
    await question.getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await page.goto(address);
    await page.getByRole('heading', { name: 'There is no such key' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Go to the API keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  });
});
