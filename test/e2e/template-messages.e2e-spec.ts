import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { newRecipient, type RequestOptions, Stack } from '../support/stack.js';
import { definitions, map, putTemplates, specialDefinitions, sync } from '../support/templates.js';

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
    day: text('body', 'date', { required: true, default: 'Friday' }),
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
  offer: { code: button(0) },
  plain: {},
  paused: {},
  booking: { name: at('body', 1) },
  code: { code: at('body', 1), copy: button(0) },
};

const image = 'https://x.example/a.jpg';

describe('a template message', () => {
  let stack: Stack;
  let keyId: string;
  let apiKey: string;

  beforeAll(async () => {
    stack = await Stack.start();
    await putTemplates(stack, Object.values({ ...definitions, ...specialDefinitions }));
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
  ])('arrives intact with %s', async (_, template_name, variables, components) => {
    const { template } = await arrived('template/send', { template_name, variables });
    expect(template).toEqual({ name: template_name, language: { code: 'en_US' }, components });
  });

  it('arrives with its flow button, which no variable has to fill', async () => {
    const variables = { name: 'J' };
    const { template } = await arrived('template/send', { template_name: 'booking', variables });
    expect(template.components).toEqual([
      { type: 'body', parameters: [{ type: 'text', text: 'J' }] },
      {
        type: 'button',
        sub_type: 'flow',
        index: '1',
        parameters: [{ type: 'action', action: { flow_token: 'unused' } }],
      },
    ]);
  });

  it('with one-time codes that differ, or are too long, is refused', async () => {
    const fieldsOf = async (code: string, copy: string) =>
      (await refusal('template/send', { template_name: 'code', variables: { code, copy } })).details
        .fields;
    expect(await fieldsOf('123456', '654321')).toEqual({
      'variables.copy': 'must be the same one-time code as in variables.code',
    });
    const long = '1'.repeat(16);
    const fault = 'must be a one-time code of at most 15 characters; this has 16';
    expect(await fieldsOf(long, long)).toEqual({
      'variables.code': fault,
      'variables.copy': fault,
    });
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
    ['is not there', { template_name: 'nothing' }, { languages: [] }],
    [
      'has a name that WhatsApp does not take',
      { template_name: 'Nothing At All' },
      { languages: [] },
    ],
    [
      'is not there in the language',
      { template_name: 'plain', language: 'es' },
      { languages: ['en_US'] },
    ],
    ['is paused', { template_name: 'paused' }, { status: 'PAUSED' }],
  ])('whose template %s is refused with TEMPLATE_NOT_FOUND', async (_, message, details) => {
    for (const path of ['template', 'template/send']) {
      expect(await refusal(path, message)).toEqual({ code: 'TEMPLATE_NOT_FOUND', details });
    }
  });

  it.each(['en-US', 'en_us', 'EN-us'])(
    'finds its template by the language %s',
    async (language) => {
      const { template } = await arrived('template', { template_name: 'plain', language });
      expect(template).toEqual({ name: 'plain', language: { code: 'en_US' } });
    },
  );

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

  it('with the platform’s own components that do not fit the template is refused by their places', async () => {
    const components = [
      { type: 'header', parameters: [{ type: 'video', video: { link: 'https://x.example/a' } }] },
      { type: 'body', parameters: [{ type: 'text', text: 'a\nb' }] },
    ];
    expect(await refusal('template', { template_name: 'order_confirmed', components })).toEqual({
      code: 'INVALID_TEMPLATE_PARAMS',
      details: {
        fields: {
          'components[0].parameters[0].type': 'must be image: that is the template’s header',
          'components[1].parameters': 'must have 2 parameters; there is 1',
          'components[1].parameters[0].text':
            'must not contain a newline, a tab or more than four spaces in a row',
          'components.buttons[1]': 'is required: button 1 (URL) needs a parameter',
        },
      },
    });
  });

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

  it('is repeated safely, even when the template can no longer be sent', async () => {
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
