import { randomInt } from 'node:crypto';
import { newId } from '../../src/database/ids.js';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { definitions, map, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey, newWamid, notification, notify, textMessage } from '../support/webhooks.js';

/** A user id that no other test uses. */
function newUserId(): string {
  return `DE.${randomInt(1e14, 2e14)}`;
}

/** A message from a user, as the platform reports it: without a number where the user hides it. */
function messageOf(user: { phone?: string; userId: string; name?: string; username?: string }) {
  const digits = user.phone?.replace('+', '');
  const { from: _, ...message } = textMessage({ from_user_id: user.userId });
  return {
    contacts: [
      {
        profile: { name: user.name ?? 'Mia', ...(user.username && { username: user.username }) },
        ...(digits && { wa_id: digits }),
        user_id: user.userId,
      },
    ],
    messages: [{ ...message, ...(digits && { from: digits }) }],
  };
}

/** That a user id has been replaced, in the form of the platform's documentation. */
function idChange(previous: string, current: string) {
  return {
    messages: [
      {
        id: newWamid(),
        timestamp: String(Math.floor(Date.now() / 1_000)),
        type: 'system',
        system: {
          body: `User Mia changed from ${previous} to ${current}`,
          user_id: current,
          type: 'user_changed_user_id',
        },
      },
    ],
  };
}

