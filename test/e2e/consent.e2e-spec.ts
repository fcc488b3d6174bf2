import { randomUUID } from 'node:crypto';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { definitions, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey, notification, notify, textMessage } from '../support/webhooks.js';

const sale = { ...definitions.plain, name: 'sale', category: 'MARKETING' };

/** Two answers, one of them the button that Meta's editor adds for opting out. */
const offer = {
  ...sale,
  name: 'oferta',
  language: 'pt_BR',
  components: [
    { type: 'BODY', text: 'Só hoje: 20% de desconto.' },
    {
      type: 'BUTTONS',
      buttons: ['Ver ofertas', 'Parar promoções'].map((text) => ({ type: 'QUICK_REPLY', text })),
    },
  ],
};
const receipt = { ...offer, name: 'recibo', category: 'UTILITY' };

describe('consent', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    await putTemplates(stack, [...Object.values(definitions), sale, offer, receipt]);
    await sync(await Dashboard.signIn(stack));
  });

  afterAll(() => stack?.stop());

  const put = (body: object, options: object = {}) =>
    stack.request('/contacts/consent', { method: 'PUT', body, ...options });
  const optOut = (phone: string, scope = 'marketing') => put({ phone, scope, state: 'opted_out' });
  const consentOf = async (phone: string) =>
    (await stack.get(`/contacts/consent?phone=${encodeURIComponent(phone)}`)).body.data;
  const send = (
    to: object,
    name = 'sale',
    headers: Record<string, string> = {},
    language = 'en_US',
  ) =>
    stack.request('/messages/template', {
      method: 'POST',
      body: { ...to, template_name: name, language, components: [] },
      headers,
    });
  const sentTo = async (to: string) => (await stack.ledger(to)).length;

  /** A template that WhatsApp has refused once, for some seconds. */
  async function queued(to: string, name = 'sale'): Promise<string> {
    await stack.rules.add({ match: { to }, fault: { code: 131056 }, times: 1 });
    const { body } = await send({ to }, name, { prefer: 'respond-async' });
    await until(async () => (await sentTo(to)) === 1);
    return body.data.message_id;
  }

  it('is empty for somebody who has said nothing, whom asking does not make a contact', async () => {
    const nothing = { state: null, since: null, source: null };
    expect(await consentOf(newRecipient())).toEqual({
      contact_id: null,
      marketing: nothing,
      all: nothing,
      history: [],
    });
  });

  it('is recorded with source and evidence, and every word of it is kept', async () => {
    const phone = newRecipient();
    const first = await put({
      phone,
      scope: 'marketing',
      state: 'opted_in',
      source: 'shop',
      evidence: 'form 7',
    });
    expect(first.status).toBe(200);
    await optOut(phone);
    await optOut(phone);
    const told = await consentOf(phone);
    expect(told).toMatchObject({
      contact_id: expect.any(String),
      marketing: { state: 'opted_out', source: 'api' },
      all: { state: null },
    });
    expect(told.history).toMatchObject([
      { scope: 'marketing', state: 'opted_out', source: 'api', evidence: null },
      { scope: 'marketing', state: 'opted_in', source: 'shop', evidence: 'form 7' },
    ]);
    expect(told.marketing.since).toBe(told.history[0].at);
    const { contacts } = (await stack.get(`/contacts?phone=${encodeURIComponent(phone)}`)).body
      .data;
    expect(contacts).toMatchObject([{ contact_id: told.contact_id, phone, last_inbound_at: null }]);
  });

  it('says what is wrong with a request', async () => {
    const { body } = await put({ scope: 'everything', state: 'maybe' });
    expect(body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: {
        fields: {
          phone: expect.any(String),
          scope: 'must be one of marketing, all',
          state: 'must be one of opted_in, opted_out',
        },
      },
    });
    const { key } = await addApiKey(stack, { permissions: ['view_messages'] });
    expect((await put({}, { apiKey: key })).body.error.code).toBe('PERMISSION_DENIED');
  });

  it('refuses marketing to somebody who wants none, and nothing else', async () => {
    const to = newRecipient();
    await optOut(to);
    const { status, body } = await send({ to });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'RECIPIENT_OPTED_OUT',
      details: { scope: 'marketing', since: expect.stringMatching(/Z$/), source: 'api' },
    });
    expect((await send({ to }, 'plain')).status).toBe(200);
    expect((await stack.send('button', buttonMessage({ to }))).status).toBe(200);
    expect(await sentTo(to)).toBe(2);
    await put({ phone: to, scope: 'marketing', state: 'opted_in' });
    expect((await send({ to })).status).toBe(200);
  });

  it('of scope all refuses every template, and no other message', async () => {
    const to = newRecipient();
    await optOut(to, 'all');
    expect((await send({ to }, 'plain')).body.error.details.scope).toBe('all');
    expect((await send({ to })).body.error.details.scope).toBe('all');
    expect((await stack.send('button', buttonMessage({ to }))).status).toBe(200);
  });

  it('is found by user id', async () => {
    const user = `DE.${Date.now()}7`;
    await put({ user_id: user, scope: 'all', state: 'opted_out' });
    expect((await send({ to_user_id: user }, 'plain')).body.error.code).toBe('RECIPIENT_OPTED_OUT');
    expect((await send({ to_user_id: `${user}1` }, 'plain')).status).toBe(200);
  });

  it('counts for one key mode alone', async () => {
    const phone = newRecipient();
    const { key } = await addApiKey(stack, { mode: 'test' });
    await put({ phone, scope: 'marketing', state: 'opted_out' }, { apiKey: key });
    expect((await send({ to: phone })).status).toBe(200);
  });

  it('takes no unit of the day, and works on a day that is used up', async () => {
    const { key } = await addApiKey(stack, { dailyLimit: 1 });
    const phone = newRecipient();
    await optOut(phone);
    const offered = () =>
      stack.request('/messages/template', {
        method: 'POST',
        apiKey: key,
        body: { to: phone, template_name: 'sale', language: 'en_US', components: [] },
      });
    const replay = { 'idempotency-key': 'opted-out' };
    expect((await offered()).body.error.code).toBe('RECIPIENT_OPTED_OUT');
    const sent = await stack.send('button', buttonMessage({ to: phone }), replay, { apiKey: key });
    expect(sent.status).toBe(200);
    expect((await offered()).body.error.code).toBe('DAILY_LIMIT_EXCEEDED');
    expect((await put({ phone, scope: 'all', state: 'opted_out' }, { apiKey: key })).status).toBe(
      200,
    );
  });

  it('does not refuse the repetition of a send from before it', async () => {
    const to = newRecipient();
    const headers = { 'idempotency-key': `before-${to}` };
    const first = await send({ to }, 'sale', headers);
    await optOut(to);
    const again = await send({ to }, 'sale', headers);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    // A refused one does not use up its key.
    const other = { 'idempotency-key': `after-${to}` };
    expect((await send({ to }, 'sale', other)).body.error.code).toBe('RECIPIENT_OPTED_OUT');
    await put({ phone: to, scope: 'marketing', state: 'opted_in' });
    expect((await send({ to }, 'sale', other)).status).toBe(200);
  });

  it('stops what is queued, with the commit that records it', async () => {
    const to = newRecipient();
    const marketing = await queued(to);
    const receiver = await WebhookReceiver.start();
    await addWebhookKey(stack, receiver.url('/consent'), { events: ['contact.consent'] });
    await optOut(to);
    expect(await stack.message(marketing)).toMatchObject({
      status: 'failed',
      error: { reason: 'opted_out', retryable: false },
    });
    const [event] = await until(async () => {
      const events = receiver.at('/consent');
      return events.length > 0 && events;
    });
    expect(event?.body).toMatchObject({
      event: 'contact.consent',
      data: { scope: 'marketing', state: 'opted_out', source: 'api' },
    });
    await receiver.close();
  });

  it('is checked once more by the claim, by the category of then', async () => {
    const to = newRecipient();
    await optOut(to);
    const utility = await queued(to, 'plain');
    await stack.sql(`update templates set category = 'MARKETING' where name = 'plain'`);
    const failed = await until(async () => {
      const message = await stack.message(utility);
      return message.status === 'failed' && message;
    });
    await stack.sql(`update templates set category = 'UTILITY' where name = 'plain'`);
    expect(failed.error).toMatchObject({ reason: 'opted_out' });
    expect(await sentTo(to)).toBe(1);
  });

  it('of two contacts that turn out to be one is what was said last, and in a tie the opt-out', async () => {
    const merged = async (seconds: number) => {
      const phone = newRecipient();
      const user = `DE.${phone.slice(1)}`;
      await optOut(phone);
      await put({ user_id: user, scope: 'marketing', state: 'opted_in' });
      const { contact_id: id } = (await stack.get(`/contacts/consent?user_id=${user}`)).body.data;
      await stack.sql(
        `update contact_consents set at = make_interval(secs => $2) + (
           select at from contact_consents where state = 'opted_out' order by seq desc limit 1)
         where contact_id = $1`,
        [id, seconds],
      );
      const from = phone.slice(1);
      await notify(
        stack,
        notification({
          contacts: [{ profile: { name: 'Mia' }, wa_id: from, user_id: user }],
          messages: [textMessage({ from, from_user_id: user })],
        }),
      );
      const told = await until(async () => {
        const consent = await consentOf(phone);
        return consent.history.length > 1 && consent;
      });
      return { state: told.marketing.state, status: (await send({ to: phone })).status };
    };
    expect(await merged(0)).toEqual({ state: 'opted_out', status: 400 });
    expect(await merged(2)).toEqual({ state: 'opted_in', status: 200 });
    expect(await merged(-2)).toEqual({ state: 'opted_out', status: 400 });
  });

  /** What a user wrote or tapped, some seconds ago. */
  const write = async (phone: string, message: Record<string, unknown>, secondsAgo = 0) => {
    const timestamp = String(Math.floor(Date.now() / 1_000) - secondsAgo);
    const { text: _, ...envelope } = textMessage({ from: phone.slice(1), timestamp });
    await notify(stack, notification({ messages: [{ ...envelope, ...message }] }));
  };
  const text = (body: string) => ({ type: 'text', text: { body } });
  const stateOf = async (phone: string) => (await consentOf(phone)).marketing.state;

  it('follows what the user chooses in WhatsApp, by its times and not by arrival', async () => {
    const phone = newRecipient();
    const prefer = async (value: string, secondsAgo: number, more = {}) => {
      const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
      const preference = {
        wa_id: phone.slice(1),
        detail: `User requested to ${value} marketing messages`,
        category: 'marketing_messages',
        value,
        timestamp,
        ...more,
      };
      const body = notification({ user_preferences: [preference] });
      for (const change of body.entry[0]?.changes ?? []) change.field = 'user_preferences';
      expect((await notify(stack, body)).status).toBe(200);
    };
    const marketing = await queued(phone);
    await prefer('stop', 60);
    await until(async () => (await stateOf(phone)) === 'opted_out');
    expect(await stack.message(marketing)).toMatchObject({ error: { reason: 'opted_out' } });
    await prefer('resume', 10);
    await until(async () => (await stateOf(phone)) === 'opted_in');
    // Reported late.
    await prefer('stop', 30);
    const told = await until(async () => {
      const consent = await consentOf(phone);
      return consent.history.length === 3 && consent;
    });
    expect(told.marketing).toMatchObject({ state: 'opted_in', source: 'user_preferences' });
    expect((await send({ to: phone })).status).toBe(200);
    await prefer('stop', 8);
    await until(async () => (await stateOf(phone)) === 'opted_out');
    await prefer('signup', 5, { signup_id: 4711 });
    await until(async () => (await stateOf(phone)) === 'opted_in');
    const { marketing: signed, history } = await consentOf(phone);
    expect(signed).toMatchObject({ source: 'signup' });
    expect(JSON.stringify(history)).toContain('signup_id 4711');
  });

  it('ends with the refusal 131050', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { failed: 131050 }, times: 1 });
    await send({ to });
    await until(async () => (await stateOf(to)) === 'opted_out');
    expect((await send({ to })).body.error).toMatchObject({
      code: 'RECIPIENT_OPTED_OUT',
      details: { scope: 'marketing', source: '131050' },
    });
  });

  it('follows a keyword, written or tapped, and no text that only contains one', async () => {
    const dashboard = await Dashboard.signIn(stack);
    const { accounts } = await dashboard.get('GET', '/accounts');
    const change = (body: object) => dashboard.get('PATCH', `/accounts/${accounts[0].id}`, body);
    await change({ keywords: { out: ['stop', 'NO_OFFERS'], in: ['start'] } });
    const phone = newRecipient();
    await write(phone, text("stop, I'm late"));
    await write(phone, text(' STOP!\u0000 '));
    await until(async () => (await stateOf(phone)) === 'opted_out');
    expect((await consentOf(phone)).history).toMatchObject([
      { source: 'keyword', evidence: expect.stringContaining('STOP!') },
    ]);
    await write(phone, text('Start'));
    await until(async () => (await stateOf(phone)) === 'opted_in');
    const button = { text: 'No offers, please', payload: 'NO_OFFERS' };
    await write(phone, { type: 'button', button });
    await until(async () => (await stateOf(phone)) === 'opted_out');

    await change({ keyword_scope: 'all' });
    const other = newRecipient();
    await write(other, text('stop'));
    await until(async () => (await consentOf(other)).all.state === 'opted_out');
    await change({ keywords: null });
    const third = newRecipient();
    await write(third, text('stop'));
    await until(async () => {
      const asked = await stack.get(`/contacts?phone=${encodeURIComponent(third)}`);
      return asked.body.data.contacts.length === 1;
    });
    expect((await consentOf(third)).history).toEqual([]);
    const wrong = await dashboard.call('PATCH', `/accounts/${accounts[0].id}`, {
      keywords: { out: ['...'], in: [] },
    });
    expect(wrong.body.error.details.fields).toEqual({
      'keywords.out[0]': 'must be a word of at most 50 characters',
    });
  });

  it('ends with a tap on the opt-out button of a marketing template, whatever the settings', async () => {
    const dashboard = await Dashboard.signIn(stack);
    const { accounts } = await dashboard.get('GET', '/accounts');
    await dashboard.get('PATCH', `/accounts/${accounts[0].id}`, { keywords: null });
    const to = newRecipient();
    const tap = async (label: string, name = 'oferta') => {
      expect((await send({ to }, name, {}, 'pt_BR')).status).toBe(200);
      const { id: wamid } = (await stack.ledger(to)).at(-1) ?? {};
      const path = `messages/${encodeURIComponent(String(wamid))}/reply`;
      const { id: answer } = await stack.control('POST', path, { button_id: label });
      return answer;
    };
    await tap('Ver ofertas');
    await tap('Parar promoções', 'recibo');
    const answer = await tap('Parar promoções');
    await until(async () => (await stateOf(to)) === 'opted_out');
    expect((await consentOf(to)).history).toMatchObject([
      {
        scope: 'marketing',
        source: 'opt_out_button',
        evidence: `${answer}: Parar promoções`,
      },
    ]);
    for (const [name, language] of [
      ['oferta', 'pt_BR'],
      ['sale', 'en_US'],
    ] as const) {
      expect((await send({ to }, name, {}, language)).body.error).toMatchObject({
        code: 'RECIPIENT_OPTED_OUT',
        details: { scope: 'marketing', source: 'opt_out_button' },
      });
    }
    expect((await send({ to }, 'plain')).status).toBe(200);
  });

  it('of an unknown message’s button needs a keyword, as captions and rows do', async () => {
    const dashboard = await Dashboard.signIn(stack);
    const { accounts } = await dashboard.get('GET', '/accounts');
    const change = (keywords: object | null) =>
      dashboard.get('PATCH', `/accounts/${accounts[0].id}`, {
        keywords,
        keyword_scope: 'marketing',
      });
    const tapped = {
      type: 'button',
      button: { text: 'Parar promoções', payload: 'Parar promoções' },
    };
    const row = { id: 'no', title: 'Parar Promocoes' };
    const image = { type: 'image', image: { id: '7', caption: 'PARAR PROMOÇÕES' } };
    const ways = [
      tapped,
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } },
      image,
    ];
    await change(null);
    const unheard = newRecipient();
    await write(unheard, tapped);
    await until(async () => {
      const asked = await stack.get(`/contacts?phone=${encodeURIComponent(unheard)}`);
      return asked.body.data.contacts.length === 1;
    });
    expect((await consentOf(unheard)).history).toEqual([]);
    await change({ out: ['parar promoções'], in: [] });
    for (const message of ways) {
      const phone = newRecipient();
      await write(phone, message);
      await until(async () => (await stateOf(phone)) === 'opted_out');
    }
  });

  it('is imported once for a repeated request', async () => {
    const phone = newRecipient();
    const headers = { 'Idempotency-Key': randomUUID() };
    const item = { phone, scope: 'all', state: 'opted_out' };
    const importOnce = (items: object[]) =>
      stack.request('/contacts/consent/import', { method: 'POST', body: { items }, headers });
    const answers = await Promise.all([importOnce([item, {}]), importOnce([item, {}])]);
    await put({ ...item, state: 'opted_in' });
    answers.push(await importOnce([item, {}]));
    for (const { status, body } of answers) {
      expect([status, body.data]).toEqual([200, answers[0]?.body.data]);
    }
    expect(answers[0]?.body.data.results).toMatchObject([{ status: 'stored' }, { index: 1 }]);
    expect(answers.filter(({ headers: got }) => got.has('idempotency-replayed'))).toHaveLength(2);
    expect((await consentOf(phone)).all.state).toBe('opted_in');
    const other = await importOnce([{ ...item, state: 'opted_in' }]);
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('is imported, each item by itself', async () => {
    const [one, two] = [newRecipient(), newRecipient()];
    const items = [
      { phone: one, scope: 'all', state: 'opted_out', source: 'crm' },
      { phone: 'nobody', scope: 'all', state: 'opted_out' },
      { phone: two, scope: 'marketing', state: 'opted_in' },
      { phone: one, scope: 'all', state: 'opted_out', source: 'crm' },
      { phone: two, scope: 'all', state: 'opted_in', evidence: 'a\0b' },
    ];
    const { status, body } = await stack.request('/contacts/consent/import', {
      method: 'POST',
      body: { items },
    });
    expect(status).toBe(200);
    expect(body.data.results).toEqual([
      { index: 0, status: 'stored' },
      { index: 1, status: 'invalid', error: { phone: expect.any(String) } },
      { index: 2, status: 'stored' },
      { index: 3, status: 'unchanged' },
      { index: 4, status: 'invalid', error: { evidence: 'must not contain NUL characters' } },
    ]);
    expect((await send({ to: one }, 'plain')).body.error.details.source).toBe('crm');
    for (const wrong of [[], ['nothing'], Array.from({ length: 1_001 }, () => ({}))]) {
      const refused = await stack.request('/contacts/consent/import', {
        method: 'POST',
        body: { items: wrong },
      });
      expect(refused.body.error.code).toBe('VALIDATION_ERROR');
    }
  });
});
