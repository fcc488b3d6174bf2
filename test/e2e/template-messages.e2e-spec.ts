import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { newRecipient, type RequestOptions, Stack } from '../support/stack.js';
import { definitions, map, putTemplates, sync } from '../support/templates.js';

const text = (component: string, parameter_name: string, change = {}) => ({
  component,
  parameter_name,
  required: true,
  ...change,
});
const at = (component: string, position: number, change = {}) => ({
  component,
  position,
  required: true,
  ...change,
});
const button = (button_index: number, change = {}) => ({
  component: 'button',
  button_index,
  required: true,
  ...change,
});

const mappings: Record<string, Record<string, unknown>> = {
  order_shipped: {
    day: text('body', 'date', { required: false, default: 'Friday' }),
    name: text('header', 'first_name'),
    number: text('body', 'order_number'),
    carrier: text('body', 'carrier'),
    order_path: button(1),
  },
  order_confirmed: {
    picture: { component: 'header', required: true },
    name: at('body', 1),
    order: at('body', 2),
    yes: button(0, { position: 1, required: false }),
    path: button(1, { position: 1 }),
  },
  paid: {
    amount: at('body', 1, { type: 'currency' }),
    day: at('body', 2, { type: 'date_time' }),
    what: at('body', 3),
  },
  offer: { code: button(0) },
  film: {
    film: { component: 'header', required: true },
    what: { component: 'body', required: true },
  },
  invoice: { file: at('header', 1) },
  plain: {},
  paused: {},
};

const image = 'https://x.example/a.jpg';

