import { ownNumberId, SimulatorUnderTest } from '../../../libs/simulator/spec-support.js';
import { definitions, specialDefinitions } from '../../../test/support/templates.js';
import { checkComponents } from './raw-components.js';
import { compileTemplate } from './template-plan.js';

type Components = Parameters<typeof compileTemplate>[0]['components'];

const known = { ...definitions, ...specialDefinitions };

const link = 'https://x.example/a';
const p = (text: string, parameter_name?: string) => ({
  type: 'text',
  text,
  ...(parameter_name && { parameter_name }),
});
const body = (...parameters: object[]) => ({ type: 'body', parameters });
const url = { type: 'button', sub_type: 'url', index: '1', parameters: [p('a')] };
const reply = { ...url, index: '0' };
const kindless = { type: 'button', index: '1', parameters: [p('a')] };
const couponCode = { type: 'coupon_code', coupon_code: 'A' };
const coupon = { type: 'button', sub_type: 'copy_code', index: '0', parameters: [couponCode] };
const image = { type: 'header', parameters: [{ type: 'image', image: { link } }] };
const video = { type: 'header', parameters: [{ type: 'video', video: { link } }] };
const two = body(p('a'), p('b'));
const newline = body(p('a\nb'), p('c'));
const spaces = body(p('c'), p('a     b'));
const currency = {
  type: 'currency',
  currency: { fallback_value: '12.50 EUR', code: 'EUR', amount_1000: 12_500 },
};
const emoji = body(p('a'), { type: 'emoji' });
const one = body(p('a'), { type: 'text', text: 1 });
const dateless = body(p('a'), { type: 'date_time', date_time: {} }, p('b'));
/** For named parameters: the first of three with this name. */
const named = (name?: string) => [
  { type: 'header', parameters: [p('J', 'first_name')] },
  body(p('1', name), p('2', 'carrier'), p('3', 'date')),
  url,
];

const flow = (...parameters: object[]) => ({
  type: 'button',
  sub_type: 'flow',
  index: '1',
  parameters,
});
const action = (values: object) => ({ type: 'action', action: values });
const card = (card_index: number, ...components: object[]) => ({
  card_index,
  components: components.length > 0 ? components : [image, body(p('9')), url],
});
const carousel = (...cards: object[]) => ({ type: 'carousel', cards });
const offerEnd = (values: object) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: values }],
});
const ends = offerEnd({ expiration_time_ms: 1_800_000_000_000 });
const longCoupon = {
  ...coupon,
  parameters: [{ ...couponCode, coupon_code: 'x'.repeat(21) }],
};
const codeButton = (code: string) => ({ ...url, index: '0', parameters: [p(code)] });
const longCode = '1'.repeat(16);

