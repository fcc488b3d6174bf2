import type { MessageReceived } from '#libs/whatsapp';
import { parseNotification } from '#libs/whatsapp';
import { fileOf, receivedData, textsOf } from './received-message.js';

function parse(message: object, contacts?: object[]): MessageReceived {
  const value = {
    metadata: { phone_number_id: '1', display_phone_number: '1555' },
    messages: [{ id: 'wamid.A', timestamp: '1700000000', from: '14155550123', ...message }],
    contacts,
  };
  const [event] = parseNotification({
    entry: [{ id: '2', changes: [{ field: 'messages', value }] }],
  });
  if (event?.kind !== 'message') throw new Error('the message was not read');
  return event;
}

const data = (message: object, contacts?: object[]) =>
  receivedData(parse(message, contacts), {
    to: '+1 555-078-3881',
    answered: null,
    contactId: null,
    mediaUrl: (id) => `https://parley.example/media/${id}`,
  });

const contentCases: [name: string, message: object, expected: object][] = [
  [
    'a tapped reply button is a button',
    {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } },
    },
    { type: 'button', button: { text: 'Yes', payload: 'y' } },
  ],
  [
    'a template’s quick reply is a button',
    { type: 'button', button: { payload: 'stop', text: 'Stop' } },
    { type: 'button', button: { text: 'Stop', payload: 'stop' } },
  ],
  [
    'a chosen row is a list reply with id and title',
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'r', title: 'Row', description: 'd' } },
    },
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'r', title: 'Row' } },
    },
  ],
  [
    'a filled flow is a flow reply, parsed',
    {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"guests":2}' },
      },
    },
    {
      type: 'flow_reply',
      flow_reply: { name: 'flow', response: { guests: 2 }, response_json: '{"guests":2}' },
    },
  ],
  [
    'a flow reply that is no JSON keeps its text',
    {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{guests' } },
    },
    {
      type: 'flow_reply',
      flow_reply: { name: 'flow', response: null, response_json: '{guests' },
    },
  ],
  [
    'an interactive reply of any other kind is passed on',
    {
      type: 'interactive',
      interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
    },
    {
      type: 'interactive',
      interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
    },
  ],
  [
    'a voice note says so',
    { type: 'audio', audio: { id: '78', mime_type: 'audio/ogg; codecs=opus', voice: true } },
    {
      type: 'audio',
      audio: {
        id: '78',
        mime_type: 'audio/ogg; codecs=opus',
        voice: true,
        url: 'https://parley.example/media/78',
      },
    },
  ],
  [
    'an order is passed on',
    { type: 'order', order: { catalog_id: '9', text: 'Quick!', product_items: [] } },
    { type: 'order', order: { catalog_id: '9', text: 'Quick!', product_items: [] } },
  ],
  [
    'a text is passed on',
    { type: 'text', text: { body: 'Hi' } },
    { type: 'text', text: { body: 'Hi' } },
  ],
  [
    'an image points to our own address',
    {
      type: 'image',
      image: { id: '77', mime_type: 'image/png', url: 'https://lookaside.fbsbx.com/x' },
    },
    {
      type: 'image',
      image: { id: '77', mime_type: 'image/png', url: 'https://parley.example/media/77' },
    },
  ],
  [
    'contacts are passed on as a list',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'A' } }] },
    { type: 'contacts', contacts: [{ name: { formatted_name: 'A' } }] },
  ],
  [
    'a removed reaction is passed on',
    { type: 'reaction', reaction: { message_id: 'wamid.B' } },
    { type: 'reaction', reaction: { message_id: 'wamid.B' } },
  ],
  [
    'an interactive message without its object is passed on',
    { type: 'interactive' },
    { type: 'interactive' },
  ],
  [
    'an unsupported one keeps its errors',
    { type: 'unsupported', errors: [{ code: 131051 }] },
    { type: 'unsupported', errors: [{ code: 131051 }] },
  ],
  ['one without a type is unknown', {}, { type: 'unknown' }],
];

