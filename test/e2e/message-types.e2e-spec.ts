import { sends } from '../fuzz/valid-bodies.js';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { newRecipient, Stack } from '../support/stack.js';

const link = 'https://example.com/a.jpg';
const button = { text: 'See it', url: 'https://example.com/1' };
const urlAction = { name: 'cta_url', parameters: { display_text: 'See it', url: button.url } };
const body = { text: 'B' };

const interactive = (content: object) => ({ type: 'interactive', interactive: content });

/** A request and what reaches WhatsApp, without what all messages have. */
const types: [path: string, request: object, arrives: object][] = [
  [
    'interactive/cta-url',
    { header: { type: 'image', image: { link } }, body: 'B', footer: 'F', button },
    interactive({
      type: 'cta_url',
      header: { type: 'image', image: { link } },
      body,
      footer: { text: 'F' },
      action: urlAction,
    }),
  ],
  [
    'interactive/location-request',
    { body: 'B' },
    interactive({ type: 'location_request_message', body, action: { name: 'send_location' } }),
  ],
  [
    'interactive/contact-request',
    { body: 'B' },
    interactive({ type: 'request_contact_info', body, action: { name: 'request_contact_info' } }),
  ],
  [
    'interactive/flow',
    {
      body: 'B',
      flow: { id: '42', cta: 'Book', mode: 'draft', screen: 'FIRST', data: { name: 'Mia' } },
    },
    interactive({
      type: 'flow',
      body,
      action: {
        name: 'flow',
        parameters: {
          flow_message_version: '3',
          flow_id: '42',
          flow_cta: 'Book',
          mode: 'draft',
          flow_action: 'navigate',
          flow_action_payload: { screen: 'FIRST', data: { name: 'Mia' } },
        },
      },
    }),
  ],
  [
    'interactive/flow',
    { body: 'B', footer: null, flow: { name: 'visits', cta: 'Book', action: 'data_exchange' } },
    interactive({
      type: 'flow',
      body,
      action: {
        name: 'flow',
        parameters: {
          flow_message_version: '3',
          flow_name: 'visits',
          flow_cta: 'Book',
          flow_action: 'data_exchange',
        },
      },
    }),
  ],
  [
    'interactive/carousel',
    {
      body: 'B',
      cards: [
        { header: { type: 'image', image: { link } }, body: 'One', button },
        { header: { type: 'video', video: { link } }, button },
      ],
    },
    interactive({
      type: 'carousel',
      body,
      action: {
        cards: [
          {
            card_index: 0,
            type: 'cta_url',
            header: { type: 'image', image: { link } },
            body: { text: 'One' },
            action: urlAction,
          },
          {
            card_index: 1,
            type: 'cta_url',
            header: { type: 'video', video: { link } },
            action: urlAction,
          },
        ],
      },
    }),
  ],
  [
    'interactive/carousel',
    {
      body: 'B',
      cards: ['a', 'b'].map((id) => ({
        header: { type: 'image', image: { link } },
        buttons: [{ id, title: 'Buy' }],
      })),
    },
    interactive({
      type: 'carousel',
      body,
      action: {
        cards: ['a', 'b'].map((id, index) => ({
          card_index: index,
          header: { type: 'image', image: { link } },
          action: { buttons: [{ type: 'quick_reply', quick_reply: { id, title: 'Buy' } }] },
        })),
      },
    }),
  ],
  [
    'location',
    { latitude: 51.5, longitude: -0.1, name: 'Shop', address: null },
    { type: 'location', location: { latitude: 51.5, longitude: -0.1, name: 'Shop' } },
  ],
  [
    'contacts',
    {
      contacts: [
        {
          name: { formatted_name: 'Mia Jung', first_name: 'Mia', last_name: null },
          phones: [{ phone: '+44 7700 900142', type: 'WORK' }],
          emails: [],
        },
      ],
    },
    {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Mia Jung', first_name: 'Mia' },
          phones: [{ phone: '+44 7700 900142', type: 'WORK' }],
          emails: [],
        },
      ],
    },
  ],
  [
    'reaction',
    { message_id: 'wamid.HBgL', emoji: '👩‍👩‍👧' },
    { type: 'reaction', reaction: { message_id: 'wamid.HBgL', emoji: '👩‍👩‍👧' } },
  ],
  [
    'reaction',
    { message_id: 'wamid.HBgL', remove: true },
    { type: 'reaction', reaction: { message_id: 'wamid.HBgL', emoji: '' } },
  ],
];

