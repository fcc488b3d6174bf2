import type { JsonObject } from './checks.js';
import { carouselMessage, flowMessage, message, SimulatorUnderTest } from './spec-support.js';

const chars = (count: number): string => 'x'.repeat(count);
const url = (length: number): string => `https://x.example/${'a'.repeat(length - 18)}`;
const picture = { link: 'https://cdn.example/picture.png' };
const body = { text: 'See' };

const link = (parameters: JsonObject = {}, parts: JsonObject = {}, action: JsonObject = {}) =>
  message('interactive', {
    type: 'cta_url',
    body,
    action: {
      name: 'cta_url',
      parameters: { display_text: 'Open', url: 'https://x.example/', ...parameters },
      ...action,
    },
    ...parts,
  });
const locationRequest = (parts: JsonObject = {}) =>
  message('interactive', {
    type: 'location_request_message',
    body,
    action: { name: 'send_location' },
    ...parts,
  });
const contactRequest = (parts: JsonObject = {}) =>
  message('interactive', {
    type: 'request_contact_info',
    body,
    action: { name: 'request_contact_info' },
    ...parts,
  });
const start = (payload: unknown, more: JsonObject = {}) =>
  flowMessage({ flow_action: 'navigate', flow_action_payload: payload, ...more });

const linkAction = (parameters: JsonObject = {}) => ({
  name: 'cta_url',
  parameters: { display_text: 'Open', url: 'https://x.example/', ...parameters },
});
const buttons = (...replies: [id: string, title: string][]) => ({
  buttons: replies.map(([id, title]) => ({ type: 'quick_reply', quick_reply: { id, title } })),
});
const cards = (count: number, card: JsonObject = {}) =>
  carouselMessage(Array.from({ length: count }, () => card));
const both = (card: JsonObject) => carouselMessage([card, card]);