describe('a message from a user', () => {
  it.each(contentCases)('%s', (_, message, expected) => {
    expect(data(message).message).toEqual(expected);
  });

  it('has numbers in E.164, and null where the platform gives none', () => {
    expect(data({ type: 'text' })).toMatchObject({ from: '+14155550123', to: '+15550783881' });
    expect(data({ type: 'text', from: undefined, from_user_id: 'US.1' })).toMatchObject({
      from: null,
      from_user_id: 'US.1',
      from_parent_user_id: null,
      from_name: null,
      from_username: null,
      contact_id: null,
    });
  });

  it('names the sender where a contact does', () => {
    const contacts = [{ wa_id: '14155550123', profile: { name: 'Ada' } }];
    expect(data({ type: 'text' }, contacts).from_name).toBe('Ada');
    expect(data({ type: 'text' }, [{ wa_id: '14155550123' }]).from_name).toBeNull();
  });

  it('has a context only where the platform says what was answered', () => {
    expect(data({ type: 'text' }).context).toBeNull();
    expect(data({ type: 'text', context: { forwarded: true } }).context).toBeNull();
    expect(data({ type: 'text', context: { id: 'wamid.X' } }).context).toEqual({
      message_id: null,
      platform_message_id: 'wamid.X',
      reference: null,
    });
  });
});

describe('what a message says of itself', () => {
  it('that it was passed on, often or not', () => {
    const passed = { type: 'text', context: { forwarded: true } };
    expect(data(passed)).toMatchObject({ forwarded: true, frequently_forwarded: false });
    const often = { type: 'text', context: { frequently_forwarded: true } };
    expect(data(often)).toMatchObject({ forwarded: true, frequently_forwarded: true });
    expect(data({ type: 'text' })).toMatchObject({ forwarded: false, referred_product: null });
  });

  it('which product it asks about', () => {
    const referred_product = { catalog_id: '7', product_retailer_id: 'mug' };
    const asked = { type: 'text', context: { from: '1', id: 'wamid.P', referred_product } };
    expect(data(asked).referred_product).toEqual(referred_product);
    const odd = { type: 'text', context: { referred_product: { catalog_id: 7 } } };
    expect(data(odd).referred_product).toEqual({ catalog_id: null, product_retailer_id: null });
  });

  it('the file of an edit, under our address', () => {
    const message = { type: 'image', image: { id: '5', caption: 'now' } };
    const edited = { type: 'edit', edit: { original_message_id: 'wamid.B', message } };
    expect(data(edited).message).toMatchObject({
      type: 'edit',
      edit: {
        original_message_id: 'wamid.B',
        message: { image: { id: '5', url: expect.stringMatching(/5$/) } },
      },
    });
    expect(fileOf(parse(edited))).toEqual({ id: '5', fileName: null });
  });
});

describe('the texts of a message', () => {
  const image = { type: 'image', image: { id: '5', caption: 'Stop' } };

  it.each<[string, object, string[]]>([
    ['a text', { type: 'text', text: { body: 'Stop' } }, ['Stop']],
    [
      'a template’s button',
      { type: 'button', button: { text: 'Stop', payload: 'NO' } },
      ['Stop', 'NO'],
    ],
    [
      'a reply button',
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'no', title: 'Stop' } },
      },
      ['Stop', 'no'],
    ],
    [
      'a chosen row',
      {
        type: 'interactive',
        interactive: {
          type: 'list_reply',
          list_reply: { id: 'no', title: 'Stop', description: 'all' },
        },
      },
      ['Stop', 'no'],
    ],
    ['a picture', image, ['Stop']],
    ['a film', { type: 'video', video: { id: '5', caption: 'Stop' } }, ['Stop']],
    ['a document', { type: 'document', document: { caption: 'Stop', filename: 'a' } }, ['Stop']],
    [
      'an edit, which is no new message',
      { type: 'edit', edit: { message: { type: 'text', text: { body: 'Stop' } } } },
      [],
    ],
    ['a message in a group', { type: 'text', text: { body: 'Stop' }, group_id: 'g' }, []],
    ['a picture without words', { type: 'image', image: { id: '5' } }, []],
    ['a reaction', { type: 'reaction', reaction: { emoji: 'stop' } }, []],
  ])('%s', (_, message, texts) => {
    expect(textsOf(parse(message))).toEqual(texts);
  });
});
