import { refusalOf } from '../../test/support/refusals.js';
import { directTypes } from '../direct-messages/direct-messages.module.js';
import { interactiveTypes } from './interactive-messages.module.js';

const to = '+14155550123';
const link = 'https://example.com/a.jpg';
const text = (length: number) => '🙂'.repeat(length);
const url = (length: number) => 'https://example.com/'.padEnd(length, 'x');
const image = { type: 'image', image: { link } };
const urlButton = { text: 'See it', url: link };
const card = { header: image, button: urlButton };
const flow = { id: '42', cta: 'Book' };
const times = (count: number, item: object) => Array.from({ length: count }, () => item);

const dtoOf = (type: string) => {
  const found = [...interactiveTypes, ...directTypes].find((each) => each.type === type);
  if (!found) throw new Error(`there is no type ${type}`);
  return found.dto;
};

const fieldsOf = (type: string, message: object) =>
  refusalOf(dtoOf(type), { to, ...message })?.fields ?? {};

describe('the limits of a message', () => {
  it.each<[type: string, field: string, max: number, withLength: (length: number) => object]>([
    ['cta_url', 'body', 1_024, (length) => ({ body: text(length), button: urlButton })],
    ['cta_url', 'footer', 60, (length) => ({ body: 'B', footer: text(length), button: urlButton })],
    [
      'cta_url',
      'header.text',
      60,
      (length) => ({ header: { type: 'text', text: text(length) }, body: 'B', button: urlButton }),
    ],
    [
      'cta_url',
      'button.text',
      20,
      (length) => ({ body: 'B', button: { ...urlButton, text: text(length) } }),
    ],
    [
      'cta_url',
      'button.url',
      2_000,
      (length) => ({ body: 'B', button: { ...urlButton, url: url(length) } }),
    ],
    ['location_request', 'body', 1_024, (length) => ({ body: text(length) })],
    ['contact_request', 'body', 1_024, (length) => ({ body: text(length) })],
    ['flow', 'body', 1_024, (length) => ({ body: text(length), flow })],
    ['flow', 'footer', 60, (length) => ({ body: 'B', footer: text(length), flow })],
    ['flow', 'flow.cta', 20, (length) => ({ body: 'B', flow: { ...flow, cta: text(length) } })],
    ['carousel', 'body', 1_024, (length) => ({ body: text(length), cards: times(2, card) })],
    ['carousel', 'cards', 10, (length) => ({ body: 'B', cards: times(length, card) })],
    [
      'carousel',
      'cards[1].body',
      160,
      (length) => ({ body: 'B', cards: [card, { ...card, body: text(length) }] }),
    ],
    [
      'carousel',
      'cards[0].button.text',
      20,
      (length) => ({
        body: 'B',
        cards: [{ ...card, button: { ...urlButton, text: text(length) } }, card],
      }),
    ],
    [
      'carousel',
      'cards[0].buttons[0].id',
      256,
      (length) => ({
        body: 'B',
        cards: ['x'.repeat(length), 'b'].map((id) => ({
          header: image,
          buttons: [{ id, title: 'T' }],
        })),
      }),
    ],
    [
      'carousel',
      'cards[0].buttons[0].title',
      20,
      (length) => ({
        body: 'B',
        cards: [text(length), 'T'].map((title) => ({
          header: image,
          buttons: [{ id: 'a', title }],
        })),
      }),
    ],
    ['location', 'name', 1_000, (length) => ({ latitude: 1, longitude: 2, name: text(length) })],
    ['location', 'latitude', 90, (degrees) => ({ latitude: degrees, longitude: 0 })],
    ['location', 'longitude', 180, (degrees) => ({ latitude: 0, longitude: degrees })],
    [
      'contacts',
      'contacts',
      257,
      (length) => ({ contacts: times(length, { name: { formatted_name: 'Mia' } }) }),
    ],
    [
      'reaction',
      'reference',
      100,
      (length) => ({ message_id: 'wamid.a', emoji: '👍', reference: text(length) }),
    ],
  ])('of %s allow %s up to %i and no more', (type, field, max, withLength) => {
    expect(fieldsOf(type, withLength(max))).toEqual({});
    expect(Object.keys(fieldsOf(type, withLength(max + 1)))).toEqual([field]);
  });

  it.each<[string, string, object, Record<string, string>]>([
    ['cta_url', 'no button', { body: 'B' }, { button: 'is required' }],
    [
      'cta_url',
      'an address of another kind',
      { body: 'B', button: { text: 'T', url: 'tel:+1' } },
      { 'button.url': 'must be a link that begins with http:// or https://' },
    ],
    [
      'flow',
      'neither id nor name',
      { body: 'B', flow: { cta: 'C' } },
      { 'flow.id': 'is required' },
    ],
    [
      'flow',
      'id and name',
      { body: 'B', flow: { ...flow, name: 'visits' } },
      { 'flow.name': 'must not be given together with id' },
    ],
    [
      'flow',
      'a screen of an exchange of data',
      { body: 'B', flow: { ...flow, action: 'data_exchange', screen: 'FIRST' } },
      { 'flow.screen': 'is not allowed with the action data_exchange' },
    ],
    [
      'flow',
      'data without a screen',
      { body: 'B', flow: { ...flow, data: { a: 1 } } },
      { 'flow.data': 'needs a screen' },
    ],
    [
      'flow',
      'empty data',
      { body: 'B', flow: { ...flow, screen: 'FIRST', data: {} } },
      { 'flow.data': 'must not be empty; leave it out' },
    ],
    ['carousel', 'one card', { body: 'B', cards: [card] }, { cards: 'must have at least 2 items' }],
    [
      'carousel',
      'cards with different buttons',
      { body: 'B', cards: [card, { header: image, buttons: [{ id: 'a', title: 'A' }] }] },
      { cards: 'must have the same kind and number of buttons on each card' },
    ],
    [
      'carousel',
      'a card without buttons, and one with both kinds',
      {
        body: 'B',
        cards: [{ header: image }, { ...card, buttons: [{ id: 'a', title: 'A' }] }],
      },
      {
        'cards[0].button': 'is required',
        'cards[1].buttons': 'must not be given together with button',
      },
    ],
    [
      'carousel',
      'a header that is a text',
      { body: 'B', cards: [{ ...card, header: { type: 'text' } }, card] },
      { 'cards[0].header.type': 'must be one of image, video' },
    ],
    [
      'location',
      'texts for numbers',
      { latitude: '1', longitude: null },
      { latitude: 'must be a number from -90 to 90', longitude: 'is required' },
    ],
    [
      'contacts',
      'a card without name',
      { contacts: [{ birthday: '1 May' }] },
      {
        'contacts[0].name': 'is required',
        'contacts[0].birthday': 'must be a day such as 1999-01-23',
      },
    ],
    ['reaction', 'neither emoji nor remove', { message_id: 'wamid.a' }, { emoji: 'is required' }],
    [
      'reaction',
      'both',
      { message_id: 'wamid.a', emoji: '👍', remove: true },
      { remove: 'must not be given together with emoji' },
    ],
    [
      'reaction',
      'no message',
      { emoji: '👍' },
      { message_id: 'must be the id of a message: a UUID, or wamid. and what follows it' },
    ],
  ])('of %s refuse %s', (type, _, message, fields) => {
    expect(fieldsOf(type, message)).toEqual(fields);
  });

  it.each(['👍', '❤️', '❤', '👩‍👩‍👧', '👍🏽', '🇬🇧', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])('take %s as a reaction', (emoji) => {
    expect(fieldsOf('reaction', { message_id: 'wamid.a', emoji })).toEqual({});
  });

  it.each(['', ' ', 'a', '1', '👍👍', '👍 ', 'ok👍', 1, '🇬', '👍'.repeat(40)])(
    'take no %j as a reaction',
    (emoji) => {
      expect(fieldsOf('reaction', { message_id: 'wamid.a', emoji })).toEqual({
        emoji: 'must be one emoji',
      });
    },
  );
});