describe('every type of message', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  afterAll(() => stack?.stop());

  const post = (path: string, message: object, apiKey?: string) =>
    stack.request(`/messages/${path}`, {
      method: 'POST',
      body: message,
      ...(apiKey !== undefined && { apiKey }),
    });

  it.each(types)('arrives at WhatsApp in its form: %s', async (path, request, arrives) => {
    const to = newRecipient();
    const sent = await post(path, { to, reference: 'r', ...request });
    expect(sent.body).toMatchObject({ success: true, data: { status: 'sent' } });
    const [entry] = await stack.ledger(to);
    const { biz_opaque_callback_data, ...payload } = entry?.body ?? {};
    expect(biz_opaque_callback_data).toBe(sent.body.data.message_id);
    expect(payload).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      ...arrives,
    });
    const type = path.replace('interactive/', '').replaceAll('-', '_');
    const read = await stack.get(`/messages/${sent.body.data.message_id}`);
    expect(read.body.data).toMatchObject({ type, reference: 'r' });
  });

  it.each(types.filter(([path]) => path !== 'reaction'))(
    'can answer another message: %s',
    async (path, request) => {
      const to = newRecipient();
      const first = await stack.send('button', {
        to,
        body: 'B',
        buttons: [{ id: 'a', title: 'A' }],
      });
      const sent = await post(path, { to, ...request, reply_to: first.body.data.message_id });
      expect(sent.status).toBe(200);
      const [one, other] = await stack.ledger(to);
      expect(other?.body.context).toEqual({ message_id: one?.id });
    },
  );

  it('reacts to a message of ours by its id, and to none of another account', async () => {
    const to = newRecipient();
    const first = await stack.send('button', { to, body: 'B', buttons: [{ id: 'a', title: 'A' }] });
    const reaction = { to, message_id: first.body.data.message_id, emoji: '👍' };
    expect((await post('reaction', reaction)).status).toBe(200);
    const [one, other] = await stack.ledger(to);
    expect(other?.body.reaction).toEqual({ message_id: one?.id, emoji: '👍' });
    const unknown = await post('reaction', {
      ...reaction,
      message_id: '01a1fe24-d4ba-71e8-a502-760746519a21',
    });
    expect(unknown.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { message_id: 'is not the id of a message of this account' } },
    });
  });

  it.each(types)('needs the permission of its route: %s', async (path, request) => {
    const { key } = await addApiKey(stack, { permissions: ['send_template', 'send_media'] });
    const refused = await post(path, { to: newRecipient(), ...request }, key);
    expect(refused.body.error).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { permission: 'send_text' },
    });
  });

  it('is sent once with one Idempotency-Key, and can be tried in the playground', async () => {
    const operator = await Dashboard.signIn(stack);
    const { api_keys: keys } = await operator.get('GET', '/api-keys');
    const key = keys.find(
      ({ state, permissions }: any) =>
        state === 'active' &&
        ['send_text', 'send_media'].every((needed) => permissions.includes(needed)),
    );
    for (const [route, bodies] of Object.entries(sends)) {
      const path = route.replace('POST /api/v1/external/messages/', '');
      if (path.startsWith('template') || path === 'reaction') continue;
      const { reply_to: _, ...message } = bodies[0] as Record<string, unknown>;
      const tried = await operator.get('POST', '/playground', {
        api_key_id: key.id,
        type: path.replace('interactive/', '').replaceAll('-', '_'),
        payload: message,
      });
      expect(tried).toMatchObject({ valid: true });
    }
    const to = newRecipient();
    const options = { method: 'POST', headers: { 'idempotency-key': 'one' } };
    const location = { to, latitude: 1, longitude: 2 };
    const once = await stack.request('/messages/location', { ...options, body: location });
    const again = await stack.request('/messages/location', { ...options, body: location });
    expect(again.body.data).toEqual(once.body.data);
    expect(await stack.ledger(to)).toHaveLength(1);
  });
});
