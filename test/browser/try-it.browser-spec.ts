import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.js';
import { DashboardBrowser, type Visit } from './dashboard-browser.js';

/** What a newcomer does who reads only the screen, from top to bottom. */
describe('from the first sign-in to a reply', () => {
  let browser: DashboardBrowser;
  let visit: Visit;
  let page: Page;

  beforeAll(async () => {
    browser = await DashboardBrowser.start();
    visit = await browser.open({ signedIn: false });
    ({ page } = visit);
  }, 180_000);

  afterAll(() => browser?.stop());

  afterEach(() => expect(visit.faults).toEqual([]));

  const nextStep = (): Locator => page.locator('[aria-current="step"]');
  const result = (): Locator => page.getByRole('region', { name: 'Result' });

  it('signs in', async () => {
    await visit.go('/');
    await page.getByLabel('Email address').fill(browser.run.admin_email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(browser.run.admin_password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('is asked to send a message, because there is a key', async () => {
    await nextStep().getByRole('heading', { name: 'Send a message' }).waitFor();
    await visit.photograph('overview-first');
    expect(await visit.barriers()).toEqual([]);
    await nextStep().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  });

  it('sees what is wrong at the field, in the JSON and in the result', async () => {
    const title = page.getByLabel('Title of button 1', { exact: true });
    await title.fill('Track the van on the map');
    await page.getByText('At most 20 characters; this has 24').waitFor();
    await page.getByText('1 field to change').waitFor();
    await page.getByRole('button', { name: 'Simulate' }).click();
    await result().getByText('VALIDATION_ERROR').waitFor();
    await result().getByText('buttons[0].title').waitFor();
    const marked = page.locator('.editor-numbers [data-wrong="true"]');
    const line = Number(await marked.innerText());
    const json = await page.getByLabel('Request body as JSON').inputValue();
    expect(json.split('\n')[line - 1]).toContain('Track the van on the map');
    await visit.photograph('playground-error');
    expect(await visit.barriers()).toEqual([]);
    await title.fill('Track the van');
  });

  it('simulates by keyboard, which sends nothing', async () => {
    await page.keyboard.press('Control+Enter');
    await result().getByText('Nothing was sent. No warnings.').waitFor();
    await result().getByText('"messaging_product"').waitFor();
    expect((await visit.get('/messages')).messages).toEqual([]);
  });

  it('changes form, JSON and phone together', async () => {
    const json = page.getByLabel('Request body as JSON');
    const payload = JSON.parse(await json.inputValue());
    await json.fill(JSON.stringify({ ...payload, body: 'Hello *there*' }, null, 2));
    const body = page.getByRole('textbox', { name: 'Body', exact: true });
    expect(await body.inputValue()).toBe('Hello *there*');
    const phone = page.getByRole('region', { name: 'Preview on a phone' });
    expect(await phone.locator('b', { hasText: 'there' }).innerText()).toBe('there');
    await json.fill('{ "to": ');
    await page.getByText('This is not a JSON object. Line 1 is invalid.').waitFor();
    expect(await page.getByRole('button', { name: 'Simulate' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Footer optional' }).fill('Fernhill');
    expect(JSON.parse(await json.inputValue())).toMatchObject({ footer: 'Fernhill' });
  });

  it('names a recipient by number or by user id in one field', async () => {
    const json = page.getByLabel('Request body as JSON');
    const to = page.getByRole('textbox', { name: 'To', exact: true });
    const number = await to.inputValue();
    await to.fill('US.13491208655302741918');
    const { to: none, to_user_id: userId } = JSON.parse(await json.inputValue());
    expect([none, userId]).toEqual([undefined, 'US.13491208655302741918']);
    await to.fill(number);
    expect(JSON.parse(await json.inputValue())).toMatchObject({ to: number });
    expect(JSON.parse(await json.inputValue())).not.toHaveProperty('to_user_id');
  });

  it.each(['curl', 'TypeScript', 'Python'])('takes the request as %s', async (language) => {
    await page.getByRole('radiogroup', { name: 'Language' }).getByText(language).click();
    const code = page.getByRole('region', { name: 'Request' });
    await code.getByText('/api/v1/external/messages/interactive/button').first().waitFor();
    expect(await code.innerText()).toContain('Fernhill');
    await page.getByRole('radiogroup', { name: 'Language' }).getByText('JSON').click();
  });

  it('sends a real message, sees where it goes and the result', async () => {
    await page.getByText('Send real message', { exact: true }).click();
    await page.getByText('to the simulator, free').waitFor();
    await page.getByRole('button', { name: 'Send message' }).click();
    for (const status of ['Sent', 'Delivered', 'Read']) {
      await result().getByText(status, { exact: true }).waitFor();
    }
    await visit.photograph('playground-sent');
    expect(await visit.barriers()).toEqual([]);
  });

  it('replies on the sandbox phone, and sees the delivery next to it', async () => {
    await visit.go('/');
    await nextStep().getByRole('link', { name: 'Open sandbox phone' }).click();
    const phone = page.getByRole('region', { name: /^Phone \+/ });
    await phone.getByRole('button', { name: 'Track the van' }).click();
    await phone.getByLabel('Your endpoint accepted it').waitFor();
    const received = page.getByRole('region', { name: 'Events sent to your program' });
    await received.getByText('Tapped “Track the van”').waitFor();
    await received
      .getByText('"payload": "track"')
      .or(received.getByText('"track"'))
      .first()
      .waitFor();
    expect(await phone.getByRole('button', { name: 'Track the van' }).isDisabled()).toBe(true);
    await visit.photograph('sandbox-answered');
    expect(await visit.barriers()).toEqual([]);
  });

  it('has finished all steps', async () => {
    await visit.go('/');
    await page.getByText('Done: a reply has been delivered to your program.').waitFor();
    await visit.photograph('overview-steps-done');
  });

  it('chooses a row of a list by keyboard, and writes', async () => {
    const { api_key: key } = browser.run;
    const to = '+447700900518';
    await browser.call(key, '/messages/interactive/list', {
      to,
      body: 'When shall we come?',
      button: 'See slots',
      sections: [
        {
          title: 'Tomorrow',
          rows: [
            { id: 'early', title: '08:00' },
            { id: 'late', title: '18:00' },
          ],
        },
      ],
    });
    await visit.go(`/sandbox?phone=${encodeURIComponent(to)}`);
    const phone = page.getByRole('region', { name: `Phone ${to}` });
    await phone.getByRole('button', { name: 'See slots' }).press('Enter');
    const sheet = page.getByRole('dialog', { name: 'See slots' });
    expect(await visit.barriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await phone.getByRole('button', { name: 'See slots' }).press('Enter');
    expect(await sheet.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await sheet.getByRole('radio', { name: '18:00' }).check();
    await visit.photograph('sandbox-list');
    await sheet.getByRole('button', { name: 'Send' }).press('Enter');
    const received = page.getByRole('region', { name: 'Events sent to your program' });
    await received.getByText('Chose “18:00”').waitFor();
    await phone.getByLabel('Message', { exact: true }).fill('Thank you');
    await page.keyboard.press('Enter');
    await received.getByText('Wrote “Thank you”').waitFor();
  });

  it('shows a reaction at the message that it is about, and the cards of a carousel', async () => {
    const { api_key: key } = browser.run;
    const to = '+447700900519';
    const card = (id: string) => ({
      header: { type: 'image', image: { link: `https://example.com/${id}.jpg` } },
      body: `Card ${id}`,
      buttons: [{ id, title: `Add ${id}` }],
    });
    const sent = await browser.call(key, '/messages/interactive/carousel', {
      to,
      body: 'New this week',
      cards: [card('honey'), card('bread')],
    });
    await visit.go(`/sandbox?phone=${encodeURIComponent(to)}`);
    const phone = page.getByRole('region', { name: `Phone ${to}` });
    const cards = phone.getByRole('region', { name: 'Cards' });
    await cards.getByRole('button', { name: 'Add bread' }).waitFor();
    const { message_id } = sent.body.data;
    await browser.call(key, '/messages/reaction', { to, message_id, emoji: '👍' });
    await phone.getByRole('img', { name: 'Reactions: 👍' }).waitFor();
    await visit.photograph('sandbox-carousel');
    expect(await visit.barriers()).toEqual([]);
  });

  it('hides the number of the sandbox phone, and the reply comes from a user id', async () => {
    const user = page.getByRole('region', { name: 'User', exact: true });
    const choose = async (item: string) => {
      await user.getByRole('button', { name: 'Change the user' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Set username…');
    await page.getByRole('textbox', { name: 'Username' }).fill('@mia');
    await visit.photograph('sandbox-username');
    await page.getByRole('button', { name: 'Save username' }).click();
    await user.getByText('@mia').waitFor();
    await choose('Hide number');
    await user.getByText('Hidden from businesses').waitFor();
    const id = user.locator('code');
    const before = await id.getAttribute('title');
    await choose('Get new user id');
    await until(async () => (await id.getAttribute('title')) !== before);
    await page.getByLabel('Message', { exact: true }).fill('Who am I?');
    await page.keyboard.press('Enter');
    const received = page.getByRole('region', { name: 'Events sent to your program' });
    await received.getByText('Wrote “Who am I?”').waitFor();
    await visit.photograph('sandbox-hidden');
    expect(await visit.barriers()).toEqual([]);
  });

  it('stops marketing on the sandbox phone, and resumes it in the chat', async () => {
    const user = page.getByRole('region', { name: 'User', exact: true });
    const phone = page.getByRole('region', { name: /^Phone \+/ });
    await user.getByRole('button', { name: 'Change the user' }).click();
    await page.getByRole('menuitem', { name: 'Stop marketing messages' }).click();
    const note = phone.getByText('You have stopped marketing messages from this business.');
    await note.waitFor();
    await user.getByText('Stopped').waitFor();
    await visit.photograph('sandbox-stopped');
    expect(await visit.barriers()).toEqual([]);
    await note.getByRole('button', { name: 'Resume' }).press('Enter');
    await note.waitFor({ state: 'detached' });
    await user.getByText('Stopped').waitFor({ state: 'detached' });
  });

  describe('on a phone that was asked for something', () => {
    const to = '+447700900520';
    const phone = () => page.getByRole('region', { name: `Phone ${to}` });
    const received = () => page.getByRole('region', { name: 'Events sent to your program' });
    const closed = () => phone().getByRole('dialog').waitFor({ state: 'detached' });
    /** The newest message of the user that Parley reported. */
    const reported = (type: string): Promise<any> =>
      until(async () => {
        const path = `/simulator/conversation?phone=${encodeURIComponent(to)}`;
        const { deliveries } = await visit.get(path);
        return deliveries
          .filter(({ delivery }: any) => delivery.event === 'message.received')
          .map(({ body }: any) => JSON.parse(body).data.message)
          .find((message: any) => message.type === type)?.[type];
      });

    beforeAll(async () => {
      const send = (type: string, message: object) =>
        browser.call(browser.run.api_key, `/messages/${type}`, { to, ...message });
      await send('interactive/flow', {
        body: 'Book a table.',
        flow: { id: '1234567890', cta: 'Book' },
      });
      await send('interactive/location-request', { body: 'Where shall we bring it?' });
      await send('interactive/contact-request', { body: 'Whom may we call?' });
      await visit.go(`/sandbox?phone=${encodeURIComponent(to)}`);
    }, 60_000);

    it('fills in a flow by keyboard', async () => {
      await phone().getByRole('button', { name: 'Book', exact: true }).press('Enter');
      const form = phone().getByRole('dialog', { name: 'Book' });
      await form
        .getByRole('textbox', { name: 'Name of field 1' })
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.type('guests');
      await page.keyboard.press('Tab');
      await page.keyboard.type('2');
      await form.getByRole('button', { name: 'Add field' }).press('Enter');
      await form.getByRole('textbox', { name: 'Name of field 2' }).fill('note');
      await visit.photograph('sandbox-flow');
      expect(await visit.barriers()).toEqual([]);
      await form.getByRole('button', { name: 'Remove field 2' }).press('Enter');
      await form.getByRole('textbox', { name: 'Value of field 1' }).press('Enter');
      await closed();
      expect(await reported('flow_reply')).toMatchObject({ response: { guests: '2' } });
      await phone().getByText('Filled in the form').waitFor();
      await received().getByText('"flow_reply"').first().waitFor();
    });

    it('shares a location when the form is right, and the contact at once', async () => {
      await phone().getByRole('button', { name: 'Send location', exact: true }).click();
      const form = phone().getByRole('dialog', { name: 'Send location' });
      const send = form.getByRole('button', { name: 'Send', exact: true });
      await form.getByRole('textbox', { name: 'Latitude' }).fill('91');
      await form.getByText('Write a number from -90 to 90').waitFor();
      expect(await send.isDisabled()).toBe(true);
      await visit.photograph('sandbox-location');
      expect(await visit.barriers()).toEqual([]);
      await form.getByRole('textbox', { name: 'Latitude' }).fill('51.5');
      await form.getByRole('textbox', { name: 'Name' }).fill('Pier 4');
      await send.click();
      await closed();
      const place = { latitude: 51.5, longitude: -0.1276, name: 'Pier 4' };
      expect(await reported('location')).toEqual(place);
      await phone().getByRole('button', { name: 'Share contact info' }).click();
      const [contact] = await reported('contacts');
      expect(contact).toMatchObject({ phones: [{ phone: to }] });
    });

    it('attaches a voice note, a picture and the card of a contact', async () => {
      const attach = async (item: string) => {
        await phone().getByRole('button', { name: 'Attach' }).press('Enter');
        // Not by key: an open menu moves the focus to its first item a moment later.
        await page.getByRole('menuitem', { name: item }).click();
      };
      await attach('Voice note');
      expect(await reported('audio')).toMatchObject({ voice: true });
      await attach('Picture');
      expect(await reported('image')).toMatchObject({ mime_type: 'image/png' });
      await attach('Contact…');
      const form = phone().getByRole('dialog', { name: 'Send contact' });
      await form.getByRole('textbox', { name: 'Phone number' }).fill('12');
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('alert').getByText('Nothing was sent.').waitFor();
      await form.getByRole('textbox', { name: 'Phone number' }).fill('+14155550188');
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await closed();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await received().getByText('"+14155550188"').first().waitFor();
    });

    it('reacts to a message, and takes the reaction back', async () => {
      const react = phone().getByRole('button', { name: 'React to “Book a table.”' });
      const reaction = phone().getByRole('img', { name: 'Reactions: 🙏' });
      await react.press('Enter');
      await page.getByRole('menuitem', { name: 'Thanks' }).waitFor();
      await visit.photograph('sandbox-react');
      expect(await visit.barriers()).toEqual([]);
      await page.getByRole('menuitem', { name: 'Thanks' }).press('Enter');
      await reaction.waitFor();
      expect(await reported('reaction')).toMatchObject({ emoji: '🙏' });
      await react.press('Enter');
      await page.getByRole('menuitem', { name: 'Remove reaction 🙏' }).click();
      await reaction.waitFor({ state: 'detached' });
    });

    it('sees what the business has read, and that it is typing until it writes', async () => {
      const path = `/simulator/conversation?phone=${encodeURIComponent(to)}`;
      const { messages } = await visit.get(path);
      const last = messages.findLast(({ direction }: any) => direction === 'in');
      expect(await phone().getByLabel('The business has read it').count()).toBe(0);
      const answer = await fetch(
        `${browser.run.simulator_url}/v25.0/${last.phone_number_id}/messages`,
        {
          method: 'POST',
          headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json' },
          body: JSON.stringify({
            messaging_product: 'whatsapp',
            status: 'read',
            message_id: last.id,
            typing_indicator: { type: 'text' },
          }),
        },
      );
      expect(answer.status).toBe(200);
      await phone().getByText('typing…').waitFor();
      await phone().getByLabel('The business has read it').first().waitFor();
      await visit.photograph('sandbox-typing');
      expect(await visit.barriers()).toEqual([]);
      await browser.call(browser.run.api_key, '/messages/text', { to, body: 'See you soon.' });
      await phone().getByText('typing…').waitFor({ state: 'detached' });
    });

    const changeOf = (text: string) =>
      phone().getByRole('button', { name: `Change “${text}”`, exact: true });
    const attach = async (item: string) => {
      await phone().getByRole('button', { name: 'Attach' }).press('Enter');
      await page.getByRole('menuitem', { name: item }).click();
    };

    it('edits by keyboard what the user wrote, and takes it back', async () => {
      await phone().getByLabel('Message', { exact: true }).fill('We come at nine.');
      await page.keyboard.press('Enter');
      await changeOf('We come at nine.').press('Enter');
      await page.getByRole('menuitem', { name: 'Edit…' }).waitFor();
      await visit.photograph('sandbox-change');
      expect(await visit.barriers()).toEqual([]);
      await page.getByRole('menuitem', { name: 'Edit…' }).press('Enter');
      const form = phone().getByRole('dialog', { name: 'Edit message' });
      await form.getByRole('textbox', { name: 'Text' }).fill('We come at ten.');
      await visit.photograph('sandbox-edit');
      expect(await visit.barriers()).toEqual([]);
      await page.keyboard.press('Enter');
      await closed();
      await phone()
        .getByText(/^Edited /)
        .waitFor();
      const { message } = await reported('edit');
      expect(message.text.body).toBe('We come at ten.');
      await changeOf('We come at ten.').press('Enter');
      await page.getByRole('menuitem', { name: 'Delete for everyone' }).press('Enter');
      await phone().getByText('You deleted this message').waitFor();
      expect(await reported('revoke')).toEqual({ original_message_id: expect.any(String) });
    });

    it('writes in the Business app, and takes it back', async () => {
      await attach('Write in the Business app…');
      const form = phone().getByRole('dialog', { name: 'Write in the Business app' });
      await form.getByRole('textbox', { name: 'Text' }).fill('The boss herself.');
      await page.keyboard.press('Enter');
      await closed();
      await changeOf('The boss herself.').press('Enter');
      await page.getByRole('menuitem', { name: 'Delete for everyone' }).press('Enter');
      await phone().getByText('This message was deleted').waitFor();
      await visit.photograph('sandbox-echo');
      expect(await visit.barriers()).toEqual([]);
    });

    it('writes from an ad', async () => {
      await attach('Message from an ad…');
      const form = phone().getByRole('dialog', { name: 'Message from an ad' });
      await form.getByRole('textbox', { name: 'Headline of the ad' }).fill('Fresh rolls');
      await visit.photograph('sandbox-ad');
      expect(await visit.barriers()).toEqual([]);
      await page.keyboard.press('Enter');
      await closed();
      await received().getByText('"Fresh rolls"').first().waitFor();
    });

    it('signs up for marketing, and lets Meta’s agent answer', async () => {
      const user = page.getByRole('region', { name: 'User', exact: true });
      const choose = async (item: string) => {
        await user.getByRole('button', { name: 'Change the user' }).press('Enter');
        await page.getByRole('menuitem', { name: item }).click();
      };
      await choose('Sign up for marketing messages');
      await user.getByText('Arrives, signed up').waitFor();
      await choose('Let Meta’s agent answer');
      await user.getByText('Meta’s agent', { exact: true }).waitFor();
      await visit.photograph('sandbox-standby');
      expect(await visit.barriers()).toEqual([]);
      await choose('Answer yourself again');
      await user.getByText('Your program', { exact: true }).waitFor();
    });
  });

  it.each([
    ['light', 'wide'],
    ['dark', 'narrow'],
  ] as const)('sees a closed window on the sandbox phone: %s, %s', async (theme, width) => {
    const to = `+44770090052${theme.length}`;
    const send = (body: string) =>
      browser.call(browser.run.api_key, '/messages/text', { to, body });
    await send('This one arrives.');
    const other = await browser.open({ theme, width });
    await other.go(`/sandbox?phone=${encodeURIComponent(to)}`);
    const user = other.page.getByRole('region', { name: 'User', exact: true });
    const phone = other.page.getByRole('region', { name: `Phone ${to}` });
    const choose = async (item: string) => {
      await user.getByRole('button', { name: 'Change the user' }).click();
      await other.page.getByRole('menuitem', { name: item }).click();
    };
    await user.getByText('Closed, not enforced').waitFor();
    await choose('Enforce 24-hour window');
    await choose('Stop marketing messages');
    const note = phone.getByText('only templates arrive until you write');
    await note.waitFor();
    await phone.getByText('You have stopped marketing').waitFor();
    await send('This one does not.');
    await phone.getByText('Not delivered: “This one does not.”').waitFor();
    await other.photograph('sandbox-window');
    expect(await other.barriers()).toEqual([]);
    await other.page.getByLabel('Message', { exact: true }).fill('Hello');
    await other.page.keyboard.press('Enter');
    await note.waitFor({ state: 'detached' });
    await user.getByText('Open', { exact: true }).waitFor();
    expect(other.faults).toEqual([]);
    await other.close();
  });

  it.each([
    ['Text', 'text'],
    ['Media', 'document'],
    ['List', 'list'],
    ['Link button', 'cta_url'],
    ['Location request', 'location_request_message'],
    ['Contact request', 'request_contact_info'],
    ['Flow', 'flow'],
    ['Carousel', 'carousel'],
    ['Location', 'location'],
    ['Contacts', 'contacts'],
  ])('simulates %s, too', async (label, type) => {
    await visit.go('/playground?type=button');
    await page.getByRole('combobox', { name: 'Type of message' }).click();
    await page.getByRole('option', { name: label, exact: true }).click();
    await page.getByRole('button', { name: 'Simulate' }).click();
    await result().getByText('Valid.').waitFor();
    await result()
      .getByText(`"type": "${type}"`)
      .or(result().getByText(`"${type}"`))
      .first()
      .waitFor();
  });

  it('chooses a type of message by keyboard', async () => {
    await visit.go('/playground?type=button');
    const type = page.getByRole('combobox', { name: 'Type of message' });
    await type.press('ArrowDown');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(async () => (await type.inputValue()) === 'Link button');
    await page.getByRole('textbox', { name: 'Button link' }).waitFor();
  });

  it('fills in a recipient by what the simulator does, by keyboard, and the result is that', async () => {
    await visit.go('/playground?type=text');
    await page.getByRole('button', { name: 'Test numbers' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Not on WhatsApp' }).press('Enter');
    await page.getByText('WhatsApp refuses the message with 131026').waitFor();
    // A simulation is about the request, and does not say that the message arrives.
    await page.keyboard.press('Control+Enter');
    await result()
      .getByText(/^The request is valid\..* refuses the message with 131026/)
      .waitFor();
    await page.getByText('Send real message', { exact: true }).click();
    await page.keyboard.press('Control+Enter');
    await result().getByText('(#131026) Message undeliverable').waitFor();
    await page.getByRole('button', { name: 'Test numbers' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Fails later' }).waitFor();
    await visit.photograph('playground-test-numbers');
    expect(await visit.barriers()).toEqual([]);
    await page.getByRole('menuitem', { name: 'Fails later' }).press('Enter');
    await page.keyboard.press('Control+Enter');
    await result().getByText('Failed', { exact: true }).waitFor();
  });

  it('changes the buttons of all cards of a carousel at once', async () => {
    await visit.go('/playground?type=carousel');
    const cards = async () =>
      JSON.parse(await page.getByLabel('Request body as JSON').inputValue()).cards;
    await page.getByRole('radiogroup', { name: 'Buttons of each card' }).getByText('Link').click();
    expect(await cards()).toMatchObject(
      ['Add honey', 'Add apples', 'Add bread'].map((text) => ({ button: { text, url: '' } })),
    );
    await page.getByRole('button', { name: 'Remove card 3' }).click();
    expect(await cards()).toHaveLength(2);
    expect(await page.getByRole('button', { name: 'Remove card 1' }).isDisabled()).toBe(true);
  });

  it('takes the id of an upload where it takes a link', async () => {
    await visit.go('/playground?type=media');
    const json = async () => JSON.parse(await page.getByLabel('Request body as JSON').inputValue());
    const field = page.getByRole('textbox', { name: 'Link or upload' });
    await field.fill('01a2122f-4487-7e52-9de3-8e29c5a560b1');
    expect(await json()).toMatchObject({ media_id: '01a2122f-4487-7e52-9de3-8e29c5a560b1' });
    expect(await json()).not.toHaveProperty('link');
    await page.getByText('an uploaded file').waitFor();
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('is not the media_id of an upload').first().waitFor();
    await field.fill('https://example.com/a.pdf');
    expect(await json()).toMatchObject({ link: 'https://example.com/a.pdf' });
    expect(await json()).not.toHaveProperty('media_id');
  });

  it('keeps a number as it is typed', async () => {
    await visit.go('/playground?type=location');
    const latitude = page.getByRole('textbox', { name: 'Latitude' });
    await latitude.fill('');
    await latitude.pressSequentially('-33.90');
    expect(await latitude.inputValue()).toBe('-33.90');
    const json = page.getByLabel('Request body as JSON');
    expect(JSON.parse(await json.inputValue())).toMatchObject({ latitude: -33.9 });
  });

  it('fills a template by the names of a mapping, and by WhatsApp’s components', async () => {
    const template = await until(async () => {
      const { templates } = await visit.get('/templates?name=order_confirmation&mode=live');
      return templates[0];
    });
    const { api_keys: keys } = await visit.get('/api-keys');
    const body = (position: number) => ({ component: 'body', position, required: true });
    await visit.put(`/api-keys/${keys[0].id}/template-mappings/${template.id}`, {
      variables: {
        customer: body(1),
        order: body(2),
        day: body(3),
        track: { component: 'button', button_index: 0, position: 1, required: true },
      },
    });
    await visit.go('/playground?type=template_send');
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: /order_confirmation/ }).click();
    await page.getByRole('button', { name: 'Simulate' }).click();
    await result().getByText('MISSING_REQUIRED_VARIABLE').waitFor();
    await page.getByText('Fills the end of the URL of button 1.').waitFor();
    await page.getByRole('textbox', { name: 'day', exact: true }).fill('Monday');
    await page.getByRole('button', { name: 'Fill with examples' }).click();
    const filled = JSON.parse(await page.getByLabel('Request body as JSON').inputValue());
    expect(filled.variables).toEqual({
      customer: template.parameters[0].example,
      order: template.parameters[1].example,
      day: 'Monday',
      track: template.parameters[3].example,
    });
    expect(await page.getByRole('button', { name: 'Fill with examples' }).count()).toBe(0);
    await visit.photograph('playground-template-examples');
    for (const [name, value] of [
      ['customer', 'Priya'],
      ['order', '58213'],
      ['day', 'Friday'],
      ['track', '58213'],
    ] as const) {
      await page.getByRole('textbox', { name, exact: true }).fill(value);
    }
    const phone = page.getByRole('region', { name: 'Preview on a phone' });
    expect(await phone.innerText()).toContain('Hi Priya, your order 58213 is confirmed.');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await result().getByText('Valid.').waitFor();
    await visit.photograph('playground-template-filled');
    expect(await visit.barriers()).toEqual([]);

    await page.getByText('WhatsApp’s components').click();
    const chosen = page.getByRole('combobox', { name: 'Template' });
    await until(async () => (await chosen.inputValue()).startsWith('order_confirmation'));
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: /hello_world/ }).click();
    await page.getByRole('button', { name: 'Simulate' }).click();
    await result().getByText('Valid.').waitFor();

    await page.getByRole('option', { name: /hello_world/ }).waitFor({ state: 'detached' });
    await chosen.click();
    await page
      .getByRole('option', { name: /order_confirmation/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Fill with examples' }).click();
    expect(await phone.innerText()).toContain(template.parameters[0].example);
  });

  it('comes from a template to the playground, where it is chosen', async () => {
    const { templates } = await visit.get('/templates?name=order_confirmation&mode=live');
    const [template] = templates;
    const { api_keys: keys } = await visit.get('/api-keys');
    await visit.go(`/templates/${template.id}?key=${keys[0].id}`);
    const card = page.locator('.card').filter({ hasText: 'How a program sends it' });
    await card.getByText('curl', { exact: true }).click();
    const code = card.getByRole('region', { name: 'shell code' });
    await code.getByText('/api/v1/external/messages/template/send').first().waitFor();
    expect(await code.innerText()).toContain(`"template_name": "${template.name}"`);
    await visit.photograph('template-as-curl');
    expect(await visit.barriers()).toEqual([]);
    await card.getByRole('link', { name: 'Open in playground' }).click();
    const chosen = page.getByRole('combobox', { name: 'Template' });
    await until(async () => (await chosen.inputValue()).startsWith('order_confirmation'));
    await page.getByRole('textbox', { name: 'customer', exact: true }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Key', exact: true }).inputValue()).toContain(
      keys[0].name,
    );
  });
});
