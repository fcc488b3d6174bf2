import { message, SimulatorUnderTest, until, WebhookEndpoint } from './spec-support.js';

const text = (value: string, name?: string) => ({
  type: 'text',
  text: value,
  ...(name === undefined ? {} : { parameter_name: name }),
});
const bodyOf = (...parameters: unknown[]) => ({ type: 'body', parameters });
const urlButton = (index: number | string, value = 'x') => ({
  type: 'button',
  sub_type: 'url',
  index,
  parameters: [text(value)],
});
const coupon = (index: number, code = 'SUMMER25') => ({
  type: 'button',
  sub_type: 'copy_code',
  index,
  parameters: [{ type: 'coupon_code', coupon_code: code }],
});
const image = {
  type: 'header',
  parameters: [{ type: 'image', image: { link: 'https://x.example/a.png' } }],
};
const send = (name: string, components?: unknown[], language = 'en_US') =>
  message('template', {
    name,
    language: { code: language },
    ...(components === undefined ? {} : { components }),
  });
const order = (...components: unknown[]) => send('order_confirmation', components);
const threeTexts = bodyOf(text('a'), text('b'), text('c'));
const reminder = bodyOf(text('4 May', 'date'), text('Jo', 'first_name'), text('10:30', 'time'));

describe('template sends', () => {
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
  });
  afterAll(() => simulator.close());

  it.each<[string, unknown]>([
    ['a template without variables', send('hello_world')],
    ['positional parameters and a link suffix', order(threeTexts, urlButton('0'))],
    ['a button index as a number', order(threeTexts, urlButton(0))],
    ['named parameters in any order', send('appointment_reminder', [reminder])],
    ['another language', send('appointment_reminder', [reminder], 'es')],
    [
      'a header picture and a coupon',
      send('seasonal_promotion', [image, threeTexts, coupon(0), urlButton(1)]),
    ],
    [
      'a coupon of 20 characters',
      send('seasonal_promotion', [image, threeTexts, coupon(0, 'x'.repeat(20)), urlButton(1)]),
    ],
    [
      'a quick reply’s payload',
      send('appointment_reminder', [
        reminder,
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: 1,
          parameters: [{ type: 'payload', payload: 'NO' }],
        },
      ]),
    ],
    [
      'a text header',
      send('account_update', [{ type: 'header', parameters: [text('Jo')] }, bodyOf(text('ok'))]),
    ],
    [
      'an amount of money',
      send('account_update', [
        { type: 'header', parameters: [text('Jo')] },
        bodyOf({
          type: 'currency',
          currency: { fallback_value: '$5', code: 'USD', amount_1000: 5000 },
        }),
      ]),
    ],
    ['a one-time code', send('login_code', [bodyOf(text('123456')), urlButton(0, '123456')])],
  ])('are taken with %s', async (_, sent) => {
    const { http, text: answer } = await simulator.send(sent);
    expect([http, answer]).toEqual([200, expect.stringContaining('wamid.')]);
  });

  it.each<[string, unknown, number, string, number?]>([
    ['an unknown name', send('nope'), 132001, 'template name (nope) does not exist in en_US', 404],
    [
      'an unknown language',
      send('hello_world', undefined, 'en'),
      132001,
      'template name (hello_world) does not exist in en',
      404,
    ],
    [
      'a template in review',
      send('survey_invitation', [bodyOf(text('a'))]),
      132001,
      'template name (survey_invitation) does not exist in en_US',
      404,
    ],
    ['a paused template', send('winter_sale'), 132015, 'template name (winter_sale) is paused'],
    [
      'too few parameters',
      order(bodyOf(text('a')), urlButton(0)),
      132000,
      'body: number of localizable_params (1) does not match the expected number of params (3)',
    ],
    [
      'no body component',
      order(urlButton(0)),
      132000,
      'body: number of localizable_params (0) does not match the expected number of params (3)',
    ],
    [
      'parameters that the template lacks',
      send('hello_world', [bodyOf(text('a'))]),
      132000,
      'body: number of localizable_params (1) does not match the expected number of params (0)',
    ],
    [
      'named parameters without names',
      send('appointment_reminder', [bodyOf(text('a'), text('b'), text('c'))]),
      100,
      'Parameter name is missing or empty',
    ],
    [
      'a name that the template lacks',
      send('appointment_reminder', [
        bodyOf(text('a', 'date'), text('b', 'first_name'), text('c', 'hour')),
      ]),
      100,
      'body: Parameter name (hour) does not match a parameter of the template',
    ],
    [
      'no header picture',
      send('seasonal_promotion', [threeTexts, coupon(0), urlButton(1)]),
      132012,
      'header: Format mismatch, expected IMAGE, received UNKNOWN',
    ],
    [
      'another kind of header',
      send('product_launch', [image, bodyOf(text('a'))]),
      132012,
      'header: Format mismatch, expected VIDEO, received IMAGE',
    ],
    [
      'no link suffix',
      order(threeTexts),
      131008,
      'buttons: Button at index 0 of type Url requires a parameter',
    ],
    [
      'a coupon of 21 characters',
      send('seasonal_promotion', [image, threeTexts, coupon(0, 'x'.repeat(21)), urlButton(1)]),
      131009,
      'Coupon code is too long. Max length is 20',
    ],
    [
      'no coupon',
      send('seasonal_promotion', [image, threeTexts, urlButton(1)]),
      131008,
      'buttons: Button at index 0 of type CopyCode requires a parameter',
    ],
    [
      'a suffix for a fixed link',
      send('invoice_ready', [
        { type: 'header', parameters: [{ type: 'document', document: { id: '1' } }] },
        bodyOf(text('a', 'customer'), text('b', 'number')),
        urlButton(0),
      ]),
      132018,
      'buttons: Button at index 0 of type Url does not take parameters',
    ],
    [
      'a button that the template lacks',
      order(threeTexts, urlButton(0), urlButton(2)),
      131009,
      'buttons: the template has no button at index 2',
    ],
    [
      'another kind of button',
      order(threeTexts, urlButton(0), urlButton(1)),
      132012,
      'button: Format mismatch, expected QUICK_REPLY, received URL',
    ],
    [
      'a component twice',
      order(threeTexts, threeTexts, urlButton(0)),
      131009,
      'body: component is present twice',
    ],
    [
      'a body that gets too long',
      order(bodyOf(text('a'.repeat(1000)), text('b'), text('c')), urlButton(0)),
      132005,
      'body: Translated text is too long. Max length is 1024',
    ],
    [
      'a line break',
      order(bodyOf(text('a\nb'), text('b'), text('c')), urlButton(0)),
      132018,
      'body: Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    ],
  ])('are refused with %s', async (_, sent, code, details, http = 400) => {
    const answer = await simulator.send(sent);
    expect([answer.http, answer.json.error?.code]).toEqual([http, code]);
    expect(answer.json.error.error_data.details).toBe(details);
  });

  it('are refused to a user id when they carry a one-time code', async () => {
    const { json } = await simulator.send({
      ...send('login_code', [bodyOf(text('1')), urlButton(0, '1')]),
      to: undefined,
      recipient: 'US.1349',
    });
    expect(json.error.code).toBe(131062);
  });
});