describe('interactive messages', () => {
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start();
  });
  afterAll(() => simulator.close());

  it.each<[string, unknown]>([
    [
      'a link button with texts at their limits',
      link(
        { display_text: chars(20), url: url(2000) },
        {
          header: { type: 'text', text: chars(60) },
          body: { text: chars(1024) },
          footer: { text: chars(60) },
        },
      ),
    ],
    ['a link button below a picture', link({}, { header: { type: 'image', image: picture } })],
    ['a link button below a film', link({}, { header: { type: 'video', video: picture } })],
    [
      'a link button below a document',
      link({}, { header: { type: 'document', document: { ...picture, filename: 'a.pdf' } } }),
    ],
    ['a link that is http', link({ url: 'http://x.example' })],

    ['a location request with 1024 characters', locationRequest({ body: { text: chars(1024) } })],
    ['a contact request with 1024 characters', contactRequest({ body: { text: chars(1024) } })],

    ['a flow by its id', flowMessage()],
    ['a flow by its name', flowMessage({ flow_id: undefined, flow_name: 'booking' })],
    [
      'a flow with all fields and texts at their limits',
      flowMessage(
        {
          flow_cta: chars(20),
          mode: 'draft',
          flow_action: 'navigate',
          flow_action_payload: { screen: 'FIRST', data: { name: 'Ada' } },
          flow_token: 't',
        },
        {
          header: { type: 'text', text: chars(60) },
          body: { text: chars(1024) },
          footer: { text: chars(60) },
        },
      ),
    ],
    ['a flow below a picture', flowMessage({}, { header: { type: 'image', image: picture } })],
    ['a published flow', flowMessage({ mode: 'published' })],
    ['a flow that asks a server', flowMessage({ flow_action: 'data_exchange' })],
    ['a flow with a screen and no data', start({ screen: 'FIRST' })],
    ['a flow with a screen and no action', start({ screen: 'FIRST' }, { flow_action: undefined })],

    ['two cards', cards(2)],
    ['ten cards', cards(10)],
    [
      'a carousel body of 1024 characters',
      carouselMessage([{}, {}], { body: { text: chars(1024) } }),
    ],
    [
      'cards with texts at their limits',
      both({
        body: { text: chars(160) },
        action: linkAction({ display_text: chars(20), url: url(2000) }),
      }),
    ],
    ['a card with two line breaks', both({ body: { text: 'a\nb\nc' } })],
    ['a picture and a film', carouselMessage([{}, { header: { type: 'video', video: picture } }])],
    ['cards with one quick reply', both({ action: buttons([chars(256), chars(20)]) })],
    [
      'cards with three quick replies',
      both({ action: buttons(['a', 'A'], ['b', 'B'], ['c', 'C']) }),
    ],
    [
      'cards with quick replies and without a type',
      both({ type: undefined, action: buttons(['a', 'A']) }),
    ],
  ])('takes %s', async (_, sent) => {
    const { http, text } = await simulator.send(sent);
    expect([http, text]).toEqual([200, expect.stringContaining('wamid.')]);
  });

  it.each<[string, unknown, number, string | RegExp]>([
    [
      'a link label of 21 characters',
      link({ display_text: chars(21) }),
      131009,
      'Button display text length invalid. Min length: 1, Max length: 20',
    ],
    ['an empty link label', link({ display_text: '' }), 131009, /Button display text/],
    ['a link button without a label', link({ display_text: undefined }), 131008, /display text/],
    [
      'a link of 2001 characters',
      link({ url: url(2001) }),
      100,
      "(#100) Param interactive['action']['parameters']['url'] must be at most 2000 characters long.",
    ],
    ['a link button without a link', link({ url: undefined }), 100, /\['url'\] is required/],
    ['a link that is not http', link({ url: 'tel:+1650' }), 100, /is not a valid URI/],
    ['a link that is no string', link({ url: 5 }), 100, /must be a string/],
    [
      'an unknown field of a link button',
      link({ color: 'red' }),
      100,
      `(#100) Unexpected key "color" on param "interactive['action']['parameters']".`,
    ],
    ['an unknown field of its action', link({}, {}, { buttons: [] }), 100, /"buttons"/],
    [
      'a link button with another name',
      link({}, {}, { name: 'open' }),
      100,
      `(#100) Param interactive['action']['name'] must be one of {CTA_URL} - got "open".`,
    ],
    ['a link button without a name', link({}, {}, { name: undefined }), 100, /name'\] is required/],
    [
      'a link button without parameters',
      link({}, {}, { parameters: undefined }),
      100,
      /\['parameters'\] is required/,
    ],
    ['a link button without a body', link({}, { body: undefined }), 131008, /body is required/],
    [
      'a link body of 1025 characters',
      link({}, { body: { text: chars(1025) } }),
      131009,
      /Body text .*Max length: 1024/,
    ],
    [
      'a link footer of 61 characters',
      link({}, { footer: { text: chars(61) } }),
      131009,
      /Footer text .*Max length: 60/,
    ],
    [
      'a link header of 61 characters',
      link({}, { header: { type: 'text', text: chars(61) } }),
      131009,
      /Header text .*Max length: 60/,
    ],
    [
      'a sticker above a link button',
      link({}, { header: { type: 'sticker', sticker: picture } }),
      131009,
      /Header type "sticker" is not supported/,
    ],

    [
      'a location request with 1025 characters',
      locationRequest({ body: { text: chars(1025) } }),
      131009,
      /Max length: 1024/,
    ],
    ['a location request without a body', locationRequest({ body: undefined }), 131008, /body/],
    [
      'a location request with a header',
      locationRequest({ header: { type: 'text', text: 'x' } }),
      131009,
      'Header is not supported for interactive messages of type location_request_message',
    ],
    [
      'a location request with a footer',
      locationRequest({ footer: { text: 'x' } }),
      131009,
      /Footer is not supported/,
    ],
    [
      'a location request with another name',
      locationRequest({ action: { name: 'location' } }),
      100,
      /must be one of \{SEND_LOCATION\}/,
    ],
    [
      'a location request with parameters',
      locationRequest({ action: { name: 'send_location', parameters: {} } }),
      100,
      /Unexpected key "parameters"/,
    ],
    ['a location request without an action', locationRequest({ action: null }), 131008, /action/],

    [
      'a contact request with 1025 characters',
      contactRequest({ body: { text: chars(1025) } }),
      131009,
      /Max length: 1024/,
    ],
    ['a contact request without a body', contactRequest({ body: undefined }), 131008, /body/],
    [
      'a contact request with a header',
      contactRequest({ header: { type: 'text', text: 'x' } }),
      131009,
      /Header is not supported/,
    ],
    [
      'a contact request with a footer',
      contactRequest({ footer: { text: 'x' } }),
      131009,
      /Footer is not supported/,
    ],
    [
      'a contact request with another name',
      contactRequest({ action: { name: 'send_location' } }),
      100,
      /must be one of \{REQUEST_CONTACT_INFO\}/,
    ],

    ['a flow without a version', flowMessage({ flow_message_version: null }), 100, /is required/],
    [
      'a flow of another version',
      flowMessage({ flow_message_version: '2' }),
      100,
      /flow_message_version'\] must be one of \{3\} - got "2"/,
    ],
    [
      'a version that is a number',
      flowMessage({ flow_message_version: 3 }),
      100,
      /flow_message_version/,
    ],
    [
      'a flow with neither id nor name',
      flowMessage({ flow_id: undefined }),
      131008,
      'flow: one of flow_id, flow_name is required',
    ],
    [
      'a flow with id and name',
      flowMessage({ flow_name: 'booking' }),
      131009,
      'flow: only one of flow_id, flow_name is allowed',
    ],
    ['a flow id that is a number', flowMessage({ flow_id: 5 }), 100, /flow_id'\] must be a string/],
    ['an empty flow id', flowMessage({ flow_id: '' }), 100, /at least 1 characters/],
    [
      'a flow label of 21 characters',
      flowMessage({ flow_cta: chars(21) }),
      131009,
      /Flow cta length invalid.*Max length: 20/,
    ],
    ['a flow without a label', flowMessage({ flow_cta: undefined }), 131008, /Flow cta/],
    ['an unknown mode', flowMessage({ mode: 'live' }), 100, /\{DRAFT, PUBLISHED\} - got "live"/],
    [
      'an unknown flow action',
      flowMessage({ flow_action: 'open' }),
      100,
      /\{NAVIGATE, DATA_EXCHANGE\} - got "open"/,
    ],
    [
      'a payload for a flow that asks a server',
      start({ screen: 'FIRST' }, { flow_action: 'data_exchange' }),
      131009,
      /only allowed with flow_action navigate/,
    ],
    ['a payload without a screen', start({ data: { a: 1 } }), 100, /\['screen'\] is required/],
    [
      'a payload that is a text',
      start('FIRST'),
      100,
      /flow_action_payload'\] must be a JSON object/,
    ],
    ['empty data', start({ screen: 'FIRST', data: {} }), 131009, /non-empty object/],
    ['data that is a list', start({ screen: 'FIRST', data: [1] }), 100, /must be a JSON object/],
    ['an unknown field of a payload', start({ screen: 'A', step: 1 }), 100, /"step"/],
    ['an unknown field of a flow', flowMessage({ flow_json: '{}' }), 100, /"flow_json"/],
    ['a flow token that is a number', flowMessage({ flow_token: 1 }), 100, /flow_token/],
    ['a flow without a body', flowMessage({}, { body: undefined }), 131008, /body is required/],
    [
      'a flow body of 1025 characters',
      flowMessage({}, { body: { text: chars(1025) } }),
      131009,
      /Max length: 1024/,
    ],
    [
      'a flow footer of 61 characters',
      flowMessage({}, { footer: { text: chars(61) } }),
      131009,
      /Max length: 60/,
    ],

    [
      'one card',
      cards(1),
      131009,
      'Invalid cards count. Min allowed cards: 2, Max allowed cards: 10',
    ],
    ['eleven cards', cards(11), 131009, /Invalid cards count/],
    [
      'a carousel without cards',
      carouselMessage([], { action: {} }),
      131008,
      /Carousel cards are required/,
    ],
    ['a carousel without a body', carouselMessage([{}, {}], { body: null }), 131008, /body/],
    [
      'a carousel body of 1025 characters',
      carouselMessage([{}, {}], { body: { text: chars(1025) } }),
      131009,
      /Max length: 1024/,
    ],
    [
      'a carousel with a header',
      carouselMessage([{}, {}], { header: { type: 'text', text: 'x' } }),
      131009,
      /Header is not supported/,
    ],
    [
      'a carousel with a footer',
      carouselMessage([{}, {}], { footer: { text: 'x' } }),
      131009,
      /Footer is not supported/,
    ],
    ['equal indexes', both({ card_index: 0 }), 131009, /unique/],
    [
      'cards that do not start from 0',
      carouselMessage([{ card_index: 1 }, { card_index: 2 }]),
      131009,
      /from 0/,
    ],
    ['an index that is a text', both({ card_index: '0' }), 100, /must be an integer/],
    ['a card without an index', both({ card_index: undefined }), 100, /card_index'\] is required/],
    ['a card of another type', both({ type: 'quick_reply' }), 100, /must be one of \{CTA_URL\}/],
    ['a card without a header', both({ header: undefined }), 131008, /Card header is required/],
    [
      'a text as the header of a card',
      both({ header: { type: 'text', text: 'x' } }),
      131009,
      /Header type "text" is not supported/,
    ],
    [
      'a card body of 161 characters',
      both({ body: { text: chars(161) } }),
      131009,
      /Max length: 160/,
    ],
    ['a card with three line breaks', both({ body: { text: 'a\n\n\nb' } }), 131009, /line breaks/],
    ['a card with a footer', both({ footer: { text: 'x' } }), 100, /Unexpected key "footer"/],
    ['a card without an action', both({ action: undefined }), 100, /\['action'\] is required/],
    [
      'a card label of 21 characters',
      both({ action: linkAction({ display_text: chars(21) }) }),
      131009,
      /Max length: 20/,
    ],
    [
      'a card’s link that is not http',
      both({ action: linkAction({ url: 'x' }) }),
      100,
      /not a valid URI/,
    ],
    [
      'a card with four quick replies',
      both({ action: buttons(['a', 'A'], ['b', 'B'], ['c', 'C'], ['d', 'D']) }),
      131009,
      'Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3',
    ],
    ['a card with no quick replies', both({ action: buttons() }), 131009, /Invalid buttons count/],
    [
      'a quick reply id of 257 characters',
      both({ action: buttons([chars(257), 'A']) }),
      131009,
      /Max length: 256/,
    ],
    [
      'a quick reply title of 21 characters',
      both({ action: buttons(['a', chars(21)]) }),
      131009,
      /Max length: 20/,
    ],
    [
      'equal quick replies on a card',
      both({ action: buttons(['a', 'A'], ['a', 'B']) }),
      131009,
      /unique/,
    ],
    [
      'a reply button on a card',
      both({ action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] } }),
      100,
      /Unexpected key "reply"/,
    ],
    [
      'a card with a link and quick replies',
      both({ action: { ...linkAction(), ...buttons(['a', 'A']) } }),
      100,
      /Unexpected key "name"/,
    ],
    [
      'a link on one card and a quick reply on another',
      carouselMessage([{}, { action: buttons(['a', 'A']) }]),
      131009,
      'Button types and numbers must match across all cards',
    ],
    [
      'one quick reply on one card and two on another',
      carouselMessage([
        { action: buttons(['a', 'A']) },
        { action: buttons(['a', 'A'], ['b', 'B']) },
      ]),
      131009,
      /must match across all cards/,
    ],
  ])('refuses %s', async (_, sent, code, text) => {
    const { http, json } = await simulator.send(sent);
    expect([http, json.error?.code]).toEqual([400, code]);
    const told = json.error.error_data?.details ?? json.error.message;
    expect(told).toMatch(text);
  });
});
