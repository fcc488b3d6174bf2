import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dashboard } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';
import { newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  addWebhookKey,
  demoNumber,
  newWamid,
  notification,
  notify,
  textMessage,
} from '../support/webhooks.js';

const nameOf = ({ event, data }: any) => `${event} ${data.change}`;

const named = ['message.received', 'message.echo', 'message.standby', 'contact.consent'];

const text = (body: string) => ({ type: 'text', text: { body } });

const fixtures = join(checkout, 'libs/whatsapp/fixtures/meta');

/** WhatsApp's ids in the fixtures begin so. */
const wamid = 'wamid.HBgLMTY1MDU1NTEyMzQVAgASGBQzQTAx';

describe.each(stores)('what others write from the number, over %s', (store) => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let hooks = 0;

  beforeAll(async () => {
    stack = await Stack.start({ store, webhooks: true });
    receiver = await WebhookReceiver.start();
    const operator = await Dashboard.signIn(stack);
    await operator.get('PATCH', `/accounts/${installation.accountId}`, {
      keywords: { out: ['stop'], in: [] },
    });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  /** A receiver of a new key that has asked for some events. */
  async function listen(events: string[], change = {}): Promise<string> {
    hooks += 1;
    const path = `/echoes-${hooks}`;
    await addWebhookKey(stack, receiver.url(path), { events, ...change });
    return path;
  }
  /** Deliveries overtake each other: sorted by what they tell. */
  const at = (path: string) =>
    receiver
      .at(path)
      .map(({ body }) => body)
      .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  /** Posts what the platform says under a field. */
  async function tell(field: string, value: Record<string, unknown>): Promise<void> {
    const body = notification(value);
    for (const each of body.entry[0]?.changes ?? []) each.field = field;
    expect((await notify(stack, body)).status).toBe(200);
  }
  const echo = (to: string, change: object) => ({
    from: '15550783881',
    to: to.slice(1),
    id: newWamid(),
    timestamp: String(Math.floor(Date.now() / 1_000)),
    ...change,
  });
  const windowOf = async (phone: string) =>
    (await stack.get(`/contacts/window?phone=${encodeURIComponent(phone)}`)).body.data.state;
  const contactsOf = async (phone: string) =>
    (await stack.get(`/contacts?phone=${encodeURIComponent(phone)}`)).body.data.contacts;
  const consentOf = async (phone: string) =>
    (await stack.get(`/contacts/consent?phone=${encodeURIComponent(phone)}`)).body.data.marketing;

  /** Posts a body as Meta's pages show it, of one user and with ids of its own. Returns how ids in it begin now. */
  async function tellAs(name: string, user: { phone: string; id: string }): Promise<string> {
    const prefix = `${newWamid()}_`;
    const body = readFileSync(join(fixtures, `${name}.json`), 'utf8')
      .replaceAll(wamid, prefix)
      .replaceAll('US.13491208655302741918', user.id)
      .replaceAll('US.24602319766413852029', `${user.id}9`)
      .replaceAll('US.ENT.11815799212886844830', parentOf(user.id))
      .replaceAll('US.ENT.22815799212886844831', parentOf(`${user.id}9`))
      .replaceAll('16505551234', user.phone.slice(1))
      .replaceAll('106540352242922', demoNumber.phoneNumberId)
      .replaceAll('102290129340398', demoNumber.businessAccountId)
      .replaceAll('1764238530', String(Math.floor(Date.now() / 1_000)));
    expect((await notify(stack, JSON.parse(body))).status).toBe(200);
    return prefix;
  }
  const parentOf = (id: string) => id.replace('US.', 'US.ENT.');
  let users = 0;
  const newUser = () => {
    users += 1;
    return { phone: newRecipient(), id: `US.${Date.now()}${process.pid}${users}` };
  };
  /** Waits until everything that was posted is processed. */
  const processed = () =>
    until(async () => {
      const [row] = await stack.sql(
        'select count(*) as open from platform_notifications where processed_at is null',
      );
      return Number(row.open) === 0;
    });

  const shownImage = {
    caption: 'Our new hours',
    url: expect.stringMatching(/\/media\/998877665544332$/),
  };
  /** What becomes of each: the event, and what its data say; null: nothing. `original`: how the id of the changed message ends. */
  const outcomes: Record<string, { event: string; data: object; original?: string } | null> = {
    'edit-text': {
      event: 'message.received',
      data: {
        message: {
          type: 'edit',
          edit: { message: { type: 'text', text: { body: 'At ten, please' } } },
        },
      },
    },
    'edit-image': {
      event: 'message.received',
      data: { message: { type: 'edit', edit: { message: { type: 'image', image: shownImage } } } },
    },
    revoke: { event: 'message.received', data: { message: { type: 'revoke' } } },
    'echo-text': {
      event: 'message.echo',
      data: {
        from: '+15550783881',
        change: 'sent',
        original_message_id: null,
        message: { type: 'text', text: { body: 'We open at nine.' } },
      },
    },
    'echo-image': {
      event: 'message.echo',
      data: { change: 'sent', message: { type: 'image', image: shownImage } },
    },
    'echo-edit': {
      event: 'message.echo',
      data: { change: 'edited', message: { type: 'image', image: shownImage } },
      original: '00C=',
    },
    'echo-revoke': {
      event: 'message.echo',
      data: { change: 'revoked', message: null },
      original: '00C=',
    },
    'standby-message': {
      event: 'message.standby',
      data: { from_name: 'Mia Jung', message: { text: { body: 'Is anybody there?' } } },
    },
    'standby-message-in-value': {
      event: 'message.standby',
      data: { from_name: 'Mia Jung', message: { text: { body: 'Is anybody there?' } } },
    },
    'standby-echo': null,
    'standby-status': null,
    referral: {
      event: 'message.received',
      data: {
        message: {
          referral: {
            source_type: 'ad',
            source_id: '120200000000000001',
            ctwa_clid: 'ARAkLkA8rmlFeiCktEJQ',
            welcome_message: { text: 'Hello! How can we help?' },
          },
        },
      },
    },
    forwarded: {
      event: 'message.received',
      data: { forwarded: true, frequently_forwarded: false, context: null },
    },
    'frequently-forwarded': {
      event: 'message.received',
      data: { forwarded: true, frequently_forwarded: true, context: null },
    },
    'referred-product': {
      event: 'message.received',
      data: {
        forwarded: false,
        referred_product: {
          catalog_id: '194836987003835',
          product_retailer_id: 'di9ozbzfi4',
        },
      },
    },
    'user-preferences-signup': {
      event: 'contact.consent',
      data: { scope: 'marketing', state: 'opted_in', source: 'signup' },
    },
    'system-user-id': { event: 'message.received', data: { message: { type: 'system' } } },
    history: null,
    'smb-app-state-sync': null,
  };

  it('has an outcome for each body of Meta’s pages', () => {
    const names = readdirSync(fixtures).map((file) => file.replace('.json', ''));
    expect(new Set(Object.keys(outcomes))).toEqual(new Set(names));
  });

  it.each(Object.entries(outcomes))('is told as Meta shows it: %s', async (name, outcome) => {
    const path = await listen(named);
    const user = newUser();
    const prefix = await tellAs(name, user);
    await processed();
    const [{ stored }] = await stack.sql(
      `select count(*)::int as stored from (
         select endpoint_id from open_events union all select endpoint_id from done_events
       ) each join webhook_endpoints e on e.id = each.endpoint_id where e.url = $1`,
      [receiver.url(path)],
    );
    expect(stored).toBe(outcome ? 1 : 0);
    const events = await until(() => at(path).length === stored && at(path));
    expect(events).toMatchObject(outcome ? [{ event: outcome.event, data: outcome.data }] : []);
    if (outcome?.original) {
      expect(events[0]?.data.original_message_id).toBe(`${prefix}${outcome.original}`);
    }
  });

  it('learns a replaced parent id from a system message, and finds the contact by the old one', async () => {
    const user = newUser();
    const message = {
      ...textMessage({ from: user.phone.slice(1) }),
      from_user_id: user.id,
      from_parent_user_id: parentOf(user.id),
    };
    await tell('messages', { messages: [message] });
    await processed();
    await tellAs('system-user-id', user);
    const found = await until(async () => {
      const answer = await stack.get(`/contacts?user_id=${parentOf(`${user.id}9`)}`);
      return answer.body.data.contacts[0];
    });
    const before = await stack.get(`/contacts?user_id=${parentOf(user.id)}`);
    expect(found.phone).toBe(user.phone);
    expect(before.body.data.contacts).toMatchObject([{ contact_id: found.contact_id }]);
  });

  it.each([
    'edit-text',
    'edit-image',
    'revoke',
    'echo-text',
    'echo-edit',
    'echo-revoke',
    'standby-echo',
    'standby-status',
    'history',
    'smb-app-state-sync',
  ])('opens no window, and is no status: %s', async (name) => {
    const path = await listen([...named, 'message.status']);
    const user = newUser();
    // The window is known to be closed only after it was open.
    const timestamp = String(Math.floor(Date.now() / 1_000 - 25 * 3_600));
    await tell('messages', { messages: [textMessage({ from: user.phone.slice(1), timestamp })] });
    await tellAs(name, user);
    await processed();
    await until(() => at(path).length > 0);
    expect(
      (await stack.get(`/contacts/window?phone=${encodeURIComponent(user.phone)}`)).body.data,
    ).toMatchObject({ state: expect.not.stringMatching('open') });
    expect(at(path).map(({ event }) => event)).not.toContain('message.status');
    expect((await consentOf(user.phone)).state).toBeNull();
  });

  it.each([
    ['an edit', { type: 'edit', edit: { original_message_id: 'w', message: text('STOP') } }],
    [
      'a revocation',
      { type: 'revoke', revoke: { original_message_id: 'w' }, text: { body: 'STOP' } },
    ],
  ])('meets no keyword: %s', async (_, change) => {
    const path = await listen(named);
    const from = newRecipient();
    await tell('messages', { messages: [textMessage({ from: from.slice(1), ...change })] });
    await until(() => at(path).length > 0);
    expect((await consentOf(from)).state).toBeNull();
    expect(at(path).map(({ event }) => event)).toEqual(['message.received']);
  });

  it.each(['history', 'smb-app-state-sync'])('makes no contact: %s', async (name) => {
    const user = newUser();
    await tellAs(name, user);
    await processed();
    expect(await contactsOf(user.phone)).toEqual([]);
  });

  it('is told as an echo, changed or taken back, once, to those who name it', async () => {
    const [path, other] = [await listen(named), await listen(['message.received'])];
    const to = newRecipient();
    const written = echo(to, text('We open at nine.'));
    const edit = { original_message_id: written.id, message: text('We open at ten.') };
    const revoke = { original_message_id: written.id };
    const echoes = [
      written,
      echo(to, { type: 'edit', edit }),
      echo(to, { type: 'revoke', revoke }),
    ];
    await tell('smb_message_echoes', { message_echoes: echoes });
    await tell('smb_message_echoes', { message_echoes: echoes.slice(1) });
    await until(() => at(path).length === 3);
    expect(at(path)).toMatchObject([
      { data: { change: 'edited', original_message_id: written.id, message: edit.message } },
      { data: { change: 'revoked', original_message_id: written.id, message: null } },
      {
        event: 'message.echo',
        data: {
          message_id: written.id,
          from: '+15550783881',
          to,
          to_user_id: null,
          contact_id: null,
          sent_at: new Date(Number(written.timestamp) * 1_000).toISOString(),
          change: 'sent',
          original_message_id: null,
          message: text('We open at nine.'),
        },
      },
    ]);
    expect(at(other)).toEqual([]);
  });

  it('opens no window, meets no keyword and makes no contact', async () => {
    const path = await listen(named);
    const to = newRecipient();
    await tell('smb_message_echoes', { message_echoes: [echo(to, text('STOP'))] });
    await until(() => at(path).length > 0);
    expect(await contactsOf(to)).toEqual([]);
    expect(await windowOf(to)).not.toBe('open');
    expect((await consentOf(to)).state).toBeNull();
    expect(at(path).map(({ event }) => event)).toEqual(['message.echo']);
  });

  it('names the contact that is known, and lets callers fetch files', async () => {
    const path = await listen(named);
    const phone = newRecipient();
    await tell('messages', { messages: [textMessage({ from: phone.slice(1) })] });
    const [contact] = await until(async () => {
      const found = await contactsOf(phone);
      return found.length > 0 && found;
    });
    const image = { id: '998877665544', mime_type: 'image/jpeg', sha256: 'x' };
    const message = echo(phone, { type: 'image', image });
    await tell('smb_message_echoes', { message_echoes: [message] });
    const event = await until(() => at(path).find((each) => each.event === 'message.echo'));
    expect(event.data).toMatchObject({
      contact_id: contact.contact_id,
      message: {
        type: 'image',
        image: { ...image, url: expect.stringMatching(/\/media\/998877665544$/) },
      },
    });
  });

  it('needs view_messages, as reading it does', async () => {
    const path = await listen(named);
    const blind = await listen(named, { permissions: ['send_text'] });
    await stack.sql(`update webhook_endpoints set id = uuidv7() where url = $1`, [
      receiver.url(blind),
    ]);
    await tell('smb_message_echoes', { message_echoes: [echo(newRecipient(), text('Hello'))] });
    await until(() => at(path).length > 0);
    expect(at(blind)).toEqual([]);
  });

  it('while the agent of Meta answers, users write in standby: the window opens and keywords count', async () => {
    const [path, received] = [await listen(named), await listen(['message.received'])];
    const choosy = await listen(['message.standby']);
    await stack.sql(`update webhook_endpoints set message_types = '{image}' where url = $1`, [
      receiver.url(choosy),
    ]);
    const from = newRecipient();
    const message = textMessage({ from: from.slice(1), text: { body: 'STOP' } });
    await tell('standby', {
      messages: [message],
      message_echoes: [echo(from, text('I am the agent.'))],
      statuses: [{ id: newWamid(), status: 'sent', timestamp: '1790000000', recipient_id: from }],
    });
    // The same message under both fields is one event.
    await tell('messages', { messages: [message] });
    await until(() => at(path).length === 2);
    expect(at(path).map(({ event }) => event)).toEqual(['contact.consent', 'message.standby']);
    const standby = at(path).find(({ event }) => event === 'message.standby');
    expect(standby.data).toMatchObject({ from, message: { type: 'text', text: { body: 'STOP' } } });
    expect(await windowOf(from)).toBe('open');
    expect((await consentOf(from)).state).toBe('opted_out');
    expect([at(received), at(choosy)]).toEqual([[], []]);
  });

  it('is played by the simulator', async () => {
    const path = await listen(named);
    const control = async (method: string, route: string, body: object) => {
      const answer = await fetch(`${stack.simulator.url}/_simulator${route}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
      return answer.json();
    };
    const [number] = await stack.sql(
      'select phone_number_id, business_account_id from accounts where id = $1',
      [installation.accountId],
    );
    const to = newRecipient();
    const place = { phone_number_id: number.phone_number_id };
    await control('POST', '/echoes', { to, text: 'Hello', ...place });
    await control('POST', '/echoes', {
      to,
      edit: { original_message_id: 'w', text: 'Hi' },
      ...place,
    });
    await control('POST', '/echoes', { to, revoke: { original_message_id: 'w' }, ...place });
    await until(() => at(path).length === 3);
    expect(at(path).map(({ data }) => data.change)).toEqual(['edited', 'revoked', 'sent']);
    await control('PUT', '/numbers', { ...number, standby: true });
    const referral = { source_url: 'https://fb.me/1', headline: 'Fresh bread' };
    await control('POST', '/inbound', { from: to, text: 'Hello', referral, ...place });
    await control('PUT', '/numbers', { ...number, standby: false });
    await control('POST', '/inbound', { from: to, revoke: { original_message_id: 'w' }, ...place });
    await until(() => at(path).length === 5);
    expect(at(path).slice(3)).toMatchObject([
      { event: 'message.received', data: { message: { type: 'revoke' } } },
      { event: 'message.standby', data: { message: { referral } } },
    ]);
  });
});