const names = (json: { data: { name: string }[] }) => json.data.map(({ name }) => name);

describe('the template list', () => {
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
    await simulator.call('PUT', '/_simulator/templates', {
      business_account_id: '9',
      templates: Array.from({ length: 60 }, (_, index) => ({
        name: `template_${String(index).padStart(2, '0')}`,
        language: index % 2 === 0 ? 'en' : 'de',
        category: index < 30 ? 'MARKETING' : 'UTILITY',
        status: index === 7 ? 'REJECTED' : 'APPROVED',
        components: [{ type: 'BODY', text: `Text ${index} for {{1}}` }],
      })),
    });
  });
  afterAll(() => simulator.close());

  const list = (query = '') => simulator.call('GET', `/v25.0/9/message_templates${query}`);

  it('has 25 templates on a page and is read to its end by following next', async () => {
    const all: string[] = [];
    const sizes: number[] = [];
    let { json } = await list('?fields=name,status&access=1');
    for (;;) {
      all.push(...names(json));
      sizes.push(json.data.length);
      expect(json.paging.cursors.after).toMatch(/ZD$/);
      if (json.paging.next === undefined) break;
      const next = new URL(json.paging.next);
      ({ json } = await simulator.call('GET', `${next.pathname}${next.search}`));
    }
    expect(sizes).toEqual([25, 25, 10]);
    expect(new Set(all).size).toBe(60);
  });

  it('is read by cursor, forwards and backwards', async () => {
    const first = await list('?limit=10');
    const second = await list(`?limit=10&after=${first.json.paging.cursors.after}`);
    const back = await list(`?limit=10&before=${second.json.paging.cursors.before}`);
    expect(names(second.json)[0]).toBe('template_10');
    expect(names(back.json)).toEqual(names(first.json));
    expect(second.json.paging).toHaveProperty('previous');
  });

  it('gives the fields that are asked for, and always the id', async () => {
    const { json } = await list('?fields=name,quality_score&limit=1');
    expect(json.data).toEqual([
      {
        name: 'template_00',
        quality_score: { score: 'UNKNOWN' },
        id: expect.stringMatching(/^\d{15}$/),
      },
    ]);
  });

  it.each([
    ['name=template_1', 10],
    ['name=template_11', 1],
    ['content=text%205', 11],
    ['name_or_content=template_59', 1],
    ['status=REJECTED', 1],
    ['status=APPROVED,REJECTED', 60],
    ['category=["MARKETING"]', 30],
    ['language=de', 30],
    ['quality_score=GREEN', 0],
    ['category=UTILITY&language=en', 15],
  ])('can be narrowed by %s', async (filter, count) => {
    const { json } = await list(`?limit=100&${filter}`);
    expect(json.data).toHaveLength(count);
  });

  it.each([
    ['limit=0', 100],
    ['limit=x', 100],
    ['after=zz', 131059],
    ['fields=nonsense', 100],
  ])('refuses %s', async (query, code) => {
    expect((await list(`?${query}`)).json.error.code).toBe(code);
  });

  it('has a demo set for an account that was given none', async () => {
    const { json } = await simulator.call('GET', '/v25.0/12345/message_templates');
    expect(names(json)).toContain('order_confirmation');
  });

  it.each([
    ['no account', { templates: [] }],
    ['no list', { business_account_id: '9' }],
    [
      'a bad name',
      { business_account_id: '9', templates: [{ name: 'A B', language: 'en', components: [] }] },
    ],
    [
      'a bad status',
      {
        business_account_id: '9',
        templates: [{ name: 'a', language: 'en', status: 'OK', components: [] }],
      },
    ],
    [
      'the same template twice',
      {
        business_account_id: '9',
        templates: [1, 2].map(() => ({ name: 'a', language: 'en', components: [] })),
      },
    ],
  ])('is not replaced with %s', async (_, body) => {
    const { http, json } = await simulator.call('PUT', '/_simulator/templates', body);
    expect([http, json.error.message]).toEqual([400, expect.any(String)]);
    expect((await list('?limit=100')).json.data).toHaveLength(60);
  });

  it('reports a status that has changed, and sends follow it', async () => {
    const endpoint = new WebhookEndpoint();
    const reporting = await SimulatorUnderTest.start({
      appSecret: 's',
      webhookUrl: await endpoint.listen(),
    });
    const put = (status: string) =>
      reporting.call('PUT', '/_simulator/templates', {
        business_account_id: '102290129340398',
        templates: [
          { name: 'a', language: 'en', status, components: [{ type: 'BODY', text: 'A' }] },
          { name: 'b', language: 'en', components: [{ type: 'BODY', text: 'B' }] },
        ],
      });
    await put('APPROVED');
    expect((await reporting.send(send('a', undefined, 'en'))).http).toBe(200);
    await put('DISABLED');
    const change = await until(() =>
      endpoint.changes().find(({ field }) => field === 'message_template_status_update'),
    );
    expect(change.value).toMatchObject({
      event: 'DISABLED',
      message_template_id: expect.any(Number),
      message_template_name: 'a',
      message_template_language: 'en',
      message_template_category: 'UTILITY',
      reason: 'NONE',
    });
    const call = endpoint.calls.find(({ raw }) => raw.includes('message_template_status_update'));
    expect(call?.json.entry).toMatchObject([{ id: '102290129340398', time: expect.any(Number) }]);
    const refused = await reporting.send(send('a', undefined, 'en'));
    expect(refused.json.error.code).toBe(132016);
    await reporting.close();
    await endpoint.close();
  });
});
