import { Dashboard } from '../support/dashboard.js';
import { GraphProgram } from '../support/graph.js';
import { newRecipient, type RequestOptions, Stack } from '../support/stack.js';
import { sync } from '../support/templates.js';
import { demoNumber } from '../support/webhooks.js';

const number = demoNumber.phoneNumberId;
const waba = demoNumber.businessAccountId;
const image = { link: 'https://cdn.example/picture.png' };
const buttons = {
  buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }],
};

/** A call of a program. */
type Call = readonly [
  what: string,
  /** With its version. */
  path: string,
  /** Of a post; it gets a recipient as digits. */
  body?: Readonly<Record<string, unknown>>,
];

/*
 * The calls of programs that can be connected, as their sources make them: docs/clients.md says what is set in each.
 */
const programs: Readonly<Record<string, readonly Call[]>> = {
  chatwoot: [
    [
      'a text',
      `v13.0/${number}/messages`,
      { messaging_product: 'whatsapp', context: null, text: { body: 'Hello' }, type: 'text' },
    ],
    [
      'a picture',
      `v13.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        context: null,
        type: 'image',
        image: { ...image, caption: '' },
      },
    ],
    [
      'a choice, whose action is JSON in a text',
      `v13.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        interactive: {
          type: 'button',
          body: { text: 'Sure?' },
          action: JSON.stringify(buttons),
        },
        type: 'interactive',
      },
    ],
    [
      'a template',
      `v13.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        type: 'template',
        template: {
          name: 'hello_world',
          language: { policy: 'deterministic', code: 'en_US' },
          components: [],
        },
      },
    ],
    ['its templates', `v14.0/${waba}/message_templates?access_token=TOKEN`],
    ['the state of a template', `v14.0/${waba}/message_templates?name=hello_world`],
  ],
  typebot: [
    [
      'a text',
      `v17.0/${number}/messages`,
      { messaging_product: 'whatsapp', type: 'text', text: { body: 'Hello', preview_url: true } },
    ],
    [
      'buttons',
      `v17.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        type: 'interactive',
        interactive: { type: 'button', body: { text: 'Sure?' }, action: buttons },
      },
    ],
    ['its token', 'v17.0/debug_token?input_token=TOKEN'],
    ['its number', `v17.0/${number}`],
    ['the numbers', `v17.0/${waba}/phone_numbers?fields=id,display_phone_number&limit=100`],
  ],
  'Evolution API': [
    [
      'a text',
      `v20.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        type: 'text',
        text: { body: 'Hello', preview_url: false },
      },
    ],
    [
      'a contact',
      `v20.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        type: 'contacts',
        contacts: [
          { name: { formatted_name: 'A', first_name: 'A' }, phones: [{ phone: '+4930' }] },
        ],
      },
    ],
    [
      'a read receipt',
      `v20.0/${number}/messages`,
      { messaging_product: 'whatsapp', status: 'read', message_id: 'INBOUND' },
    ],
    ['its templates', `v20.0/${waba}/message_templates`],
  ],
  'the SDK of Kapso': [
    [
      'a text',
      `v23.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        type: 'text',
        text: { body: 'Hello', preview_url: false },
      },
    ],
    [
      'a template',
      `v23.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        type: 'template',
        template: { name: 'hello_world', language: { code: 'en_US' } },
      },
    ],
    [
      'a sign that somebody writes',
      `v23.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: 'INBOUND',
        typing_indicator: { type: 'text' },
      },
    ],
    ['its templates', `v23.0/${waba}/message_templates?limit=10`],
  ],
  'the Node SDK of Meta': [
    [
      'a text',
      `v20.0/${number}/messages`,
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        type: 'text',
        text: { body: 'Hello' },
      },
    ],
  ],
};

describe('the calls of programs', () => {
  let stack: Stack;
  let program: GraphProgram;

  beforeAll(async () => {
    stack = await Stack.start();
    await sync(await Dashboard.signIn(stack));
    program = await GraphProgram.with(stack);
  });

  afterAll(() => stack?.stop());

  const inbound = async () => {
    const message = { from: newRecipient(), text: 'Hello', phone_number_id: number };
    return (await stack.control('POST', 'inbound', message)).id as string;
  };

  describe.each(Object.entries(programs))('of %s', (_, calls) => {
    it.each(calls.map(([what, path, body]) => ({ what, path, body })))(
      'send or read $what',
      async ({ path, body }) => {
        const to = newRecipient();
        const hasToken = path.includes('access_token');
        const options: RequestOptions = {
          apiKey: null,
          headers: hasToken ? {} : { authorization: `Bearer ${program.token}` },
          ...(body && {
            method: 'POST',
            body: body.status
              ? { ...body, message_id: await inbound() }
              : { ...body, to: to.slice(1) },
          }),
        };
        const address = `/graph/${path.replace('TOKEN', program.token)}`;
        const answer = await stack.requestAt(address, options);
        expect([answer.status, answer.body.error]).toEqual([200, undefined]);
        if (!body || body.status) return;
        expect(answer.body.messages).toHaveLength(1);
        const [arrived] = await stack.ledger(to);
        expect(arrived?.body).toEqual({
          ...body,
          to,
          biz_opaque_callback_data: expect.any(String),
        });
      },
    );
  });
});
