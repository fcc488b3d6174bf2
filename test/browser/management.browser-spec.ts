import type { Locator } from 'playwright-core';
import { defaultKeywords } from '../../src/accounts/default-keywords.js';
import { until } from '../support/until.js';
import { DashboardBrowser, type Visit } from './dashboard-browser.js';

describe('the management side of the dashboard', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let demoKeyId: string;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    visit = await browser.open();
    const { api_keys: keys } = await visit.get('/api-keys');
    demoKeyId = keys.find(({ name }: any) => name === 'demo').id;
  }, 180_000);

  afterAll(async () => {
    await visit?.close();
    await browser?.stop();
  });

  const button = (name: string | RegExp) => visit.page.getByRole('button', { name });
  const shown = (text: string | RegExp) => visit.page.getByText(text).first().waitFor();

  const live = (name: string, language: string) =>
    until(async () => {
      const { templates } = await visit.get(
        `/templates?mode=live&name=${name}&language=${language}`,
      );
      return templates[0];
    });
  const valuesOf = async (fields: Locator) =>
    Promise.all((await fields.all()).map((field) => field.inputValue()));
  /** The languages of a template that the key has mapped. */
  const mappingsOf = async (name: string) => {
    const { template_mappings: all } = await visit.get(`/api-keys/${demoKeyId}/template-mappings`);
    return all
      .filter(({ template_name: of }: any) => of === name)
      .map(({ language }: any) => language);
  };

  it('maps a template, which the key then can send by the names of the mapping', async () => {
    const template = await until(async () => {
      const { templates } = await visit.get('/templates?mode=live&status=APPROVED');
      return templates.find(
        ({ parameters }: any) =>
          parameters.length > 0 && parameters.every(({ kind }: any) => kind === 'text'),
      );
    });
    await visit.go(`/templates/${template.id}?key=${demoKeyId}`);
    const names = template.parameters.map((_: unknown, at: number) => `word_${at + 1}`);
    const fields = visit.page.getByLabel(/^Variable for/);
    await fields.first().fill('');
    expect(await button('Save mapping').isDisabled()).toBe(true);
    for (const [at, name] of names.entries()) await fields.nth(at).fill(name);
    await button('Save mapping').click();
    await button('Remove mapping…').waitFor();
    const variables = Object.fromEntries(names.map((name: string) => [name, 'Priya']));
    const answer = await browser.call(browser.run.api_key, '/messages/template/send', {
      to: '+447700900142',
      template_name: template.name,
      language: template.language,
      variables,
    });
    expect(answer.status).toBe(200);
    await button('Remove mapping…').click();
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Remove mapping' }).click();
    await button('Remove mapping…').waitFor({ state: 'detached' });
    const refused = await browser.call(browser.run.api_key, '/messages/template/send', {
      to: '+447700900142',
      template_name: template.name,
      language: template.language,
      variables,
    });
    expect(refused.body.error.code).toBe('TEMPLATE_NOT_CONFIGURED');
  });

  it('names variables as WhatsApp does, and keeps what you typed', async () => {
    const template = await live('order_confirmation', 'en_US');
    await visit.go(`/templates/${template.id}?key=${demoKeyId}`);
    const fields = visit.page.getByLabel(/^Variable for/);
    await fields.first().fill('customer');
    await button('Use WhatsApp’s names').click();
    expect(await valuesOf(fields)).toEqual([
      'customer',
      'body_2',
      'body_3',
      'button_1_url',
      'button_2_payload',
    ]);
    expect(await button('Use WhatsApp’s names').isDisabled()).toBe(true);
    await button('Save mapping').click();
    await button('Remove mapping…').waitFor();
  });

  it('copies the mapping of another template, and names the places that do not fit', async () => {
    const template = await live('account_update', 'en_US');
    const { page } = visit;
    await visit.go(`/templates/${template.id}?key=${demoKeyId}`);
    await button('Copy mapping from…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Mapping').selectOption({ label: 'order_confirmation, en_US' });
    await dialog.getByRole('button', { name: 'Copy variables' }).click();
    await shown(/Copied from .* except Body \{\{2\}\}, Body \{\{3\}\}, Button 1 URL/);
    await visit.photograph('templates-copied');
    expect(await valuesOf(page.getByLabel(/^Variable for/))).toEqual(['', 'customer']);
    expect(await mappingsOf('account_update')).toEqual([]);
    await button('Discard').click();
  });

  it('saves a mapping for all languages, shows what failed, and tries it again', async () => {
    const [english, spanish] = [
      await live('appointment_reminder', 'en_US'),
      await live('appointment_reminder', 'es'),
    ];
    const { page } = visit;
    await visit.go(`/templates/${english.id}?key=${demoKeyId}`);
    await button('Use WhatsApp’s names').click();
    await button('Apply to all languages…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Will change: en_US and es.').waitFor();
    await page.route(`**/template-mappings/${spanish.id}`, (route) => route.abort());
    await dialog.getByRole('button', { name: 'Save mappings' }).click();
    await dialog.getByText('Saved for en_US. Not saved:').waitFor();
    await dialog.getByText('Already the same: en_US.').waitFor();
    await visit.photograph('templates-apply-failed');
    await page.unroute(`**/template-mappings/${spanish.id}`);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await shown('The mapping was saved for es.');
    expect(await mappingsOf('appointment_reminder')).toEqual(['en_US', 'es']);
  });

  it('opens the templates that the overview counts as configured', async () => {
    const { page } = visit;
    const template = await live('appointment_reminder', 'es');
    const path = `/api-keys/${demoKeyId}/template-mappings/${template.id}`;
    await visit.put(path, {
      variables: Object.fromEntries(
        template.parameters.map(
          ({ component, position, parameter_name: name, button_index: of }: any, at: number) => [
            `word_${at}`,
            {
              component,
              ...(of !== null && { button_index: of }),
              ...(name ? { parameter_name: name } : of === null && { position }),
              required: true,
            },
          ],
        ),
      ),
    });
    const { templates_mapped: count } = await visit.get('/overview');
    await visit.go('/?mode=live');
    await page.getByRole('link', { name: /Templates configured$/ }).click();
    await page.waitForURL(/templates\?.*mapped=yes/);
    await visit.settled();
    const matching = page.locator('.template-chip:not([data-tone="outline"])');
    await matching.first().waitFor();
    expect(await matching.count()).toBe(count);
    await visit.photograph('templates-mapped');
    await page.getByRole('button', { name: 'Mapped By a key' }).click();
    await page.getByRole('menuitem', { name: 'By no key' }).click();
    await page.waitForURL(/mapped=no/);
    expect(visit.faults).toEqual([]);
  });

  it('shows one row for each name, with a chip for each language and mode', async () => {
    const { page } = visit;
    const english = await live('appointment_reminder', 'en_US');
    const spanish = await live('appointment_reminder', 'es');
    await visit.go('/templates?q=appointment');
    const chips = page.getByRole('list', { name: 'Languages of appointment_reminder' });
    const row = page.locator('.template-row').filter({ has: chips });
    await row.getByText(/· live and test/).waitFor();
    await row.getByText(/^(Mapped|Not mapped|1 of 2 mapped)$/).waitFor();
    await visit.photograph('templates-rows');
    // The button beside the code covers nothing of it.
    await page.getByRole('button', { name: 'curl', exact: true }).click();
    const code = await page.getByRole('region', { name: 'shell code' }).boundingBox();
    const copy = await page.getByRole('button', { name: 'Copy code' }).boundingBox();
    expect(copy!.x).toBeGreaterThanOrEqual(code!.x + code!.width);
    await chips.getByRole('link', { name: /^es ?, Approved$/ }).click();
    await page.waitForURL(`**/templates/${spanish.id}?q=appointment`);
    await chips.locator('[aria-current]', { hasText: /^es, / }).waitFor();
    await visit.go(`/templates/${english.id}?mode=live`);
    await chips.getByRole('link', { name: /^es ?, Approved$/ }).waitFor();
    await chips
      .getByRole('link', { name: /^es · test ?, Approved, does not match the filter$/ })
      .waitFor();
    expect(visit.faults).toEqual([]);
  });

  it('finds a contact, records that they opted out, and shows it with its evidence', async () => {
    const { page } = visit;
    await browser.call(browser.run.api_key, '/messages/text', {
      to: '+447700900177',
      body: 'Hello',
    });
    await until(async () => {
      const { contacts } = await visit.get('/contacts?search=%2B447700900177');
      return contacts.length > 0;
    });
    await visit.go('/contacts');
    await page.getByLabel('Number, name, username or user id').fill('(07700) 900177');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: '+447700900177' }).click();
    await page.getByRole('heading', { name: '+447700900177' }).waitFor();
    await shown('Hello');
    // From a contact one gets to what was sent to them, and writes to them.
    const contactUrl = page.url();
    await page.getByRole('link', { name: 'Messages', exact: true }).last().click();
    await page.waitForURL(/messages\?.*q=%2B447700900177/);
    await page.getByText('1 match').waitFor();
    await page.goto(contactUrl);
    await page.getByRole('link', { name: 'Send a message' }).click();
    await page.waitForURL(/playground/);
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('+447700900177');
    await page.goto(contactUrl);
    await page.getByRole('link', { name: 'Messages from them' }).click();
    await page.waitForURL(/webhooks\?.*event=message\.received&q=%2B447700900177/);
    await page.goto(contactUrl);
    await button('Change consent…').click();
    const consent = page.getByRole('dialog');
    await consent.getByText('Marketing: nothing said').waitFor();
    expect(await button('Record consent').isDisabled()).toBe(true);
    await consent
      .getByRole('radiogroup', { name: 'What they said' })
      .getByText('Opted out')
      .click();
    await consent.getByRole('radiogroup', { name: 'Of what' }).getByText('Marketing').click();
    await page.getByLabel('Evidence').fill('Asked on the phone');
    expect(await visit.barriers()).toEqual([]);
    await button('Record opt-out').click();
    await shown('No marketing');
    await shown(/Asked on the phone/);
    await shown(/they have opted out, so Parley does not send them/);
  });

  it('leads from the event of a message to the contact who wrote it', async () => {
    const { page } = visit;
    // Not the number of the tests around: their contact has never written.
    await browser.call(browser.run.api_key, '/messages/text', {
      to: '+447700900166',
      body: 'Hello',
    });
    const { messages } = await visit.get('/simulator/messages?to=%2B447700900166');
    await visit.post(`/simulator/messages/${encodeURIComponent(messages[0].id)}/reply`, {
      text: 'Thank you',
    });
    const delivery = await until(async () => {
      const path = '/webhook-deliveries?event=message.received&q=%2B447700900166';
      return (await visit.get(path)).deliveries[0];
    });
    await visit.go(`/webhooks/${delivery.id}`);
    const heading = page.getByRole('heading', { level: 2, name: /^Message from / });
    await heading.getByRole('link').click();
    await page.waitForURL(/\/contacts\//);
    await page.getByText('+447700900166').first().waitFor();
  });

  it.each([390, 1_280, 1_440])('keeps long evidence in its card at %i', async (width) => {
    const { page } = visit;
    const { contacts } = await visit.get('/contacts?search=%2B447700900177');
    const id = `wamid.${'HBgMNDQ3NzAwOTAwMTc3'.repeat(4)}`;
    await visit.put(`/contacts/${contacts[0].contact_id}/consent`, {
      scope: 'marketing',
      state: 'opted_out',
      evidence: `${id}: ${'STOP'.repeat(20)} ${width}`,
    });
    await page.setViewportSize({ width, height: 900 });
    await visit.go('/contacts');
    const row = page.getByRole('row').filter({ hasText: '+447700900177' });
    expect((await row.innerText()).match(/\+447700900177/g)).toHaveLength(1);
    await visit.go(`/contacts/${contacts[0].contact_id}`);
    const cell = page.getByRole('cell').filter({ hasText: `STOP ${width}` });
    await cell.waitFor();
    const card = await page.locator('.card').filter({ has: cell }).boundingBox();
    const box = await cell.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(card!.x + card!.width + 1);
    expect(await cell.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    expect(await visit.overhang()).toBe(0);
    const [words = '', shortId] = (await cell.innerText()).split(' · ');
    expect(words.endsWith(`: “${'STOP'.repeat(20)} ${width}”`)).toBe(true);
    expect(shortId).toMatch(/^\s*wamid\./);
    await visit.photograph('contact-evidence');
    await cell.getByRole('button', { name: 'Copy WhatsApp id' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(id);
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('shows a contact on a phone with the number once, and says what its time is', async () => {
    const narrow = await browser.open({ width: 'narrow', theme: 'dark' });
    await narrow.go('/contacts?account=all');
    const row = narrow.page.getByRole('row').filter({ hasText: '+447700900177' });
    const text = await row.innerText();
    expect(text.match(/\+447700900177/g)).toHaveLength(1);
    expect(text).toContain('Last wrote: Never');
    expect(text).not.toContain('–');
    expect(await narrow.overhang()).toBe(0);
    await narrow.photograph('contacts-narrow');
    expect(await narrow.barriers()).toEqual([]);
    await narrow.close();
  });

  it('finds a number by its last four digits, and opens it by keyboard alone', async () => {
    const { page } = visit;
    await visit.go('/alerts');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search the dashboard' });
    await field.waitFor();
    await shown(/Type at least two characters/);
    await page.keyboard.type('0177');
    const contact = page.getByRole('option', { name: /^\+447700900177.*Contact/ }).first();
    await contact.waitFor();
    await page.getByRole('option', { name: /All messages to \+447700900177/ }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    expect(await contact.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '+447700900177' }).waitFor();
    await field.waitFor({ state: 'detached' });
    await button(/^Search/).click();
    await field.fill('no such thing');
    const compared =
      'names by the beginnings of their words; references from their first character, as they are written';
    const digits =
      'By its last digits, a number that is no contact is found only in the latest 4,000 messages and in those that failed or are unconfirmed';
    await shown(new RegExp(`Nothing matches.* The search compares ${compared}. ${digits}.`));
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await visit.go('/messages?q=no+such+thing');
    await shown(
      new RegExp(
        `Searched: ids; .*; contacts’ ${compared}. The text of messages is not searched. ${digits}.`,
      ),
    );
  });

  it('finds what to do, and does it', async () => {
    const { page } = visit;
    await visit.go('/alerts');
    const themes = [
      ['dark', 'dark'],
      ['light th', 'light'],
    ] as const;
    for (const [typed, scheme] of themes) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search the dashboard' }).fill(typed);
      await page.getByRole('option', { name: new RegExp(`^${scheme} theme`, 'i') }).waitFor();
      expect(await visit.barriers()).toEqual([]);
      await until(async () => {
        await page.keyboard.press('Enter');
        return page.evaluate<boolean>(
          `document.documentElement.dataset.mantineColorScheme === '${scheme}'`,
        );
      });
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search the dashboard' }).fill('131026');
    await page.getByRole('option', { name: /Recipient not on WhatsApp/ }).click();
    await page.waitForURL(/messages\?code=131026/);
  });

  it('imports consents from a file, says which rows are wrong, and exports what counts', async () => {
    const { page } = visit;
    await visit.go(`/contacts`);
    await button('Import consent…').click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'consents.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('phone,evidence\n+44 7700 900178,Form 7\nnobody,\n'),
    });
    await shown('1 row with errors, which stay behind.');
    await button('Import 1 row').click();
    await shown(/1 row recorded, 0 known already, 1 invalid/);
    await shown('phone: “n” is not a digit');
    expect(await visit.barriers()).toEqual([]);
    await button('Done').click();
    await shown('+447700900178');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export consent' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('consents-live.csv');
  });

  it('sends a test event, shows the request and the answer, and delivers it once more', async () => {
    await visit.go(`/keys/${demoKeyId}`);
    await button('Send test event').click();
    await visit.page
      .getByRole('link', { name: /webhook\.test/ })
      .first()
      .click();
    await shown('Try 1');
    await visit.page.getByRole('tab', { name: 'Request headers' }).click();
    await shown(/webhook-signature/);
    await visit.page.getByRole('tab', { name: /Attempts/ }).click();
    await button('Redeliver now').click();
    await shown('Try 2');
  });

  it('rotates the webhook secret and shows the new one once', async () => {
    await visit.go(`/keys/${demoKeyId}`);
    await button('More about the webhook').click();
    await visit.page.getByRole('menuitem', { name: 'Rotate webhook secret…' }).click();
    await button(/^Rotate webhook secret · old one works until/).dblclick();
    await shown(/^whsec_/);
    expect(visit.posts.filter((path) => path.endsWith('/rotate-secret'))).toHaveLength(1);
    await visit.page.getByLabel('I have stored this secret').check();
    await button('Done').click();
    await visit.page.getByText(/^whsec_/).waitFor({ state: 'detached' });
  });

  it('does not close a new key by Esc or a click outside the dialog before it is stored', async () => {
    const { page } = visit;
    const created = await visit.post('/api-keys', {
      name: 'to-rotate',
      permissions: ['send_text'],
    });
    await visit.go('/keys');
    await button('Actions for to-rotate').click();
    await page.getByRole('menuitem', { name: 'Rotate key…' }).click();
    // Whether a program has begun to use it just now, the page cannot know.
    await button(/^Rotate key · old one works until \d/).dblclick();
    const dialog = page.getByRole('dialog', { name: '“to-rotate” has a new key' });
    const value = await dialog.getByText(/^pk_live_\w{40}$/).innerText();
    expect(visit.posts.filter((path) => path.endsWith('/rotate'))).toHaveLength(1);
    expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    const question = page.getByRole('dialog', { name: 'Leave without the secret?' });
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await leave();
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      expect(await dialog.getByText(value).isVisible()).toBe(true);
    }
    expect(await visit.barriers()).toEqual([]);
    await dialog.getByLabel('I have stored this secret').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await visit.post(`/api-keys/${created.api_key.id}`, undefined, 'DELETE');
  });

  it('gives the focus to the first field of a dialog, and back to the “…” that led there', async () => {
    const { page } = visit;
    await visit.go('/keys');
    const focused = () => page.locator(':focus');
    for (const [item, field] of [
      ['Rotate key…', 'The old key keeps working for'],
      ['Suspend…', 'Reason'],
      ['Revoke…', 'Type “demo” to confirm'],
      ['Delete…', 'Type “demo” to confirm'],
    ] as const) {
      await button('Actions for demo').click();
      await page.getByRole('menuitem', { name: item }).click();
      await focused().and(page.getByLabel(field)).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await focused().and(button('Actions for demo')).waitFor();
    }
  });

  it('asks before you leave unsaved changes to a key', async () => {
    const { page } = visit;
    await visit.go(`/keys/${demoKeyId}/edit`);
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.fill('Changed and not saved');
    await page.getByRole('link', { name: 'Messages' }).click();
    const question = page.getByRole('dialog', { name: 'Leave “demo” as it was?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await description.inputValue()).toBe('Changed and not saved');
    await page.getByRole('link', { name: 'Messages' }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    await visit.go(`/keys/${demoKeyId}/edit`);
    await description.fill('Changed and saved');
    await button('Save changes').click();
    await page.getByRole('heading', { level: 1, name: 'demo' }).waitFor();
    await shown('Changed and saved');
  });

  it.each(['/keys/$keyId', '/alerts'])(
    'says on %s how old the data is when it cannot reload',
    async (path) => {
      const { page } = visit;
      await visit.go(path.replace('$keyId', demoKeyId));
      await page.route('**/api/v1/dashboard/**', (route) => route.abort());
      // What was read counts as fresh for two seconds; after that a look at the window reads it again.
      await until(async () => {
        await page.evaluate(
          `document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`,
        );
        return (await page.getByText(/This could not be refreshed/).count()) > 0;
      });
      await page.unroute('**/api/v1/dashboard/**');
    },
  );

  it.each([
    ['a new account', '/accounts/new', 'Leave without the account?', 'Discard changes'],
    ['a new key', '/keys/new', 'Leave without the key?', 'Discard key'],
    ['an account', 'account', /^Leave “.*” as it was\?/, 'Discard changes'],
  ])('asks before what was typed for %s is lost', async (_, path, title, discard) => {
    const { page } = visit;
    const { accounts } = await visit.get('/accounts');
    await visit.go(path === 'account' ? `/accounts/${accounts[0].id}` : path);
    const field = page.getByLabel('Name', { exact: true }).first();
    await field.fill('Not saved');
    const leave = () => page.getByRole('link', { name: /^Alerts/ }).click();
    await leave();
    const question = page.getByRole('dialog', { name: title });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Not saved');
    await leave();
    await question.getByRole('button', { name: discard }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  });

  it('keeps what was written in the playground while other pages are looked at', async () => {
    const { page } = visit;
    await visit.go('/playground?type=text');
    const text = page.getByRole('textbox', { name: 'Body', exact: true });
    await text.fill('Kept while I look something up');
    await page.getByRole('link', { name: /^Alerts/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await page.goBack();
    await page.getByText('Kept while I look something up').first().waitFor();
  });

  it('makes an account and its administrator, who sees that account and nothing else', async () => {
    await visit.go('/accounts/new');
    const { page } = visit;
    await page.getByLabel('Name').fill('Second Shop');
    await page.getByLabel('Number', { exact: true }).fill('+1 555 078 3000');
    await page.getByLabel('Phone number id').fill('300000000000003');
    await page.getByLabel('Business account id').fill('400000000000004');
    await page.getByLabel('Access token', { exact: true }).fill('a-token');
    await button('Create account').click();
    await shown('1 field needs a change');
    await page.getByLabel('App secret', { exact: true }).fill('a-secret');
    await button('Create account').click();
    await page.getByRole('heading', { level: 1, name: 'Second Shop' }).waitFor();
    const accountId = new URL(page.url()).pathname.split('/').at(-1);
    await shown(`/api/v1/platform/whatsapp/webhooks/${accountId}`);
    await visit.go('/users');
    await button('Create user').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('ilya@parley.test');
    await dialog.getByText('Set a password', { exact: true }).click();
    await dialog.getByLabel('Password', { exact: true }).fill('twelve characters and more');
    await dialog.getByRole('combobox', { name: 'Account' }).click();
    await page.getByRole('option', { name: 'Second Shop' }).click();
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await shown('ilya@parley.test');
    const other = await browser.open({ signedIn: false });
    await other.page.goto('/dashboard');
    await other.page.getByLabel('Email address').fill('ilya@parley.test');
    await other.page.getByLabel('Password', { exact: true }).fill('twelve characters and more');
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByText('Second Shop').first().waitFor();
    expect(await other.page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
    for (const path of ['/accounts', '/accounts/new', '/users']) {
      await other.go(path);
      await other.page.getByText('Only operators see this page').waitFor();
      await other.page.getByRole('link', { name: 'Go to the overview' }).waitFor();
      expect(await other.page.locator('main').getByRole('button').count()).toBe(0);
    }
    await other.page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await other.page.getByText('Who did what in this account').waitFor();
    const about = other.page.locator('.audit-table tbody td:nth-child(2)');
    await about.first().waitFor();
    // The account itself, and what it says of its user: no key of another account, nothing of the installation.
    expect(new Set(await about.allInnerTexts())).toEqual(
      new Set(['Second Shop', 'ilya@parley.test']),
    );
    const search = other.page.getByRole('textbox', { name: 'Any words of a row' });
    await search.fill('i');
    await search.press('Enter');
    await other.page.getByText('A search takes 2 to 100 characters.').waitFor();
    await search.fill('second shop');
    await search.press('Enter');
    await other.page.waitForURL(/q=second/);
    await until(async () => (await about.allInnerTexts()).join() === 'Second Shop');
    await search.fill('100%');
    await search.press('Enter');
    await other.page.getByText('No entry matches').waitFor();
    await other.page.getByText(/Searched: what was done, to what, who did it/).waitFor();
    expect(await other.barriers()).toEqual([]);
    await other.page.getByRole('button', { name: 'Clear filters' }).click();
    await about.filter({ hasText: 'ilya@parley.test' }).first().waitFor();
    expect(other.faults).toEqual([]);
    await other.close();
    await visit.go('/audit-log');
    await shown('User created');
  });

  it('limits how fast a number sends, and removes the limit', async () => {
    const { accounts } = await visit.get('/accounts');
    const { id } = accounts.find(({ name }: any) => name === 'Second Shop');
    const pace = async () => (await visit.get(`/accounts/${id}`)).account.messages_per_second;
    for (const [typed, kept] of [
      ['25', 25],
      ['', null],
    ] as const) {
      await visit.go(`/accounts/${id}`);
      await visit.page.getByLabel('Send rate limit').fill(typed);
      await button('Save changes').click();
      await until(async () => (await pace()) === kept);
    }
  });

  it('limits what an account may have, and says why a key cannot have more', async () => {
    const { accounts } = await visit.get('/accounts');
    const { id } = accounts.find(({ name }: any) => name === 'Second Shop');
    await visit.go(`/accounts/${id}`);
    await visit.page.getByLabel('Requests per day').fill('9000');
    await button('Save changes').click();
    await until(async () => {
      const { account } = await visit.get(`/accounts/${id}`);
      return account.limits.daily_limit === 9_000 && account.limits.keys === 100;
    });
    await shown('Limits: requests per day (UTC) none → 9,000');
    const { api_key: key } = await visit.post('/api-keys', {
      account_id: id,
      name: 'limited',
      permissions: ['send_text'],
      daily_limit: 9_000,
    });
    await visit.go(`/keys/${key.id}/edit`);
    await visit.page.getByRole('textbox', { name: 'Per day (UTC)' }).fill('9500');
    await button('Save changes').click();
    await shown(/daily_limit would be 9500; a key of this account may have at most 9000/);
    await visit.post(`/api-keys/${key.id}`, undefined, 'DELETE');
    await visit.post(`/accounts/${id}`, { limits: { daily_limit: null } }, 'PATCH');
  });

  it('changes the words by which users of a number opt out', async () => {
    const { accounts } = await visit.get('/accounts');
    const { id } = accounts.find(({ name }: any) => name === 'Second Shop');
    await visit.go(`/accounts/${id}`);
    const words = visit.page.getByRole('combobox', { name: 'Words to opt out' });
    await words.fill('no more');
    await words.press('Enter');
    await button('Save changes').click();
    const { keywords } = await until(async () => {
      const { account } = await visit.get(`/accounts/${id}`);
      return account.keywords.out.includes('no more') && account;
    });
    expect(keywords).toEqual({
      out: [...defaultKeywords.out, 'no more'],
      in: ['start', 'unstop'],
    });
  });

  it('sends a failed message again as a new one, which says so', async () => {
    const { page } = visit;
    const refused = await browser.call(browser.run.api_key, '/messages/text', {
      to: '+15550131026',
      body: 'Hello?',
    });
    expect(refused.status).toBe(400);
    await visit.go(`/messages/${refused.body.error.details.message_id}`);
    await button('Send again…').click();
    const question = page.getByRole('dialog');
    await question.getByText(/Sends a new message with the same content now/).waitFor();
    await visit.photograph('messages-send-again');
    expect(await visit.barriers()).toEqual([]);
    await question.getByRole('button', { name: 'Send again' }).click();
    await page.waitForURL((url) => !url.href.includes(refused.body.error.details.message_id));
    const { messages } = await visit.get(`/messages?to=${encodeURIComponent('+15550131026')}`);
    expect(messages).toHaveLength(2);
    await visit.go('/audit-log');
    await shown(/sent again/i);
    const entry = page.getByRole('row').filter({ hasText: 'Message sent again' }).first();
    await entry.getByRole('link', { name: 'Text message' }).waitFor();
    await entry.getByRole('button').click();
    const details = page.locator('.details-row');
    await details.getByText('Key', { exact: true }).waitFor();
    expect(await details.innerText()).not.toContain('{');
    await visit.photograph('audit-details');
    expect(await visit.barriers()).toEqual([]);
  });

  it('says when WhatsApp called the window closed, and warns before another try', async () => {
    const { page } = visit;
    const refused = await browser.call(browser.run.api_key, '/messages/text', {
      to: '+15550131047',
      body: 'Hello?',
    });
    await visit.go(`/messages/${refused.body.error.details.message_id}`);
    await shown(/^Closed, said WhatsApp at \d+ [A-Z][a-z]+ \d\d:\d\d:\d\d$/);
    await button('Send again…').click();
    const question = page.getByRole('dialog');
    await question.getByText(/^Another try most likely fails as well \(131047\)\./).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
  });
});