describe('a recipient without a phone number', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ webhooks: true });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  const found = async (query: string) =>
    (await stack.get(`/contacts?${query}`)).body.data.contacts as any[];
  const contactOf = (userId: string) => until(async () => (await found(`user_id=${userId}`))[0]);
  const tell = async (value: Record<string, unknown>) => {
    expect((await notify(stack, notification(value))).status).toBe(200);
  };

  let path = 0;
  const newHook = async (events?: string[]) => {
    path += 1;
    const hook = `/contacts/${path}`;
    const { key } = await addWebhookKey(stack, receiver.url(hook), events ? { events } : {});
    return { key, events: () => receiver.at(hook).map(({ body }) => body) };
  };

  describe('in a send', () => {
    it.each([
      ['text', { body: 'Hello' }],
      ['media', { type: 'image', link: 'https://x.example/a.jpg' }],
      ['interactive/button', buttonMessage({ to: undefined })],
    ])(
      '%s goes to the user id in `recipient`, and keeps both as they were given',
      async (route, message) => {
        const userId = newUserId();
        const sent = await stack.request(`/messages/${route}`, {
          method: 'POST',
          body: { ...message, to_user_id: userId },
        });
        expect(sent.body).toMatchObject({ success: true, data: { status: 'sent' } });
        const id = sent.body.data.message_id;
        const [tried] = await stack.tries(id);
        expect(tried?.body).toMatchObject({ recipient: userId });
        expect(tried?.body).not.toHaveProperty('to');
        expect(await stack.message(id)).toMatchObject({ to: null, to_user_id: userId });
        const { body } = await stack.get(`/messages?to_user_id=${userId}`);
        expect(body.data.messages.map((one: any) => one.message_id)).toEqual([id]);
      },
    );

    it('goes to the number where both are given', async () => {
      const to = newRecipient();
      const userId = newUserId();
      const sent = await stack.send('button', buttonMessage({ to, to_user_id: userId }));
      const [tried] = await stack.tries(sent.body.data.message_id);
      expect(tried?.body.to).toBe(to);
      expect(tried?.body).not.toHaveProperty('recipient');
      expect(await stack.message(sent.body.data.message_id)).toMatchObject({
        to,
        to_user_id: userId,
      });
      // A caller cannot link ids.
      expect(await found(`phone=${encodeURIComponent(to)}`)).not.toEqual([
        expect.objectContaining({ user_id: userId }),
      ]);
    });

    it.each<[string, object, string, object]>([
      [
        'neither of them',
        {},
        'VALIDATION_ERROR',
        { to: expect.stringMatching(/^must be a phone number/) },
      ],
      [
        'a user id in `to`',
        { to: 'US.13491208655302741918' },
        'INVALID_PHONE_NUMBER',
        { to: expect.stringMatching(/^must be a phone number/) },
      ],
      [
        'a user id of another form',
        { to_user_id: '13491208655302741918' },
        'VALIDATION_ERROR',
        { to_user_id: expect.stringMatching(/^must be a user id/) },
      ],
    ])('with %s is refused', async (_, recipient, code, fields) => {
      const { status, body } = await stack.request('/messages/text', {
        method: 'POST',
        body: { body: 'Hello', ...recipient },
      });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code, details: { fields } });
    });
  });

  describe('of a one-time code', () => {
    let key: string;

    beforeAll(async () => {
      await putTemplates(stack, [definitions.plain]);
      const added = await addApiKey(stack);
      key = added.key;
      const dashboard = await Dashboard.signIn(stack);
      await sync(dashboard);
      await map(dashboard, added.id, 'plain', {});
      await stack.sql(`update templates set category = 'AUTHENTICATION' where name = 'plain'`);
      await stack.sql('update accounts set version = version + 1');
    });

    const send = (route: string, message: object) =>
      stack.request(`/messages/${route}`, { method: 'POST', apiKey: key, body: message });
    const plain = { template_name: 'plain', language: 'en_US' };

    it.each(['template', 'template/send'])(
      'is refused by %s, though the contact has a number',
      async (route) => {
        const userId = newUserId();
        await tell(messageOf({ phone: newRecipient(), userId }));
        await contactOf(userId);
        const { accepted } = await stack.stats();
        const { status, body } = await send(route, { ...plain, to_user_id: userId });
        expect(status).toBe(400);
        expect(body.error).toEqual({
          code: 'RECIPIENT_NOT_SUPPORTED',
          message: expect.stringMatching(/phone number/),
        });
        expect((await stack.stats()).accepted).toBe(accepted);
      },
    );

    it('is refused only where the template is right, and sent with a number', async () => {
      const wrong = await send('template', {
        ...plain,
        template_name: 'other',
        to_user_id: 'US.1',
      });
      expect(wrong.body.error.code).toBe('TEMPLATE_NOT_FOUND');
      const sent = await send('template/send', {
        ...plain,
        to: newRecipient(),
        to_user_id: 'US.1',
      });
      expect(sent.body).toMatchObject({ success: true, data: { status: 'sent' } });
    });
  });

  describe('in the contacts', () => {
    it('is one contact with number, user id and name, and is found by each of the ids', async () => {
      const phone = newRecipient();
      const userId = newUserId();
      await tell(messageOf({ phone, userId, username: '@mia' }));
      const contact = await contactOf(userId);
      expect(contact).toEqual({
        contact_id: expect.any(String),
        phone,
        user_id: userId,
        parent_user_id: null,
        username: '@mia',
        name: 'Mia',
        country: 'DE',
        last_inbound_at: expect.stringMatching(/\.000Z$/),
      });
      expect(await found(`phone=${encodeURIComponent(phone)}`)).toEqual([contact]);
      const { body } = await stack.get(`/contacts/${contact.contact_id}`);
      expect(body.data).toEqual({ contact });
    });

    it('is not found by an unknown id, nor in another account or mode', async () => {
      const userId = newUserId();
      await tell(messageOf({ userId }));
      const { contact_id: id } = await contactOf(userId);
      expect(await found(`user_id=${newUserId()}`)).toEqual([]);
      const other = await addAccount(stack);
      const { key } = await addApiKey(stack, { accountId: other });
      const list = await stack.get(`/contacts?user_id=${userId}`, { apiKey: key });
      expect(list.body.data).toEqual({ contacts: [], next_cursor: null });
      for (const [asked, apiKey] of [
        [id, key],
        [newId(), installation.apiKey],
        ['7', installation.apiKey],
      ]) {
        const { status, body } = await stack.get(`/contacts/${asked}`, { apiKey });
        expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
      }
    });

    it('needs the permission manage_contacts', async () => {
      const { key } = await addApiKey(stack, { permissions: ['view_messages', 'send_text'] });
      for (const route of ['/contacts', `/contacts/${newId()}`]) {
        const { status, body } = await stack.get(route, { apiKey: key });
        expect([status, body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
      }
    });

    it('is listed newest first, in pages', async () => {
      const account = await addAccount(stack);
      const { key } = await addApiKey(stack, { accountId: account });
      const ids = [newId(1e12), newId(2e12), newId(3e12)];
      await stack.sql(
        `insert into contacts (id, account_id, mode, phone)
         select id, $2, 'live', '+1415555' || n from unnest($1::uuid[]) with ordinality t (id, n)`,
        [ids, account],
      );
      const first = await stack.get('/contacts?limit=2', { apiKey: key });
      const { contacts, next_cursor: cursor } = first.body.data;
      expect(contacts.map((one: any) => one.contact_id)).toEqual([ids[2], ids[1]]);
      const second = await stack.get(`/contacts?limit=2&cursor=${cursor}`, { apiKey: key });
      expect(second.body.data.contacts.map((one: any) => one.contact_id)).toEqual([ids[0]]);
      expect(second.body.data.next_cursor).toBeNull();
    });

    it('is learnt from a status with both ids, and then named by the message and its events', async () => {
      const { key, events } = await newHook();
      const to = newRecipient();
      const sent = await stack.send('button', buttonMessage({ to }), {}, { apiKey: key });
      const id = sent.body.data.message_id;
      const [contact] = await until(async () => {
        const all = await found(`phone=${encodeURIComponent(to)}`);
        return all.length > 0 && all;
      });
      expect(contact).toMatchObject({ phone: to, last_inbound_at: null });
      expect(contact.user_id).toMatch(/^US\.1000\d+$/);
      expect(await stack.message(id)).toMatchObject({ contact_id: contact.contact_id });
      const read = await until(() => events().find(({ data }) => data.status === 'read'));
      expect(read.data).toMatchObject({ to, to_user_id: null, contact_id: contact.contact_id });
    });

    it('is named in the event when they write', async () => {
      const { events } = await newHook();
      const userId = newUserId();
      await tell(messageOf({ userId, username: '@mia' }));
      const event = await until(() => events().find(({ data }) => data.from_user_id === userId));
      expect(event.data).toMatchObject({
        from: null,
        from_username: '@mia',
        from_parent_user_id: null,
        contact_id: (await contactOf(userId)).contact_id,
      });
    });
  });

  describe('whose ids change', () => {
    it('gets queued and later messages under the new user id', async () => {
      const [old, next, last] = [newUserId(), newUserId(), newUserId()];
      await stack.rules.add({
        match: { to: old.replace(/\D/g, '') },
        fault: { code: 131016 },
        times: 1,
      });
      const send = async () => {
        const { body } = await stack.request('/messages/text', {
          method: 'POST',
          headers: { Prefer: 'respond-async' },
          body: { body: 'Hello', to_user_id: old },
        });
        return body.data.message_id as string;
      };
      const triesOf = (id: string, count: number) =>
        until(async () => {
          const all = await stack.tries(id);
          return all.length >= count && all.map(({ body }) => body.recipient);
        }, 30_000);
      const queued = await send();
      await triesOf(queued, 1);
      await tell(idChange(old, next));
      await contactOf(next);
      expect(await triesOf(queued, 2)).toEqual([old, next]);
      expect(await triesOf(await send(), 1)).toEqual([next]);
      await tell(idChange(next, last));
      await contactOf(last);
      const id = await send();
      expect(await triesOf(id, 1)).toEqual([last]);
      const dashboard = await Dashboard.signIn(stack);
      const shown = await dashboard.get('GET', `/messages/${id}`);
      expect(shown.platform_payload.recipient).toBe(last);
      expect(shown.contact).toMatchObject({ user_id: last });
      expect(await stack.message(id)).toMatchObject({
        to: null,
        to_user_id: old,
        contact_id: (await contactOf(last)).contact_id,
      });
    });

    it('is found under the old user id, and told to the endpoints that ask for it', async () => {
      const asking = await newHook(['contact.changed']);
      const others = await newHook();
      const phone = newRecipient();
      const [old, next] = [newUserId(), newUserId()];
      await tell(messageOf({ phone, userId: old }));
      const { contact_id: id } = await contactOf(old);
      await tell(idChange(old, next));
      const event = await until(() => asking.events().find(({ data }) => data.contact_id === id));
      expect(event).toEqual({
        event: 'contact.changed',
        timestamp: expect.any(String),
        data: {
          contact_id: id,
          change: 'user_id',
          previous: { phone, user_id: old },
          current: { phone, user_id: next },
        },
      });
      expect(await found(`user_id=${old}`)).toEqual(await found(`user_id=${next}`));
      const told = await until(() => {
        const all = others.events().filter(({ data }) => data.contact_id === id);
        return all.length === 2 && all;
      });
      expect(told.map(({ event: name }) => name)).toEqual(['message.received', 'message.received']);
    });

    it('is found under the parent id that was replaced', async () => {
      const phone = newRecipient();
      const [parent, nextParent] = [newUserId(), newUserId()].map((id) => id.replace('.', '.ENT.'));
      await stack.control('PUT', 'users', { phone, parent_user_id: parent });
      const change = { phone, new_user_id: newUserId(), new_parent_user_id: nextParent };
      await stack.control('POST', 'users/change', change);
      const contact = await contactOf(change.new_user_id);
      expect(contact.parent_user_id).toBe(nextParent);
      expect(await found(`user_id=${parent}`)).toEqual([contact]);
    });

    it('gets nothing at a new number that was meant for the old one', async () => {
      const [old, next] = [newRecipient(), newRecipient()];
      await stack.control('PUT', 'users', { phone: old, user_id: newUserId() });
      await stack.control('POST', 'inbound', { from: old, text: 'Hello' });
      await until(async () => (await found(`phone=${encodeURIComponent(old)}`))[0]);
      await stack.control('POST', 'users/change', { phone: old, new_phone: next });
      const [contact] = await until(async () => {
        const all = await found(`phone=${encodeURIComponent(next)}`);
        return all.length > 0 && all;
      });
      expect(await found(`phone=${encodeURIComponent(old)}`)).toEqual([]);
      const sent = await stack.send('button', buttonMessage({ to: old }));
      const id = sent.body.data.message_id;
      expect((await stack.tries(id)).map(({ body }) => body.to)).toEqual([old]);
      expect(contact.last_inbound_at).not.toBeNull();
    });

    it('merges with the contact that it turns out to be, and is found by both ids', async () => {
      const asking = await newHook(['contact.changed']);
      const phone = newRecipient();
      const userId = newUserId();
      await tell(messageOf({ userId }));
      const newer = await contactOf(userId);
      const id = newId(1e12);
      await stack.sql(
        `insert into contacts (id, account_id, mode, phone) values ($1, $2, 'live', $3)`,
        [id, installation.accountId, phone],
      );
      await tell(messageOf({ phone, userId }));
      const event = await until(() => asking.events().find(({ data }) => data.contact_id === id));
      expect(event.data).toMatchObject({
        change: 'merged',
        previous: { contact_id: newer.contact_id, phone: null, user_id: userId },
        current: { contact_id: id, phone, user_id: userId },
      });
      for (const asked of [id, newer.contact_id]) {
        const { body } = await stack.get(`/contacts/${asked}`);
        expect(body.data.contact).toMatchObject({ contact_id: id, phone, user_id: userId });
      }
    });
  });
});
