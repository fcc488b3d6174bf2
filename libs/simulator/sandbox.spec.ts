import {
  buttonMessage,
  carouselMessage,
  flowMessage,
  listMessage,
  message,
  SimulatorUnderTest,
  textMessage,
  until,
  WebhookEndpoint,
} from './spec-support.js';

const cardWith = (id: string) => ({
  type: undefined,
  action: { buttons: [{ type: 'quick_reply', quick_reply: { id, title: `Take ${id}` } }] },
});
const mia = {
  type: 'contacts',
  contacts: [
    {
      name: { formatted_name: 'Mia Wong', first_name: 'Mia' },
      phones: [{ phone: '+1 650 555 0000', wa_id: '16505550000', type: 'CELL' }],
    },
  ],
};

describe('the user’s side', () => {
  const endpoint = new WebhookEndpoint();
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start({
      appSecret: 's',
      webhookUrl: await endpoint.listen(),
    });
    await simulator.rule('no-statuses');
  });
  afterAll(async () => {
    await simulator.close();
    await endpoint.close();
  });
  beforeEach(() => endpoint.clear());

  const send = async (body: unknown): Promise<string> =>
    (await simulator.send(body)).json.messages[0].id;
  const reply = (wamid: string, body: unknown) =>
    simulator.call('POST', `/_simulator/messages/${encodeURIComponent(wamid)}/reply`, body);
  const inbound = () => until(() => endpoint.messages()[0]);

  const order = message('template', {
    name: 'order_confirmation',
    language: { code: 'en_US' },
    components: [
      { type: 'body', parameters: ['a', 'b', 'c'].map((text) => ({ type: 'text', text })) },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'x' }] },
      {
        type: 'button',
        sub_type: 'quick_reply',
        index: 1,
        parameters: [{ type: 'payload', payload: 'HELP' }],
      },
    ],
  });

  it.each<[string, unknown, unknown, object]>([
    [
      'taps a reply button',
      buttonMessage([
        ['yes', 'Yes'],
        ['no', 'No'],
      ]),
      { button_id: 'no' },
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'no', title: 'No' } },
      },
    ],
    [
      'picks a row',
      listMessage(
        {},
        { sections: [{ rows: [{ id: 'r', title: 'Row', description: 'That one' }] }] },
      ),
      { row_id: 'r' },
      {
        type: 'interactive',
        interactive: {
          type: 'list_reply',
          list_reply: { id: 'r', title: 'Row', description: 'That one' },
        },
      },
    ],
    [
      'taps a template’s quick reply by payload',
      order,
      { button_id: 'HELP' },
      { type: 'button', button: { payload: 'HELP', text: 'I need help' } },
    ],
    [
      'taps a template’s quick reply by label',
      order,
      { button_id: 'I need help' },
      { type: 'button', button: { payload: 'HELP', text: 'I need help' } },
    ],
    [
      'answers with a text',
      textMessage(),
      { text: 'Thanks 🙂' },
      { type: 'text', text: { body: 'Thanks 🙂' } },
    ],
    [
      'taps a reply button of a card',
      carouselMessage(['left', 'right'].map(cardWith)),
      { button_id: 'right' },
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'right', title: 'Take right' } },
      },
    ],
    [
      'fills in a flow',
      flowMessage(),
      { flow: { guests: 2, name: 'Mia' } },
      {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"guests":2,"name":"Mia"}' },
        },
      },
    ],
    [
      'shares a location',
      textMessage(),
      { location: { latitude: 52.5, longitude: 13.4, name: 'Berlin', address: 'Germany' } },
      {
        type: 'location',
        location: { latitude: 52.5, longitude: 13.4, name: 'Berlin', address: 'Germany' },
      },
    ],
    [
      'shares a contact',
      textMessage(),
      { contact: { name: 'Mia Wong', phone: '+1 650 555 0000' } },
      mia,
    ],
    [
      'shares a contact without a number',
      textMessage(),
      { contact: { name: 'Mia' } },
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Mia', first_name: 'Mia' } }] },
    ],
  ])('%s, and the webhook says which message it answers', async (_, sent, tap, expected) => {
    const wamid = await send(sent);
    const { http, json } = await reply(wamid, tap);
    expect(http).toBe(200);
    expect(await inbound()).toEqual({
      from: '16505551234',
      from_user_id: 'US.100016505551234',
      id: json.id,
      timestamp: expect.stringMatching(/^\d{10}$/),
      context: { from: '15559242922', id: wamid },
      ...expected,
    });
    expect(endpoint.changes()[0].value.contacts).toHaveLength(1);
  });

  it.each<[string, unknown, unknown, RegExp]>([
    [
      'a button that is not there',
      buttonMessage(),
      { button_id: 'x' },
      /no button "x"; it has "yes"/,
    ],
    ['a row of a button message', buttonMessage(), { row_id: 'yes' }, /has no rows/],
    ['a button of a list', listMessage(), { button_id: 'a' }, /has no buttons/],
    ['a link button of a template', order, { button_id: 'Track order' }, /it has "HELP"/],
    ['two answers at once', buttonMessage(), { button_id: 'yes', text: 'yes' }, /one of button_id/],
    ['nothing', buttonMessage(), {}, /one of button_id/],
    ['an answer of an unknown kind', textMessage(), { poll: 'x' }, /not "poll"/],
    ['an empty text', textMessage(), { text: '' }, /text must be a text/],
    [
      'a button that no card has',
      carouselMessage(['left', 'right'].map(cardWith)),
      { button_id: 'x' },
      /it has "left", "right"/,
    ],
    ['a flow of a button message', buttonMessage(), { flow: {} }, /has no flow/],
    ['a flow that is filled with a text', flowMessage(), { flow: 'x' }, /flow must be/],
    [
      'a location off the map',
      textMessage(),
      { location: { latitude: 91, longitude: 0 } },
      /latitude must be/,
    ],
    [
      'a location with an unknown field',
      textMessage(),
      { location: { latitude: 1, longitude: 0, city: 'x' } },
      /not "city"/,
    ],
    [
      'a contact without a name',
      textMessage(),
      { contact: { phone: '+16505550000' } },
      /contact.name/,
    ],
    [
      'a contact with no real number',
      textMessage(),
      { contact: { name: 'A', phone: '1' } },
      /phone/,
    ],
    ['a reaction that is no text', textMessage(), { reaction: null }, /reaction must be/],
  ])('cannot tap %s', async (_, sent, tap, reason) => {
    const { http, json } = await reply(await send(sent), tap);
    expect([http, json.error.message]).toEqual([400, expect.stringMatching(reason)]);
    expect(endpoint.calls).toHaveLength(0);
  });

  it.each([
    ['reacts to a message', '👍', { emoji: '👍' }],
    ['takes a reaction back', '', {}],
  ])('%s, without context', async (_, reaction, emoji) => {
    const wamid = await send(textMessage());
    const { json } = await reply(wamid, { reaction });
    expect(await inbound()).toEqual({
      from: '16505551234',
      from_user_id: 'US.100016505551234',
      id: json.id,
      timestamp: expect.any(String),
      type: 'reaction',
      reaction: { message_id: wamid, ...emoji },
    });
  });

  it('cannot answer a message that does not exist', async () => {
    expect((await reply('wamid.unknown', { text: 'x' })).http).toBe(404);
  });

  it('answers without a number when the message went to a user id', async () => {
    const wamid = await send(textMessage({ to: undefined, recipient: 'US.1349' }));
    await reply(wamid, { text: 'Hi' });
    const received = await inbound();
    expect(received.from_user_id).toBe('US.1349');
    expect(received).not.toHaveProperty('from');
  });

  it('writes first', async () => {
    const { json } = await simulator.call('POST', '/_simulator/inbound', {
      from: '+16505559999',
      text: 'Hello?',
      phone_number_id: '55',
      name: 'Sheena',
    });
    expect(await inbound()).toMatchObject({
      id: json.id,
      from: '16505559999',
      type: 'text',
      text: { body: 'Hello?' },
    });
    expect(endpoint.changes()[0].value).toMatchObject({
      metadata: { phone_number_id: '55' },
      contacts: [{ profile: { name: 'Sheena' }, wa_id: '16505559999' }],
    });
  });

  it('sends any message that you give in full', async () => {
    await simulator.call('POST', '/_simulator/inbound', {
      from: '+16505559999',
      message: { type: 'location', location: { latitude: 1, longitude: 2 } },
    });
    expect(await inbound()).toMatchObject({
      type: 'location',
      location: { latitude: 1, longitude: 2 },
    });
  });

  it('sends a picture that can be looked up and fetched', async () => {
    await simulator.call('POST', '/_simulator/inbound', {
      from: '+16505559999',
      type: 'image',
      text: 'Look',
    });
    const { image } = await inbound();
    expect(image).toMatchObject({ caption: 'Look', mime_type: 'image/png' });
    const { json } = await simulator.call('GET', `/v25.0/${image.id}?phone_number_id=55`);
    expect(json).toMatchObject({ id: image.id, url: image.url, file_size: expect.any(Number) });
    const file = await fetch(json.url, { headers: { authorization: 'Bearer t' } });
    expect((await file.arrayBuffer()).byteLength).toBe(json.file_size);
    expect((await fetch(json.url)).status).toBe(401);
  });

  it.each<[string, object, object]>([
    [
      'a location',
      { location: { latitude: 1, longitude: -2 } },
      { type: 'location', location: { latitude: 1, longitude: -2 } },
    ],
    ['a contact', { contact: { name: 'Mia Wong', phone: '+1 650 555 0000' } }, mia],
    [
      'a voice message',
      { type: 'audio', voice: true },
      { type: 'audio', audio: { voice: true, mime_type: 'audio/ogg; codecs=opus' } },
    ],
  ])('sends %s', async (_, body, expected) => {
    await simulator.call('POST', '/_simulator/inbound', { from: '+16505559999', ...body });
    const received = await inbound();
    expect(received).toMatchObject(expected);
    expect(received).not.toHaveProperty('context');
  });

  it.each([
    [
      'a location and a contact',
      { from: '+16505559999', location: { latitude: 1, longitude: 2 }, contact: { name: 'Mia' } },
    ],
    ['a contact and a text', { from: '+16505559999', contact: { name: 'Mia' }, text: 'x' }],
    ['a contact of type text', { from: '+16505559999', contact: { name: 'Mia' }, type: 'text' }],
    ['a picture as voice', { from: '+16505559999', type: 'image', voice: true }],
    ['no sender', { text: 'x' }],
    ['no text', { from: '+16505559999' }],
    ['an unknown field', { from: '+16505559999', text: 'x', to: '1' }],
    ['a type that needs more', { from: '+16505559999', type: 'order' }],
  ])('sends nothing with %s', async (_, body) => {
    expect((await simulator.call('POST', '/_simulator/inbound', body)).http).toBe(400);
    expect(endpoint.calls).toHaveLength(0);
  });

  it('has a conversation that shows both directions', async () => {
    const to = '+16505557777';
    const wamid = await send(buttonMessage([['yes', 'Yes']], {}));
    const first = await send({ ...buttonMessage(), to });
    await reply(first, { button_id: 'yes' });
    const { json } = await simulator.call('GET', '/_simulator/conversation?to=%2B16505557777');
    expect(json.messages).toMatchObject([
      { direction: 'out', id: first, type: 'interactive', status: 'accepted' },
      { direction: 'in', type: 'interactive', message: { context: { id: first } } },
    ]);
    const phones = await simulator.call('GET', '/_simulator/conversation');
    expect(phones.json.phones).toContainEqual(
      expect.objectContaining({
        phone: to,
        messages: 2,
        last: expect.objectContaining({ direction: 'in', type: 'interactive' }),
      }),
    );
    expect(wamid).not.toBe(first);
  });

  it('has a conversation that shows what the owner wrote in the app', async () => {
    const to = '+16505555544';
    const echo = { to, text: 'We open at nine.', phone_number_id: '106540352242922' };
    const { id } = (await simulator.call('POST', '/_simulator/echoes', echo)).json;
    const path = '/_simulator/conversation?to=%2B16505555544';
    const { messages } = (await simulator.call('GET', path)).json;
    expect(messages).toMatchObject([
      { direction: 'out', id, type: 'text', status: null, is_echo: true },
    ]);
    expect((await simulator.call('GET', `${path}&phone_number_id=1`)).json.messages).toEqual([]);
  });

  it('has a conversation that shows reactions of both sides', async () => {
    const to = '+16505556666';
    const first = await send(textMessage({ to }));
    await reply(first, { reaction: '👍' });
    await send(message('reaction', { message_id: first, emoji: '🎉' }, { to }));
    const { json } = await simulator.call('GET', '/_simulator/conversation?to=%2B16505556666');
    expect(json.messages).toMatchObject([
      { direction: 'out', id: first, type: 'text' },
      { direction: 'in', type: 'reaction', message: { reaction: { emoji: '👍' } } },
      { direction: 'out', type: 'reaction', message: { reaction: { emoji: '🎉' } } },
    ]);
  });

  it('says who has a number, even one that nobody described', async () => {
    const users = async (query: string) =>
      (await simulator.call('GET', `/_simulator/users${query}`)).json.users;
    const made = { phone: '16505554444', user_id: 'US.100016505554444', hides_phone: false };
    expect(await users('?phone=%2B16505554444')).toEqual([expect.objectContaining(made)]);
    expect(await users('')).toEqual([]);
    const described = { phone: '16505554444', username: '@mia', hides_phone: true };
    await simulator.call('PUT', '/_simulator/users', described);
    await simulator.call('PUT', '/_simulator/users', { phone: '16505553333', name: 'Noa' });
    expect(await users('?phone=%2B16505554444')).toEqual([
      expect.objectContaining({ ...made, ...described }),
    ]);
    const { http } = await simulator.call('GET', '/_simulator/users?phone=12');
    expect(http).toBe(400);
  });

  it('has a conversation with each business number', async () => {
    const from = '+16505558888';
    for (const [text, phone_number_id] of [
      ['to one', '1001'],
      ['to the other', '1002'],
    ]) {
      await simulator.call('POST', '/_simulator/inbound', { from, text, phone_number_id });
    }
    const read = async (query: string) =>
      (await simulator.call('GET', `/_simulator/conversation?${query}`)).json;
    const told = await read('to=%2B16505558888&phone_number_id=1001');
    expect(told.messages).toMatchObject([{ phone_number_id: '1001' }]);
    expect((await read('phone_number_id=1002')).phones).toMatchObject([
      { phone: from, messages: 1 },
    ]);
    const both = await read('phone_number_id=1001&phone_number_id=1002');
    expect(both.phones).toMatchObject([{ phone: from, messages: 2 }]);
  });
});

describe('the receiver', () => {
  const typed = { 'content-type': 'application/json' };

  it('takes anything, shows headers and body, and can be emptied', async () => {
    const simulator = await SimulatorUnderTest.start();
    await simulator.call(
      'POST',
      '/_simulator/receiver',
      { event: 'x' },
      { ...typed, 'webhook-id': 'm1' },
    );
    const raw = await simulator.call('POST', '/_simulator/receiver', 'not json', typed);
    expect(raw.http).toBe(200);
    const { json } = await simulator.call('GET', '/_simulator/receiver');
    expect(json.requests).toMatchObject([
      { body: { event: 'x' }, raw: '{"event":"x"}', headers: { 'webhook-id': 'm1' } },
      { body: 'not json' },
    ]);
    const rest = await simulator.call(
      'GET',
      `/_simulator/receiver?after=${json.requests[0].sequence}`,
    );
    expect(rest.json.requests).toHaveLength(1);
    await simulator.call('DELETE', '/_simulator/receiver');
    expect((await simulator.call('GET', '/_simulator/receiver')).json.requests).toEqual([]);
    await simulator.close();
  });
});
