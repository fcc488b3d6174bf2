import { Dashboard } from '../support/dashboard.js';
import { GraphProgram, graphMessage, graphTemplate } from '../support/graph.js';
import { newRecipient, Stack } from '../support/stack.js';
import { definitions, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { demoNumber } from '../support/webhooks.js';

const sale = { ...definitions.plain, name: 'sale', category: 'MARKETING' };

describe('messages in the form of WhatsApp’s own API', () => {
  let stack: Stack;
  let program: GraphProgram;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    await putTemplates(stack, [...Object.values(definitions), sale]);
    await sync(await Dashboard.signIn(stack));
    program = await GraphProgram.with(stack);
  });

  afterAll(() => stack?.stop());

  const arrivedAt = async (to: string) => (await stack.ledger(to)).map(({ body }) => body);
  const messageTo = async (to: string) => {
    const [row] = await stack.sql('select * from messages where recipient = $1', [to]);
    return row;
  };

  it('are answered with the id of WhatsApp, and are messages of Parley', async () => {
    const to = newRecipient();
    const { status, body } = await program.send(graphMessage(to));
    expect([status, body]).toEqual([
      200,
      {
        messaging_product: 'whatsapp',
        contacts: [{ input: to, wa_id: to.slice(1) }],
        messages: [{ id: expect.stringMatching(/^wamid\./) }],
      },
    ]);
    const row = await messageTo(to);
    expect(row).toMatchObject({
      type: 'text',
      status: 'sent',
      platform_message_id: body.messages[0].id,
      api_key_id: program.keyId,
    });
    expect((await stack.message(row.id)).type).toBe('text');
  });

  it.each([
    [
      'interactive',
      {
        type: 'button',
        body: { text: '?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] },
      },
      'graph:interactive',
    ],
    ['image', { link: 'https://example.com/a.jpg' }, 'media'],
    ['location', { latitude: 1, longitude: 2 }, 'location'],
    ['contacts', [{ name: { formatted_name: 'A', first_name: 'A' } }], 'contacts'],
  ])('of type %s arrive as they came', async (type, content, stored) => {
    const to = newRecipient();
    const { status, body } = await program.send({
      messaging_product: 'whatsapp',
      to,
      type,
      [type]: content,
    });
    expect([status, body]).toEqual([200, expect.anything()]);
    const [arrived] = await arrivedAt(to);
    expect(arrived).toEqual({
      messaging_product: 'whatsapp',
      to,
      type,
      [type]: content,
      biz_opaque_callback_data: expect.any(String),
    });
    expect((await messageTo(to)).type).toBe(stored);
  });

  it('go to the number whose digits were checked, however it is written', async () => {
    for (const [index, write] of [
      (digits: string) => digits,
      (digits: string) => `+${digits}`,
      (digits: string) =>
        `${digits.slice(0, 2)} (${digits.slice(2, 5)}) ${digits.slice(5, 8)}-${digits.slice(8, -2)}.${digits.slice(-2)}`,
    ].entries()) {
      const to = newRecipient();
      const given = write(to.slice(1));
      const { body } = await program.send(graphMessage(given));
      expect([index, body.contacts]).toEqual([index, [{ input: given, wa_id: to.slice(1) }]]);
      expect((await arrivedAt(to))[0].to).toBe(to);
    }
  });

  it.each([
    [{ to: 'US.13491208655302741918' }, 'to'],
    [{ to: '0049151123456' }, 'to'],
    [{ to: '123456' }, 'to'],
    [{ to: '1234567890123456' }, 'to'],
    [{ to: '+4915112345678\u202e' }, 'to'],
    [{ to: '٤٩١٥١١٢٣٤٥٦' }, 'to'],
    [{ to: 4915112345678 }, 'to'],
    [{ to: ['+4915112345678'] }, 'to'],
    [{ to: undefined }, 'to'],
    [{ to: undefined, recipient: '4915112345678' }, 'recipient'],
    [{ messaging_product: 'instagram' }, 'messaging_product'],
    [{ recipient_type: 'group' }, 'recipient_type'],
    [{ access_token: 'x' }, 'access_token'],
    [{ category: 'marketing' }, 'category'],
    [{ type: 'TEXT' }, 'type'],
    [{ type: 'text2' }, 'type'],
    [{ type: 7 }, 'type'],
    [{ type: 'image' }, 'image'],
    [{ type: 'contacts', text: null, contacts: {} }, 'contacts'],
    [{ text: 'Hello' }, 'text'],
    [{ image: { link: 'https://example.com/a.jpg' } }, 'image'],
    [{ biz_opaque_callback_data: 'x'.repeat(513) }, 'biz_opaque_callback_data'],
    [{ text: { body: 'a\u0000' } }, 'text.body'],
  ])('with %j are refused at %s', async (change, field) => {
    const { status, body } = await program.send(graphMessage(newRecipient(), change));
    expect([status, body.error]).toEqual([
      400,
      {
        message: expect.stringMatching(/^\(#100\) /),
        type: 'OAuthException',
        code: 100,
        error_data: {
          messaging_product: 'whatsapp',
          details: expect.stringMatching(new RegExp(`^VALIDATION_ERROR: ${field}`)),
        },
        fbtrace_id: expect.stringMatching(/^req_/),
      },
    ]);
  });

  describe('to somebody who has opted out', () => {
    let to: string;
    beforeEach(async () => {
      to = newRecipient();
      await stack.request('/contacts/consent', {
        method: 'PUT',
        body: { phone: to, scope: 'marketing', state: 'opted_out' },
      });
    });

    it('are refused where they are a template', async () => {
      const { status, body } = await program.send(graphTemplate(to, 'sale'));
      expect([status, body.error.code]).toEqual([400, 131050]);
      expect(body.error.error_data.details).toMatch(/^RECIPIENT_OPTED_OUT: /);
    });

    it.each([
      ['in another form of the number', (body: any) => ({ ...body, to: ` ${to}`.trim().slice(1) })],
      [
        'with blanks in the number',
        (body: any) => ({ ...body, to: to.replace(/(\d{3})$/, ' $1') }),
      ],
      ['of type TEMPLATE', (body: any) => ({ ...body, type: 'TEMPLATE', TEMPLATE: body.template })],
      ['of type graph:template', (body: any) => ({ ...body, type: 'graph:template' })],
      ['of an escaped type', (body: any) => ({ ...body, type: 'template\u0000' })],
      ['beside a text', (body: any) => ({ ...body, type: 'text', text: { body: 'Hello' } })],
      [
        'beside a text, without a type',
        (body: any) => ({ ...body, type: undefined, text: { body: 'Hello' } }),
      ],
      ['without a type', (body: any) => ({ ...body, type: undefined })],
      [
        'as an empty content beside a text',
        (body: any) => ({ ...body, type: 'text', text: {}, template: '' }),
      ],
      [
        'with a language that Parley does not have',
        (body: any) => ({ ...body, template: { ...body.template, language: { code: 'xx' } } }),
      ],
      [
        'with a name in another case',
        (body: any) => ({ ...body, template: { ...body.template, name: 'Sale' } }),
      ],
      ['given twice', (body: any) => JSON.stringify(body).replace('{', '{"type":"text",')],
      ['with a group', (body: any) => ({ ...body, recipient_type: 'group' })],
    ])('do not arrive as a template %s', async (_, disguise) => {
      const given = disguise(graphTemplate(to, 'sale'));
      const { status, body } = await program.send(
        given,
        typeof given === 'string' ? { 'content-type': 'application/json' } : {},
      );
      // By Parley, not by the platform, and for what it says.
      expect([status, body.error.error_data.details]).toEqual([
        expect.any(Number),
        expect.stringMatching(
          /^(VALIDATION_ERROR: (type|text|template|recipient_type|TEMPLATE|graph:template)|RECIPIENT_OPTED_OUT|TEMPLATE_NOT_FOUND)/,
        ),
      ]);
      const digits = to.slice(1);
      expect(
        await stack.sql('select type from messages where recipient like $1', [`%${digits}%`]),
      ).toEqual([]);
      expect(await arrivedAt(to)).toEqual([]);
    });

    it('do not arrive where they opt out while it waits', async () => {
      const other = newRecipient();
      await stack.rules.add({ match: { to: other }, fault: { code: 131056 }, times: 1 });
      const sending = program.send(graphTemplate(other, 'sale'));
      await until(async () => (await arrivedAt(other)).length === 1);
      await stack.request('/contacts/consent', {
        method: 'PUT',
        body: { phone: other, scope: 'marketing', state: 'opted_out' },
      });
      expect((await sending).body.error.code).toBe(131050);
      expect(await arrivedAt(other)).toHaveLength(1);
    });
  });

  it('of a template say that WhatsApp has accepted it, and are stored as one', async () => {
    const to = newRecipient();
    const { body } = await program.send(graphTemplate(to, 'sale'));
    expect(body.messages).toEqual([
      { id: expect.stringMatching(/^wamid\./), message_status: 'accepted' },
    ]);
    expect((await messageTo(to)).type).toBe('template');
    const missing = await program.send(graphTemplate(to, 'no_such'));
    expect([missing.status, missing.body.error.code]).toEqual([404, 132001]);
    expect(missing.body.error.error_data.details).toMatch(/^TEMPLATE_NOT_FOUND: /);
  });

  it('are refused in the words of WhatsApp', async () => {
    const to = newRecipient();
    await stack.rules.add({ match: { to }, fault: { code: 131009 } });
    const { status, body } = await program.send(graphMessage(to));
    const direct = await fetch(
      `${stack.simulator.url}/v25.0/${demoNumber.phoneNumberId}/messages`,
      {
        method: 'POST',
        headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
        body: JSON.stringify(graphMessage(to)),
      },
    );
    expect(status).toBe(direct.status);
    const { error }: any = await direct.json();
    expect(body.error).toEqual({ ...error, fbtrace_id: expect.stringMatching(/^A/) });
  });

  it('come back with what the caller has given, and nothing else does', async () => {
    const receiver = await WebhookReceiver.start();
    const hook = `/graph-callbacks`;
    const made = await stack.request('/webhooks', {
      method: 'POST',
      apiKey: program.token,
      body: { url: receiver.url(hook), format: 'whatsapp', fields: ['messages'] },
    });
    expect([made.status, made.body]).toEqual([200, expect.anything()]);
    const [given, plain] = [newRecipient(), newRecipient()];
    const sent = await program.send(graphMessage(given, { biz_opaque_callback_data: 'order 7' }));
    const other = await program.send(graphMessage(plain));
    const [arrived] = await arrivedAt(given);
    expect(arrived.biz_opaque_callback_data).not.toBe('order 7');
    const ids = [sent.body.messages[0].id, other.body.messages[0].id];
    const statuses = await until(() => {
      // Messages of the tests before may still be delivered.
      const all = receiver
        .at(hook)
        .flatMap(({ body }) => body.entry[0].changes[0].value.statuses ?? [])
        .filter(({ id }: any) => ids.includes(id));
      return all.length >= 6 && all;
    });
    await receiver.close();
    for (const status of statuses) {
      expect(status.biz_opaque_callback_data).toBe(status.id === ids[0] ? 'order 7' : undefined);
    }
    expect(new Set(statuses.map(({ id }: any) => id))).toEqual(new Set(ids));
  });

  it('mark a message of a user as read, and show that somebody writes', async () => {
    const { id } = await stack.control('POST', 'inbound', {
      from: newRecipient(),
      text: 'Hello',
      phone_number_id: demoNumber.phoneNumberId,
    });
    const read = { messaging_product: 'whatsapp', status: 'read', message_id: id };
    const { status, body } = await program.send({ ...read, typing_indicator: { type: 'text' } });
    expect([status, body]).toEqual([200, { success: true }]);
    const { reads } = await stack.control('GET', 'reads');
    expect(reads.filter((one: any) => one.message_id === id)).toEqual([
      expect.objectContaining({ typing: true }),
    ]);
    const unknown = await program.send({ ...read, message_id: 'wamid.UNKNOWN' });
    expect([unknown.status, unknown.body.error.code]).toEqual([400, 131009]);
  });
});
