import type { Dashboard } from './dashboard.js';
import type { Stack } from './stack.js';

/** The business account and the number of the installation's account. */
export const businessAccountId = '200000000000001';
const phoneNumberId = '100000000000001';

type Definition = Record<string, unknown>;

/** Gives the platform these templates, and no others. */
export async function putTemplates(stack: Stack, templates: Definition[]): Promise<void> {
  await stack.control('PUT', 'numbers', {
    phone_number_id: phoneNumberId,
    business_account_id: businessAccountId,
  });
  await stack.control('PUT', 'templates', { business_account_id: businessAccountId, templates });
}

/** Syncs the live templates of the only account. */
export async function sync(dashboard: Dashboard): Promise<any> {
  const { syncs } = await dashboard.get('POST', '/templates/sync?mode=live');
  return syncs[0];
}

/** The id of a live template. */
export async function templateId(
  dashboard: Dashboard,
  name: string,
  language = 'en_US',
): Promise<string> {
  const query = new URLSearchParams({ name, language, mode: 'live' });
  const { templates } = await dashboard.get('GET', `/templates?${query.toString()}`);
  return templates[0].id;
}

/** Stores a key's mapping. */
export async function map(
  dashboard: Dashboard,
  keyId: string,
  name: string,
  variables: Record<string, unknown>,
  language = 'en_US',
): Promise<void> {
  const id = await templateId(dashboard, name, language);
  await dashboard.get('PUT', `/api-keys/${keyId}/template-mappings/${id}`, { variables });
}

const body = (text: string) => ({ type: 'BODY', text });
const buttons = (...all: Definition[]) => ({ type: 'BUTTONS', buttons: all });
const template = (name: string, components: Definition[], change: Definition = {}) => ({
  name,
  language: 'en_US',
  category: 'UTILITY',
  components,
  ...change,
});

const url = (suffix: string) => ({ type: 'URL', text: 'Open', url: `https://x.example/${suffix}` });
const quickReply = (text: string) => ({ type: 'QUICK_REPLY', text });

/** A template for each kind of parameter. */
export const definitions = {
  shipped: template(
    'order_shipped',
    [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'Good news, {{first_name}}',
        example: { header_text_named_params: [{ param_name: 'first_name', example: 'Jessica' }] },
      },
      {
        type: 'BODY',
        text: 'Order {{order_number}} goes out with {{carrier}} on {{date}}.\nThank you!',
        example: {
          body_text_named_params: [
            { param_name: 'order_number', example: 'SKBUP2-4CPIG9' },
            { param_name: 'carrier', example: 'ACME' },
            { param_name: 'date', example: '4 May' },
          ],
        },
      },
      { type: 'FOOTER', text: 'The shop' },
      buttons(quickReply('Stop'), {
        ...url('orders/{{1}}'),
        example: ['https://x.example/orders/id00231'],
      }),
    ],
    { parameter_format: 'NAMED' },
  ),
  confirmed: template('order_confirmed', [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://x.example/a.jpg'] } },
    {
      ...body('Hi {{1}}, order {{2}}.'),
      example: { body_text: [['Jessica', 'SKBUP2-4CPIG9']] },
    },
    buttons(quickReply('Yes'), url('{{1}}')),
  ]),
  paid: template('paid', [body('You paid {{1}} on {{2}} for {{3}}.')]),
  offer: template('offer', [
    body('Our sale is on.'),
    buttons({ type: 'COPY_CODE', text: 'Copy', example: ['SALE'] }, url('fixed')),
  ]),
  film: template('film', [{ type: 'HEADER', format: 'VIDEO' }, body('Look at {{1}}.')]),
  invoice: template('invoice', [{ type: 'HEADER', format: 'DOCUMENT' }, body('Your invoice.')]),
  place: template('place', [{ type: 'HEADER', format: 'LOCATION' }, body('Come to {{1}}.')]),
  plain: template('plain', [body('Hello.')]),
  paused: template('paused', [body('Hello.')], { status: 'PAUSED' }),
} as const;

/** Templates whose sends need more than texts and files, or a code. */
export const specialDefinitions = {
  booking: template('booking', [
    body('Book a table, {{1}}.'),
    buttons(quickReply('Later'), {
      type: 'FLOW',
      text: 'Book',
      flow_id: 1,
      flow_action: 'NAVIGATE',
      navigate_screen: 'START',
    }),
  ]),
  menu: template('menu', [
    body('Our dishes.'),
    {
      type: 'CAROUSEL',
      cards: ['one', 'two'].map((path) => ({
        components: [
          { type: 'HEADER', format: 'IMAGE' },
          body('Only {{1}}.'),
          buttons(quickReply('More'), url(`${path}/{{1}}`)),
        ],
      })),
    },
  ]),
  sale: template('sale', [
    {
      type: 'LIMITED_TIME_OFFER',
      limited_time_offer: { text: 'Ends soon', has_expiration: true },
    },
    body('Our sale.'),
    buttons({ type: 'COPY_CODE', text: 'Copy', example: ['SALE'] }),
  ]),
  endless: template('endless', [
    {
      type: 'LIMITED_TIME_OFFER',
      limited_time_offer: { text: 'Each day', has_expiration: false },
    },
    body('Our sale.'),
  ]),
  products: template('products', [body('Look.'), buttons({ type: 'MPM', text: 'See' })]),
  code: template('code', [body('*{{1}}* is your code.'), buttons(url('otp?code={{1}}'))], {
    category: 'AUTHENTICATION',
  }),
} as const;

/** Values for the template `paid`, and a mapping that has their names. */
export const paidVariables = { amount: '€ 9', day: '1 May', what: 'tea' };
export const paidMapping = Object.fromEntries(
  Object.keys(paidVariables).map((name, index) => [
    name,
    { component: 'body', position: index + 1, required: true },
  ]),
);