describe('the platform’s own components', () => {
  let simulator: SimulatorUnderTest;

  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
    const account = { business_account_id: '9' };
    const number = { ...account, phone_number_id: ownNumberId };
    await simulator.call('PUT', '/_simulator/numbers', number);
    const templates = Object.values(known);
    await simulator.call('PUT', '/_simulator/templates', { ...account, templates });
  });

  afterAll(() => simulator?.close());

  /** The faults found here, and the code with which the platform refuses the same. */
  async function judge(name: keyof typeof known, components: readonly unknown[]) {
    const definition = known[name];
    const plan = compileTemplate({
      parameterFormat: name === 'shipped' ? 'NAMED' : 'POSITIONAL',
      category: definition.category,
      components: definition.components as unknown as Components,
    });
    const { json } = await simulator.send({
      messaging_product: 'whatsapp',
      to: '+14155550123',
      type: 'template',
      template: { name: definition.name, language: { code: 'en_US' }, components },
    });
    return { places: Object.keys(checkComponents(plan, components)), code: json.error?.code };
  }

  it.each<[string, keyof typeof known, unknown[], number, string]>([
    ['too few parameters', 'confirmed', [image, body(p('a')), url], 132_000, '[1].parameters'],
    ['no body at all', 'confirmed', [image, url], 132_000, '.body'],
    ['too many parameters', 'plain', [body(p('a'))], 132_000, '[0].parameters'],
    ['no header for a media header', 'confirmed', [two, url], 132_012, '.header'],
    ['another kind of header', 'film', [image, body(p('a'))], 132_012, '[0].parameters[0].type'],
    ['no parameter for a URL', 'confirmed', [image, two], 131_008, '.buttons[1]'],
    ['no parameter for a code', 'offer', [], 131_008, '.buttons[0]'],
    ['a blank parameter', 'film', [video, body(p(' '))], 131_008, '[1].parameters[0].text'],
    ['a newline', 'confirmed', [image, newline, url], 132_018, '[1].parameters[0].text'],
    ['five spaces', 'confirmed', [image, spaces, url], 132_018, '[1].parameters[1].text'],
    ['a parameter for a fixed URL', 'offer', [coupon, url], 132_018, '[1].parameters'],
    ['no name', 'shipped', named(), 100, '[1].parameters[0].parameter_name'],
    ['an unknown name', 'shipped', named('number'), 100, '[1].parameters[0].parameter_name'],
    ['a name given twice', 'shipped', named('date'), 100, '[1].parameters[2].parameter_name'],
    ['an unknown component', 'plain', [{ type: 'footer' }], 100, '[0].type'],
    ['an unknown member', 'plain', [{ type: 'body', text: 'a' }], 100, '[0].text'],
    [
      'an unknown kind of parameter',
      'confirmed',
      [image, emoji, url],
      100,
      '[1].parameters[1].type',
    ],
    ['a text that is no string', 'confirmed', [image, one, url], 100, '[1].parameters[1].text'],
    ['another kind of button', 'confirmed', [image, two, reply, url], 132_012, '[2].sub_type'],
    ['a button without its kind', 'confirmed', [image, two, kindless], 131_008, '[2].sub_type'],
    ['no flow button', 'booking', [body(p('a'))], 131_009, '.buttons[1]'],
    ['no products', 'products', [], 131_008, '.buttons[0]'],
    ['no carousel', 'menu', [], 131_008, '.carousel'],
    ['a carousel without cards', 'menu', [carousel()], 132_012, '[0].cards'],
    ['too few cards', 'menu', [carousel(card(0))], 132_012, '[0].cards'],
    ['a card twice', 'menu', [carousel(card(0), card(0))], 131_009, '[0].cards[1].card_index'],
    [
      'no picture on a card',
      'menu',
      [carousel(card(0), card(1, body(p('9')), url))],
      132_012,
      '[0].cards[1].components.header',
    ],
    [
      'no text on a card',
      'menu',
      [carousel(card(0), card(1, image, url))],
      132_000,
      '[0].cards[1].components.body',
    ],
    [
      'no link on a card',
      'menu',
      [carousel(card(0), card(1, image, body(p('9'))))],
      131_008,
      '[0].cards[1].components.buttons[1]',
    ],
    ['no end of an offer', 'sale', [coupon], 131_008, '.limited_time_offer'],
    [
      'an end without its time',
      'sale',
      [coupon, offerEnd({})],
      131_008,
      '[1].parameters[0].limited_time_offer.expiration_time_ms',
    ],
    ['a long coupon', 'offer', [longCoupon], 131_009, '[0].parameters[0].coupon_code'],
    [
      'a long one-time code',
      'code',
      [body(p(longCode)), codeButton(longCode)],
      131_009,
      '[0].parameters[0].text',
    ],
    [
      'two one-time codes',
      'code',
      [body(p('123456')), codeButton('654321')],
      131_009,
      '[1].parameters[0].text',
    ],
    ['no date', 'paid', [dateless], 131_008, '[0].parameters[1].date_time.fallback_value'],
  ])('with %s are refused where WhatsApp would: %4$i', async (_, name, components, code, place) => {
    const judged = await judge(name, components);
    expect(judged).toEqual({ places: expect.arrayContaining([`components${place}`]), code });
  });

  it.each<[keyof typeof known, unknown[]]>([
    ['confirmed', [image, two, url]],
    ['confirmed', [image, two, { ...url, sub_type: 'URL' }]],
    ['shipped', named('order_number')],
    ['offer', [coupon]],
    ['film', [video, body(p('us'))]],
    ['invoice', [{ type: 'header', parameters: [{ type: 'document', document: { link } }] }]],
    ['paid', [body(currency, { type: 'date_time', date_time: { fallback_value: 'a' } }, p('b'))]],
    ['booking', [body(p('a')), flow()]],
    ['booking', [body(p('a')), flow(action({ flow_token: 't', flow_action_data: { a: 1 } }))]],
    ['products', [{ ...flow(action({ sections: [] })), sub_type: 'mpm', index: 0 }]],
    ['menu', [carousel(card(1), card(0))]],
    ['sale', [coupon, ends]],
    ['endless', []],
    ['code', [body(p('123456')), codeButton('123456')]],
  ])('that fit the template %s are refused neither here nor there', async (name, components) => {
    expect(await judge(name, components)).toEqual({ places: [], code: undefined });
  });
});
