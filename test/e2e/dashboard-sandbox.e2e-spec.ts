import { Dashboard, neighbour } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { definitions, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';

const sale = { ...definitions.plain, name: 'sale', category: 'MARKETING' };

describe('the sandbox phone', () => {
  let stack: Stack;
  let operator: Dashboard;
  let administrator: Dashboard;
  let receiver: string;
  /** An account that is not the administrator's, and a phone that it wrote to. */
  const foreign = { accountId: '', phone: newRecipient() };
  const phone = newRecipient();
  let messageId: string;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    operator = await Dashboard.signIn(stack);
    administrator = await Dashboard.administratorOf(stack, operator, installation.accountId);
    receiver = `${stack.simulator.url}/_simulator/receiver`;
    const { accountId } = await neighbour(stack, operator);
    const theirs = await operator.newKey({ account_id: accountId });
    const own = await administrator.newKey({ webhook_url: receiver });
    foreign.accountId = accountId;
    await stack.send('button', buttonMessage({ to: foreign.phone }), {}, { apiKey: theirs.key });
    const message = buttonMessage({ to: phone });
    const { body } = await stack.send('button', message, {}, { apiKey: own.key });
    messageId = body.data.message_id;
  });

  afterAll(() => stack?.stop());

  const conversation = (of = phone) =>
    administrator.get('GET', `/simulator/conversation?phone=${encodeURIComponent(of)}`);

  it('lists who has a conversation with the account, with the last message', async () => {
    const { phones } = await administrator.get('GET', '/simulator/phones');
    expect(phones).toEqual([
      {
        phone,
        last_at: expect.any(String),
        messages: 1,
        last: expect.objectContaining({ direction: 'out', type: 'interactive' }),
      },
    ]);
    const all = await operator.get('GET', '/simulator/phones');
    expect(all.phones.map((each: any) => each.phone)).toEqual([phone, foreign.phone]);
    const one = await operator.get('GET', `/simulator/phones?account_id=${foreign.accountId}`);
    expect(one.phones).toMatchObject([{ phone: foreign.phone }]);
  });

  it('shows both sides, and the deliveries of what was said', async () => {
    const { messages } = await conversation();
    expect(messages).toMatchObject([
      { direction: 'out', message: { biz_opaque_callback_data: messageId } },
    ]);
    const tapped = `/simulator/messages/${encodeURIComponent(messages[0].id)}/reply`;
    const { id } = await administrator.get('POST', tapped, { button_id: 'yes' });
    const [newest] = await until(async () => {
      const { deliveries } = await conversation();
      const isDone = ({ delivery: { event, status } }: any) =>
        event === 'message.received' && status === 'succeeded';
      return deliveries.some(isDone) && deliveries.filter(isDone);
    });
    expect(JSON.parse(newest.body).data).toMatchObject({ message_id: id, from: phone });
    expect(newest.delivery.attempts).toMatchObject([{ number: 1, status_code: 200 }]);
    const told = await until(async () => {
      const { deliveries } = await conversation();
      const summaries = deliveries.map(({ delivery }: any) => delivery.summary);
      return summaries.includes('read') && summaries;
    });
    // A report may arrive before we record the send, so not every status need be there.
    const { timeline } = await stack.message(messageId);
    const statuses = timeline.map(({ status }: any) => status);
    const isTold = (status: string) => !['queued', 'sending'].includes(status);
    expect(new Set(told)).toEqual(new Set([...statuses.filter(isTold), 'Yes']));
    expect((await conversation()).messages).toMatchObject([
      { direction: 'out' },
      { direction: 'in', id, message: { context: { id: messages[0].id } } },
    ]);
  });

  describe('what the user sends', () => {
    const to = newRecipient();
    /** WhatsApp's id of what reached the phone last. */
    const lastId = () =>
      until(async () => {
        const { messages } = await conversation(to);
        return messages.findLast(({ direction }: any) => direction === 'out')?.id;
      });
    /** Waits for the event of a user's message. */
    const eventOf = (id: string) =>
      until(async () => {
        const { deliveries } = await conversation(to);
        const events = deliveries.map(({ body }: any) => JSON.parse(body));
        return events.some(
          ({ event, data }: any) => event === 'message.received' && data.message_id === id,
        );
      });

    it.each([
      ['a filled flow', { flow: { guests: 2, wish: null } }],
      ['a reaction', { reaction: '👍' }],
    ])('reaches the account: %s', async (_, reply) => {
      const flow = { to, body: 'Book a table', flow: { id: '1', cta: 'Book' } };
      await stack.request('/messages/interactive/flow', { method: 'POST', body: flow });
      const path = `/simulator/messages/${encodeURIComponent(await lastId())}/reply`;
      const { id } = await administrator.get('POST', path, reply);
      expect(await eventOf(id)).toBe(true);
    });

    it.each<[string, object]>([
      ['a shared location', { location: { latitude: 52.5, longitude: 13.4, address: null } }],
      ['a picture', { image: true }],
    ])('reaches the account: %s', async (_, content) => {
      const given = { from: to, ...content };
      const { id } = await administrator.get('POST', '/simulator/inbound', given);
      expect(await eventOf(id)).toBe(true);
    });

    it.each<[string, object, string]>([
      ['nothing', {}, 'text'],
      ['a text and a location', { text: 'x', location: { latitude: 1, longitude: 2 } }, 'location'],
      ['a place off the map', { location: { latitude: 91, longitude: 2 } }, 'location.latitude'],
      ['a contact without a name', { contact: {} }, 'contact.name'],
      ['a voice that is off', { voice: false }, 'voice'],
      ['a voice and a picture', { voice: true, image: true }, 'image'],
      ['a text and an edit', { text: 'x', edit: { original_message_id: 'w', text: 'y' } }, 'edit'],
      ['an edit without a text', { edit: { original_message_id: 'w' } }, 'edit.text'],
      ['a revocation of nothing', { revoke: {} }, 'revoke.original_message_id'],
      [
        'a revocation after an ad',
        { revoke: { original_message_id: 'w' }, referral: {} },
        'referral',
      ],
    ])('is refused with %s', async (_, body, field) => {
      const given = { from: to, ...body };
      const answer = await administrator.call('POST', '/simulator/inbound', given);
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body.error.details.fields)).toEqual([field]);
    });
  });

  it('shows an administrator nothing of another account', async () => {
    expect(await conversation(foreign.phone)).toEqual({
      phone: foreign.phone,
      messages: [],
      typing_until: null,
      deliveries: [],
    });
    for (const path of ['phones?', `conversation?phone=${encodeURIComponent(phone)}&`]) {
      const asked = `/simulator/${path}account_id=${foreign.accountId}`;
      expect((await administrator.call('GET', asked)).status).toBe(404);
    }
  });

  describe('the user', () => {
    const from = newRecipient();
    const readUser = async () =>
      (await administrator.get('GET', `/simulator/user?phone=${encodeURIComponent(from)}`)).user;

    /** Writes as the user, and finds the event of it next to the conversation. */
    const write = async (text: string) => {
      const { id } = await administrator.get('POST', '/simulator/inbound', { from, text });
      return until(async () => {
        const { deliveries } = await conversation(from);
        return deliveries
          .map(({ body }: any) => JSON.parse(body))
          .find(({ data }: any) => data.message_id === id);
      });
    };

    it('hides and shows the number, and has a username or none', async () => {
      const before = await readUser();
      expect(before).toEqual({
        phone: from,
        user_id: expect.stringMatching(/^US\.\d+$/),
        username: null,
        hides_phone: false,
        stopped_marketing: false,
        signed_up: false,
        standby: false,
        window: 'closed',
        enforces_window: false,
      });
      const hidden = { ...before, username: '@mia', hides_phone: true };
      const change = { phone: from, username: '@mia', hides_phone: true };
      expect(await administrator.get('PUT', '/simulator/user', change)).toEqual({ user: hidden });
      expect(await readUser()).toEqual(hidden);
      expect(await write('From whom?')).toMatchObject({
        event: 'message.received',
        data: { from: null, from_user_id: before.user_id, from_username: '@mia' },
      });
      const shown = { phone: from, username: null, hides_phone: false };
      expect(await administrator.get('PUT', '/simulator/user', shown)).toEqual({
        user: { ...before, window: 'open' },
      });
      expect(await write('From me')).toMatchObject({ data: { from, from_username: null } });
    });

    it('gets a new user id, and the account hears about it', async () => {
      const webhook_events = ['message.received', 'contact.changed'];
      await administrator.newKey({ webhook_url: receiver, webhook_events });
      await administrator.get('PUT', '/simulator/user', { phone: from, hides_phone: true });
      const { data } = await write('Before');
      const { user } = await administrator.get('POST', '/simulator/user/new-id', { phone: from });
      expect(user.user_id).toMatch(/^US\.\d{20}$/);
      expect(await readUser()).toEqual(user);
      const changed = await until(async () => {
        const { deliveries } = await conversation(from);
        return deliveries.find(({ delivery }: any) => delivery.event === 'contact.changed');
      });
      expect(JSON.parse(changed.body).data).toMatchObject({
        change: 'user_id',
        previous: { user_id: data.from_user_id },
        current: { user_id: user.user_id },
      });
      const after = await write('After');
      expect(after.data).toMatchObject({ from: null, from_user_id: user.user_id });
      expect(after.data.contact_id).toBe(data.contact_id);
      const ids = (await conversation(from)).deliveries.map(({ body }: any) => body);
      expect(ids.some((body: string) => body.includes(data.message_id))).toBe(true);
    });

    const change = async (given: object) =>
      (await administrator.get('PUT', '/simulator/user', { phone: from, ...given })).user;
    const template = (template_name: string) =>
      stack.request('/messages/template', {
        method: 'POST',
        body: { to: from, template_name, language: 'en_US', components: [] },
      });
    /** The error with which a message has failed. */
    const failureOf = (id: string) =>
      until(async () => {
        const message = await stack.message(id);
        return message.status === 'failed' && message.error.whatsapp_error_code;
      });

    it('stops and resumes marketing, as WhatsApp reports it', async () => {
      await putTemplates(stack, [...Object.values(definitions), sale]);
      await sync(administrator);
      const consentIs = (state: string, source: string) =>
        until(async () => {
          const asked = await stack.get(`/contacts/consent?phone=${encodeURIComponent(from)}`);
          const { marketing } = asked.body.data;
          return marketing.state === state && marketing.source === source;
        });
      await administrator.get('PUT', '/simulator/user', { phone: from, hides_phone: false });
      await write('Hello');
      expect(await change({ stopped_marketing: true })).toMatchObject({ stopped_marketing: true });
      await consentIs('opted_out', 'user_preferences');
      expect(await change({ username: '@mia' })).toMatchObject({ stopped_marketing: true });
      expect((await template('sale')).body.error.code).toBe('RECIPIENT_OPTED_OUT');
      expect((await template('plain')).status).toBe(200);
      // Parley believes the caller, and WhatsApp the user.
      await stack.request('/contacts/consent', {
        method: 'PUT',
        body: { phone: from, scope: 'marketing', state: 'opted_in' },
      });
      const { body } = await template('sale');
      expect(await failureOf(body.data.message_id)).toBe(131050);
      await consentIs('opted_out', '131050');
      expect(await change({ stopped_marketing: false })).toMatchObject({
        stopped_marketing: false,
      });
      await consentIs('opted_in', 'user_preferences');
      const sent = await template('sale');
      await until(async () => (await stack.message(sent.body.data.message_id)).status === 'read');
    });

    it('is asked about one business number', async () => {
      const other = `phone=${encodeURIComponent(from)}&phone_number_id=`;
      await change({ stopped_marketing: true });
      const { accounts } = await operator.get('GET', '/accounts');
      const foreignAccount = accounts.find(({ id }: any) => id === foreign.accountId);
      const asked = `/simulator/user?${other}${foreignAccount.phone_number_id}`;
      const { user } = await operator.get('GET', asked);
      expect(user).toMatchObject({ stopped_marketing: false, window: 'closed' });
      expect((await readUser()).stopped_marketing).toBe(true);
      expect((await administrator.call('GET', asked)).status).toBe(400);
      await change({ stopped_marketing: false });
    });

    it('gets only templates while the window is closed, if the simulator enforces it', async () => {
      const to = newRecipient();
      const enforce = { phone: to, enforces_window: true };
      expect((await administrator.get('PUT', '/simulator/user', enforce)).user).toMatchObject({
        window: 'closed',
        enforces_window: true,
      });
      const { body } = await stack.send('button', buttonMessage({ to }));
      expect(await failureOf(body.data.message_id)).toBe(131047);
      await administrator.get('POST', '/simulator/inbound', { from: to, text: 'Hello' });
      const { user } = await administrator.get(
        'GET',
        `/simulator/user?phone=${encodeURIComponent(to)}`,
      );
      expect(user).toMatchObject({ window: 'open', enforces_window: true });
      const sent = await stack.send('button', buttonMessage({ to }));
      await until(async () => (await stack.message(sent.body.data.message_id)).status === 'read');
      const ignore = { phone: to, enforces_window: false };
      expect((await administrator.get('PUT', '/simulator/user', ignore)).user).toMatchObject({
        enforces_window: false,
      });
    });

    it.each<[string, string, string, Record<string, unknown>, string]>([
      [
        'a word for a choice',
        'PUT',
        'user',
        { phone: from, stopped_marketing: 'yes' },
        'stopped_marketing',
      ],
      ['a null window', 'PUT', 'user', { phone: from, enforces_window: null }, 'enforces_window'],
      ['no phone', 'PUT', 'user', { phone: '12' }, 'phone'],
      ['a blank username', 'PUT', 'user', { phone: from, username: ' ' }, 'username'],
      ['a null choice', 'PUT', 'user', { phone: from, hides_phone: null }, 'hides_phone'],
      [
        'an unknown business number',
        'POST',
        'user/new-id',
        { phone: from, phone_number_id: '1' },
        'phone_number_id',
      ],
    ])('is not changed with %s', async (_, method, path, body, field) => {
      const { status, body: answer } = await administrator.call(method, `/simulator/${path}`, body);
      expect(status).toBe(400);
      expect(Object.keys(answer.error.details.fields)).toEqual([field]);
    });
  });

  describe('what WhatsApp tells of besides', () => {
    const from = newRecipient();
    const events = ['message.received', 'message.echo', 'message.standby'];
    /** The event of a kind about the user that a condition holds for. */
    const told = (event: string, fits: (data: any) => boolean) =>
      until(async () => {
        const { deliveries } = await conversation(from);
        return deliveries
          .map(({ body }: any) => JSON.parse(body))
          .find((each: any) => each.event === event && fits(each.data))?.data;
      });
    const inbound = async (content: object) =>
      (await administrator.get('POST', '/simulator/inbound', { from, ...content })).id;

    beforeAll(() => administrator.newKey({ webhook_url: receiver, webhook_events: events }));

    it('is what the user edits, and takes back', async () => {
      const written = await inbound({ text: 'At nine' });
      const edit = { original_message_id: written, text: 'At ten' };
      const edited = await inbound({ edit });
      expect(
        (await told('message.received', (data) => data.message_id === edited)).message,
      ).toMatchObject({
        type: 'edit',
        edit: { original_message_id: written, message: { text: { body: 'At ten' } } },
      });
      const revoked = await inbound({ revoke: { original_message_id: written } });
      expect(
        (await told('message.received', (data) => data.message_id === revoked)).message,
      ).toMatchObject({ type: 'revoke', revoke: { original_message_id: written } });
      const { messages } = await conversation(from);
      expect(messages.map(({ type }: any) => type)).toEqual(['text', 'edit', 'revoke']);
    });

    it('is the ad that the user has clicked', async () => {
      const referral = { source_url: 'https://fb.me/1', headline: 'Fresh bread', body: null };
      const id = await inbound({ text: 'Is it still warm?', referral });
      const { message } = await told('message.received', (data) => data.message_id === id);
      expect(message.referral).toEqual({
        source_type: 'ad',
        source_url: 'https://fb.me/1',
        headline: 'Fresh bread',
      });
    });

    it('is what the owner writes in the app, edits and takes back', async () => {
      const echo = async (content: object) =>
        (await administrator.get('POST', '/simulator/echoes', { to: from, ...content })).id;
      const written = await echo({ text: 'We open at nine.' });
      await echo({ edit: { original_message_id: written, text: 'We open at ten.' } });
      await echo({ revoke: { original_message_id: written } });
      for (const [change, body] of [
        ['sent', 'We open at nine.'],
        ['edited', 'We open at ten.'],
        ['revoked', undefined],
      ] as const) {
        const data = await told('message.echo', (each) => each.change === change);
        expect(data.message?.text.body).toBe(body);
      }
      const { messages } = await conversation(from);
      expect(messages.slice(-3)).toMatchObject([
        { direction: 'out', id: written, is_echo: true, status: null, type: 'text' },
        { direction: 'out', is_echo: true, type: 'edit' },
        { direction: 'out', is_echo: true, type: 'revoke' },
      ]);
    });

    it('is what the user writes while Meta’s own agent answers', async () => {
      const answers = async (standby: boolean) => {
        const { number } = await administrator.get('PUT', '/simulator/number', { standby });
        expect(number).toEqual({ phone_number_id: expect.any(String), standby });
        const asked = `/simulator/user?phone=${encodeURIComponent(from)}`;
        expect((await administrator.get('GET', asked)).user).toMatchObject({ standby });
      };
      await answers(true);
      const standby = await inbound({ text: 'To the agent' });
      await told('message.standby', (data) => data.message_id === standby);
      await answers(false);
      const received = await inbound({ text: 'To you' });
      await told('message.received', (data) => data.message_id === received);
    });

    it('is a sign-up for marketing, which ends when the user stops it', async () => {
      const change = async (given: object) =>
        (await administrator.get('PUT', '/simulator/user', { phone: from, ...given })).user;
      expect(await change({ signed_up: true })).toMatchObject({ signed_up: true });
      await until(async () => {
        const asked = await stack.get(`/contacts/consent?phone=${encodeURIComponent(from)}`);
        const { state, source } = asked.body.data.marketing;
        return state === 'opted_in' && source === 'signup';
      });
      expect(await change({ username: '@noa' })).toMatchObject({ signed_up: true });
      const stopped = { stopped_marketing: true, signed_up: false };
      expect(await change({ stopped_marketing: true })).toMatchObject(stopped);
    });

    it.each<[string, string, string, object, string]>([
      ['an echo of nothing', 'POST', 'echoes', { to: from }, 'text'],
      ['an echo to nobody', 'POST', 'echoes', { to: '12', text: 'x' }, 'to'],
      [
        'an echo from a number of others',
        'POST',
        'echoes',
        { to: from, text: 'x', phone_number_id: '1' },
        'phone_number_id',
      ],
      ['an agent without a word', 'PUT', 'number', {}, 'standby'],
      [
        'an agent at a number of others',
        'PUT',
        'number',
        { standby: true, phone_number_id: '1' },
        'phone_number_id',
      ],
    ])('is not %s', async (_, method, path, body, field) => {
      const answer = await administrator.call(method, `/simulator/${path}`, body);
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body.error.details.fields)).toEqual([field]);
    });
  });

  it('asks for a phone', async () => {
    const { status, body } = await administrator.call('GET', '/simulator/conversation?phone=12');
    expect({ status, code: body.error.code }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
  });
});