describe('a template message', () => {
  let stack: Stack;
  let keyId: string;
  let apiKey: string;

  beforeAll(async () => {
    stack = await Stack.start();
    await putTemplates(stack, Object.values(definitions));
    ({ id: keyId, key: apiKey } = await addApiKey(stack));
    const dashboard = await Dashboard.signIn(stack);
    await sync(dashboard);
    for (const [name, variables] of Object.entries(mappings)) {
      await map(dashboard, keyId, name, variables);
    }
  });

  afterAll(() => stack?.stop());

  const send = (path: string, message: Record<string, unknown>, options: RequestOptions = {}) =>
    stack.request(`/messages/${path}`, {
      method: 'POST',
      body: { language: 'en_US', ...message },
      apiKey,
      ...options,
    });

  /** The template that arrives at the platform. */
  async function arrived(path: string, message: Record<string, unknown>) {
    const to = newRecipient();
    const { status, body } = await send(path, { to, ...message });
    expect({ status, body }).toMatchObject({ status: 200, body: { data: { status: 'sent' } } });
    const [entry] = await stack.ledger(to);
    expect(entry?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: 'template',
      template: expect.any(Object),
      biz_opaque_callback_data: body.data.message_id,
    });
    return { to, data: body.data, template: entry?.body.template };
  }

  /** The refusal of a message; nothing is stored and nothing sent. */
  async function refusal(path: string, message: Record<string, unknown>, options?: RequestOptions) {
    const to = newRecipient();
    const { status, body } = await send(path, { to, ...message }, options);
    expect(status).toBe(400);
    expect(await stack.ledger(to)).toEqual([]);
    expect(await stack.sql('select 1 from messages where recipient = $1', [to])).toEqual([]);
    const { code, details } = body.error;
    return { code, details };
  }

  it('with a text header, three named variables and a URL button arrives as the platform wants it', async () => {
    const variables = {
      name: 'Jessica',
      number: 'SKBUP2-4CPIG9',
      carrier: 'ACME',
      day: '4 May',
      order_path: 'id00231',
    };
    const { to, data, template } = await arrived('template/send', {
      template_name: 'order_shipped',
      variables,
      reference: 'order-42',
    });
    expect(data).toEqual({
      message_id: expect.any(String),
      message_uuid: data.message_id,
      status: 'sent',
      to,
    });
    expect(template).toEqual({
      name: 'order_shipped',
      language: { code: 'en_US' },
      components: [
        {
          type: 'header',
          parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Jessica' }],
        },
        {
          type: 'body',
          parameters: [
            { type: 'text', parameter_name: 'order_number', text: 'SKBUP2-4CPIG9' },
            { type: 'text', parameter_name: 'carrier', text: 'ACME' },
            { type: 'text', parameter_name: 'date', text: '4 May' },
          ],
        },
        {
          type: 'button',
          sub_type: 'url',
          index: '1',
          parameters: [{ type: 'text', text: 'id00231' }],
        },
      ],
    });
    expect(await stack.message(data.message_id)).toMatchObject({
      type: 'template',
      reference: 'order-42',
    });
  });

  it.each<[string, string, Record<string, unknown>, unknown]>([
    [
      'positions, an image by its address, a quick reply’s payload and a URL’s end',
      'order_confirmed',
      { picture: image, name: 'Jessica', order: 'SKBUP2-4CPIG9', yes: 'YES', path: 'id00231' },
      [
        { type: 'header', parameters: [{ type: 'image', image: { link: image } }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Jessica' },
            { type: 'text', text: 'SKBUP2-4CPIG9' },
          ],
        },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '0',
          parameters: [{ type: 'payload', payload: 'YES' }],
        },
        {
          type: 'button',
          sub_type: 'url',
          index: '1',
          parameters: [{ type: 'text', text: 'id00231' }],
        },
      ],
    ],
    [
      'an optional variable that is null',
      'order_confirmed',
      { picture: image, name: 'J', order: '1', yes: null, path: 'a' },
      [
        { type: 'header', parameters: [{ type: 'image', image: { link: image } }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'J' },
            { type: 'text', text: '1' },
          ],
        },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'a' }] },
      ],
    ],
    [
      'a currency and a date',
      'paid',
      { amount: '12.50 EUR', day: '4 May 2026', what: 'shoes' },
      [
        {
          type: 'body',
          parameters: [
            {
              type: 'currency',
              currency: { fallback_value: '12.50 EUR', code: 'EUR', amount_1000: 12_500 },
            },
            { type: 'date_time', date_time: { fallback_value: '4 May 2026' } },
            { type: 'text', text: 'shoes' },
          ],
        },
      ],
    ],
    [
      'a code to copy',
      'offer',
      { code: 'SUMMER25' },
      [
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '0',
          parameters: [{ type: 'coupon_code', coupon_code: 'SUMMER25' }],
        },
      ],
    ],
    [
      'a video',
      'film',
      { film: 'https://x.example/a.mp4', what: 'us' },
      [
        {
          type: 'header',
          parameters: [{ type: 'video', video: { link: 'https://x.example/a.mp4' } }],
        },
        { type: 'body', parameters: [{ type: 'text', text: 'us' }] },
      ],
    ],
    [
      'a document',
      'invoice',
      { file: 'https://x.example/a' },
      [
        {
          type: 'header',
          parameters: [{ type: 'document', document: { link: 'https://x.example/a' } }],
        },
      ],
    ],
  ])('with %s arrives so', async (_, template_name, variables, components) => {
    const { template } = await arrived('template/send', { template_name, variables });
    expect(template).toEqual({ name: template_name, language: { code: 'en_US' }, components });
  });

  it('uses defaults, and leaves the components out where the template has no variables', async () => {
    const variables = { name: 'J', number: '1', carrier: 'A', order_path: 'a' };
    const { template } = await arrived('template/send', {
      template_name: 'order_shipped',
      variables,
    });
    const [, { parameters }] = template.components;
    expect(parameters[2]).toEqual({ type: 'text', parameter_name: 'date', text: 'Friday' });
    for (const given of [{}, { variables: {} }, { variables: null }]) {
      const plain = await arrived('template/send', { template_name: 'plain', ...given });
      expect(plain.template).toEqual({ name: 'plain', language: { code: 'en_US' } });
    }
  });

  it.each([
    ['is not there', { template_name: 'nothing' }, undefined],
    ['has a name that WhatsApp does not take', { template_name: 'Nothing At All' }, undefined],
    ['is not there in the language', { template_name: 'plain', language: 'es' }, undefined],
    ['is paused', { template_name: 'paused' }, { status: 'PAUSED' }],
  ])('whose template %s is refused with TEMPLATE_NOT_FOUND', async (_, message, details) => {
    for (const path of ['template', 'template/send']) {
      expect(await refusal(path, message)).toEqual({ code: 'TEMPLATE_NOT_FOUND', details });
    }
  });

  it('without a mapping of the key is refused with TEMPLATE_NOT_CONFIGURED', async () => {
    const other = await addApiKey(stack);
    expect(
      await refusal('template/send', { template_name: 'plain' }, { apiKey: other.key }),
    ).toEqual({ code: 'TEMPLATE_NOT_CONFIGURED', details: { reason: 'There is no mapping.' } });
  });

  it('of another account is not found', async () => {
    const accountId = await addAccount(stack);
    const other = await addApiKey(stack, { accountId });
    const { code } = await refusal(
      'template/send',
      { template_name: 'order_confirmed' },
      { apiKey: other.key },
    );
    expect(code).toBe('TEMPLATE_NOT_FOUND');
  });

  it('without required variables is refused with the names of all of them, before anything else', async () => {
    const variables = { name: null, number: ' ', unknown: 1 };
    expect(await refusal('template/send', { template_name: 'order_shipped', variables })).toEqual({
      code: 'MISSING_REQUIRED_VARIABLE',
      details: { variables: ['name', 'carrier', 'order_path'] },
    });
  });

  it('with values that the template cannot take is refused with the place of each', async () => {
    const layout = 'must not contain a newline, a tab or more than four spaces in a row';
    const shipped = {
      name: 'a\nb',
      number: 'a\tb',
      carrier: 'a     b',
      day: ' ',
      order_path: 1,
      unknown: 'x',
    };
    expect(
      await refusal('template/send', { template_name: 'order_shipped', variables: shipped }),
    ).toEqual({
      code: 'INVALID_TEMPLATE_PARAMS',
      details: {
        fields: {
          'variables.name': layout,
          'variables.number': layout,
          'variables.carrier': layout,
          'variables.day': 'must not be blank',
          'variables.order_path': 'must be a string',
          'variables.unknown': 'is not a variable of the mapping',
        },
      },
    });
    const fieldsOf = async (template_name: string, variables: Record<string, unknown>) =>
      (await refusal('template/send', { template_name, variables })).details.fields;
    expect(await fieldsOf('film', { film: image, what: 'a' })).toEqual({
      'variables.film': 'must be the address of a video, not of an image',
    });
    expect(await fieldsOf('invoice', { file: 'a.pdf' })).toEqual({
      'variables.file': 'must be the address of a document, beginning with http:// or https://',
    });
    expect(await fieldsOf('paid', { amount: '$12', day: '4 May', what: 'a' })).toEqual({
      'variables.amount': 'must be an amount with its currency code, such as "12.50 EUR"',
    });
  });

  it('with a faulty body is refused by its fields, before the template is looked for', async () => {
    const long = 'x'.repeat(1_025);
    const message = { template_name: ' ', language: 1, variables: { a: long, b: 1 }, header: {} };
    expect(await refusal('template/send', message)).toEqual({
      code: 'VALIDATION_ERROR',
      details: {
        fields: {
          template_name: 'must not be blank',
          language: 'must be a string',
          'variables.a': 'must be at most 1024 characters; this has 1025',
          header: 'is not a known field',
        },
      },
    });
    expect(
      (await refusal('template/send', { template_name: 'nothing', variables: ['a'] })).details,
    ).toEqual({ fields: { variables: 'must be an object: variable name to value' } });
    const { code } = await refusal('template/send', { to: '12', template_name: 'nothing' });
    expect(code).toBe('INVALID_PHONE_NUMBER');
    expect((await refusal('template', { template_name: 'plain', components: {} })).details).toEqual(
      { fields: { components: 'must be a list' } },
    );
  });

  it('with the platform’s own components goes out as it came', async () => {
    const components = [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'J' },
          { type: 'text', text: '1' },
        ],
      },
      { type: 'header', parameters: [{ type: 'image', image: { id: '1037543291543636' } }] },
      { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: 'a' }] },
    ];
    const { data, template } = await arrived('template', {
      template_name: 'order_confirmed',
      components,
    });
    expect(template).toEqual({ name: 'order_confirmed', language: { code: 'en_US' }, components });
    expect(data).toEqual({ message_id: expect.any(String), status: 'sent' });
    const location = { latitude: '52.5', longitude: '13.4', name: 'Here' };
    const place = [
      { type: 'header', parameters: [{ type: 'location', location }] },
      { type: 'body', parameters: [{ type: 'text', text: 'us' }] },
    ];
    await arrived('template', { template_name: 'place', components: place });
    await arrived('template', { template_name: 'plain' });
  });

  const p = (value: string, parameter_name?: string) => ({
    type: 'text',
    text: value,
    ...(parameter_name && { parameter_name }),
  });
  const header = { type: 'header', parameters: [{ type: 'image', image: { link: image } }] };
  const urlButton = { type: 'button', sub_type: 'url', index: '1', parameters: [p('a')] };
  const two = { type: 'body', parameters: [p('a'), p('b')] };
  const named = [
    { type: 'header', parameters: [p('J', 'first_name')] },
    { type: 'body', parameters: [p('1', 'order_number'), p('2', 'carrier'), p('3', 'date')] },
    urlButton,
  ];

  it.each<[string, string, unknown[], number, string]>([
    [
      'too few parameters',
      'order_confirmed',
      [header, { ...two, parameters: [p('a')] }, urlButton],
      132_000,
      'components[1].parameters',
    ],
    ['no body at all', 'order_confirmed', [header, urlButton], 132_000, 'components.body'],
    [
      'too many parameters',
      'plain',
      [{ type: 'body', parameters: [p('a')] }],
      132_000,
      'components[0].parameters',
    ],
    [
      'no header for a media header',
      'order_confirmed',
      [two, urlButton],
      132_012,
      'components.header',
    ],
    [
      'a header of another kind',
      'film',
      [header, { type: 'body', parameters: [p('a')] }],
      132_012,
      'components[0].parameters[0].type',
    ],
    ['no parameter for a URL', 'order_confirmed', [header, two], 131_008, 'components.buttons[1]'],
    ['no parameter for a code', 'offer', [], 131_008, 'components.buttons[0]'],
    [
      'a blank parameter',
      'film',
      [
        { type: 'header', parameters: [{ type: 'video', video: { link: 'https://x.example/a' } }] },
        { type: 'body', parameters: [p(' ')] },
      ],
      131_008,
      'components[1].parameters[0].text',
    ],
    [
      'a newline',
      'order_confirmed',
      [header, { ...two, parameters: [p('a\nb'), p('c')] }, urlButton],
      132_018,
      'components[1].parameters[0].text',
    ],
    [
      'five spaces',
      'order_confirmed',
      [header, { ...two, parameters: [p('c'), p('a     b')] }, urlButton],
      132_018,
      'components[1].parameters[1].text',
    ],
    [
      'a parameter for a fixed URL',
      'offer',
      [
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '0',
          parameters: [{ type: 'coupon_code', coupon_code: 'A' }],
        },
        urlButton,
      ],
      132_018,
      'components[1].parameters',
    ],
    [
      'no name of a named parameter',
      'order_shipped',
      [
        named[0],
        { type: 'body', parameters: [p('1'), p('2', 'carrier'), p('3', 'date')] },
        urlButton,
      ],
      100,
      'components[1].parameters[0].parameter_name',
    ],
    [
      'a name that the template has not',
      'order_shipped',
      [
        named[0],
        { type: 'body', parameters: [p('1', 'number'), p('2', 'carrier'), p('3', 'date')] },
        urlButton,
      ],
      100,
      'components[1].parameters[0].parameter_name',
    ],
    [
      'a name given twice',
      'order_shipped',
      [
        named[0],
        { type: 'body', parameters: [p('1', 'date'), p('2', 'carrier'), p('3', 'date')] },
        urlButton,
      ],
      100,
      'components[1].parameters[2].parameter_name',
    ],
    ['an unknown component', 'plain', [{ type: 'footer' }], 100, 'components[0].type'],
    ['an unknown member', 'plain', [{ type: 'body', text: 'a' }], 100, 'components[0].text'],
    [
      'an unknown kind of parameter',
      'order_confirmed',
      [header, { type: 'body', parameters: [p('a'), { type: 'emoji' }] }, urlButton],
      100,
      'components[1].parameters[1].type',
    ],
    [
      'a text that is no string',
      'order_confirmed',
      [header, { type: 'body', parameters: [p('a'), { type: 'text', text: 1 }] }, urlButton],
      100,
      'components[1].parameters[1].text',
    ],
    [
      'a button of another kind',
      'order_confirmed',
      [header, two, { ...urlButton, index: '0' }, urlButton],
      132_012,
      'components[2].sub_type',
    ],
    [
      'a button without its kind',
      'order_confirmed',
      [header, two, { type: 'button', index: '1', parameters: [p('a')] }],
      131_008,
      'components[2].sub_type',
    ],
    [
      'a date without its text',
      'paid',
      [{ type: 'body', parameters: [p('a'), { type: 'date_time', date_time: {} }, p('b')] }],
      131_008,
      'components[0].parameters[1].date_time.fallback_value',
    ],
  ])(
    'with %s is refused here, where WhatsApp would refuse it with %4$i',
    async (_, template_name, components, platformCode, place) => {
      const direct = await fetch(`${stack.simulator.url}/v25.0/100000000000001/messages`, {
        method: 'POST',
        headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          to: newRecipient(),
          type: 'template',
          template: { name: template_name, language: { code: 'en_US' }, components },
        }),
      });
      expect(await direct.json()).toMatchObject({ error: { code: platformCode } });
      expect(await refusal('template', { template_name, components })).toEqual({
        code: 'INVALID_TEMPLATE_PARAMS',
        details: { fields: expect.objectContaining({ [place]: expect.any(String) }) },
      });
    },
  );

  it('needs send_template', async () => {
    const other = await addApiKey(stack, { permissions: ['send_text', 'send_media'] });
    for (const path of ['template', 'template/send']) {
      const { status } = await send(
        path,
        { to: newRecipient(), template_name: 'plain' },
        { apiKey: other.key },
      );
      expect(status).toBe(403);
    }
  });

  it('is repeated safely, even when the template could not be sent any more', async () => {
    const headers = { 'Idempotency-Key': `once ${newRecipient()}` };
    const to = newRecipient();
    const message = { to, template_name: 'plain' };
    const first = await send('template/send', message, { headers });
    await stack.sql(`update templates set status = 'PAUSED' where name = 'plain'`);
    await stack.sql('update accounts set version = version + 1');
    const second = await send('template/send', message, { headers });
    await stack.sql(`update templates set status = 'APPROVED' where name = 'plain'`);
    expect([second.status, second.body.data]).toEqual([200, first.body.data]);
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('is tried in the playground like any other', async () => {
    const dashboard = await Dashboard.signIn(stack);
    const run = (mode: string, type: string, payload: unknown) =>
      dashboard.call('POST', '/playground', { mode, api_key_id: keyId, type, payload });
    const to = newRecipient();
    const message = { to, template_name: 'offer', language: 'en_US', variables: { code: 'A' } };
    const { body } = await run('simulate', 'template_send', message);
    expect(body).toMatchObject({
      data: { valid: true, platform_payload: { type: 'template', template: { name: 'offer' } } },
      meta: { warnings: [] },
    });
    const refused = await run('simulate', 'template', { ...message, variables: undefined });
    expect(refused.body.error.code).toBe('INVALID_TEMPLATE_PARAMS');
    expect(await stack.ledger(to)).toEqual([]);
    const sent = await run('send', 'template_send', message);
    expect(sent.body.data).toEqual({
      message_id: expect.any(String),
      message_uuid: sent.body.data.message_id,
      status: 'sent',
      to,
    });
    for (const [type, payload] of [
      ['text', { to, body: 'a' }],
      ['media', { to, type: 'image', link: image }],
    ] as const) {
      expect((await run('send', type, payload)).body.data.status).toBe('sent');
    }
  });
});
