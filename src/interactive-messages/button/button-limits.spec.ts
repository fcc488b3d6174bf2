import { refusalOf } from '../../../test/support/refusals.js';
import type { Dto } from '../../http/validation/compiled-rules.js';
import { ButtonMessageDto } from './button-message.dto.js';

type Body = Record<string, any>;

const button = (): Body => ({
  to: '+14155550123',
  header: { type: 'text', text: 'H' },
  body: 'B',
  footer: 'F',
  buttons: [{ id: 'a', title: 'A' }],
  reference: 'r',
});

const violations = (dto: Dto, body: Body) => Object.keys(refusalOf(dto, body)?.fields ?? {});

const link = (length: number) => 'https://example.com/'.padEnd(length, 'x');
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, title: 'T' }));

describe('the limits of a button message', () => {
  it.each<[string, number, (body: Body, length: number) => void]>([
    ['header.text', 60, (body, length) => (body.header.text = 'x'.repeat(length))],
    ['body', 1_024, (body, length) => (body.body = 'x'.repeat(length))],
    ['footer', 60, (body, length) => (body.footer = 'x'.repeat(length))],
    ['buttons[0].id', 256, (body, length) => (body.buttons[0].id = 'x'.repeat(length))],
    ['buttons[0].title', 20, (body, length) => (body.buttons[0].title = 'x'.repeat(length))],
    ['reference', 100, (body, length) => (body.reference = 'x'.repeat(length))],
    ['buttons', 3, (body, length) => (body.buttons = items(length))],
    [
      'header.image.link',
      2_048,
      (body, length) => (body.header = { type: 'image', image: { link: link(length) } }),
    ],
    [
      'header.video.link',
      2_048,
      (body, length) => (body.header = { type: 'video', video: { link: link(length) } }),
    ],
    [
      'header.document.filename',
      240,
      (body, length) =>
        (body.header = {
          type: 'document',
          document: { link: link(30), filename: 'x'.repeat(length) },
        }),
    ],
  ])('%s takes %i and no more', (path, max, change) => {
    const [fits, exceeds] = [button(), button()];
    change(fits, max);
    change(exceeds, max + 1);
    expect(violations(ButtonMessageDto, fits)).toEqual([]);
    expect(violations(ButtonMessageDto, exceeds)).toEqual([path]);
  });
});

describe('what is required', () => {
  it.each(['to', 'body', 'buttons'])('of a button message: %s', (field) => {
    for (const value of [undefined, null]) {
      expect(violations(ButtonMessageDto, { ...button(), [field]: value })).toEqual([field]);
    }
  });

  it.each(['header', 'footer', 'reference'])('never: %s', (field) => {
    for (const value of [undefined, null]) {
      expect(violations(ButtonMessageDto, { ...button(), [field]: value })).toEqual([]);
    }
  });

  it.each([
    '',
    ' ',
    '\t\n',
    '\u00a0',
    '\u3000',
    '\u200b',
    ' \ufeff\u2060\n',
    '\u00ad',
    '\u3164\uffa0',
    '\u2800',
    '\u202e\u202c',
    '\ufe0f',
    '\u0007\u009f',
    '\u{e0041}\u{e007f}',
  ])('is not there when it is blank: %j', (blank) => {
    expect(violations(ButtonMessageDto, { ...button(), body: blank, footer: blank })).toEqual([
      'body',
      'footer',
    ]);
  });

  it.each(['\u200ba', '❤️', '👩‍👩‍👧', '\u0301', '.', '\u2800x'])('is there in %j', (text) => {
    expect(violations(ButtonMessageDto, { ...button(), body: text, footer: text })).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'ftp://example.com',
    '//example.com',
    'https://',
    'https://exa mple.com',
    'example.com/a.jpg',
    'data:image/png;base64,AAAA',
  ])('of a link is that it is one: %s', (text) => {
    const header = { type: 'image', image: { link: text } };
    expect(violations(ButtonMessageDto, { ...button(), header })).toEqual(['header.image.link']);
  });
});

describe('a refused button message', () => {
  const names = { constructor: { prototype: { admin: true } } };
  it.each<[string, Body, Record<string, string>]>([
    ['no buttons', { buttons: [] }, { buttons: 'must have at least 1 item' }],
    ['buttons that are no list', { buttons: {} }, { buttons: 'must be a list' }],
    [
      'a button that is null, and another that is wrong',
      { buttons: [null, { id: 'a', title: 'x'.repeat(21) }] },
      {
        buttons: 'must be a list of objects',
        'buttons[0]': 'must be an object',
        'buttons[1].title': 'must be at most 20 characters; this has 21',
      },
    ],
    [
      'four buttons, of which one has no title',
      { buttons: [...items(3), { id: 'a' }] },
      {
        buttons: 'must have at most 3 items; this has 4',
        'buttons[3].title': 'is required',
      },
    ],
    [
      'thousands of wrong buttons',
      { buttons: Array.from({ length: 60_000 }, () => ({})) },
      { buttons: 'must have at most 3 items; this has 60000' },
    ],
    [
      'two buttons with one id',
      { buttons: [...items(1), ...items(1)] },
      { buttons: 'must have unique ids; "0" is used more than once' },
    ],
    [
      'a header of an unknown type',
      { header: { type: 'audio' } },
      { 'header.type': 'must be one of text, image, video, document' },
    ],
    ['a text header without text', { header: { type: 'text' } }, { 'header.text': 'is required' }],
    [
      'a header with the fields of other types, which do not matter',
      { header: { type: 'text', text: 'T', image: { link: link(30) }, video: [{}] } },
      {
        'header.image': 'belongs to a header of type image only',
        'header.video': 'belongs to a header of type video only',
      },
    ],
    ['a header that is a list', { header: [{}] }, { header: 'must be an object' }],
    [
      'an address too long, by its characters',
      { header: { type: 'image', image: { link: `https://e.com/${'😀'.repeat(2_035)}` } } },
      { 'header.image.link': 'must be at most 2048 characters; this has 2049' },
    ],
    [
      'a document without link',
      { header: { type: 'document', document: { filename: 'a.pdf' } } },
      { 'header.document.link': 'is required' },
    ],
    [
      'a name that every object inherits, at any depth',
      { header: names, buttons: [names], body: names },
      {
        'header.type': 'must be one of text, image, video, document',
        'header.constructor': 'is not an allowed name',
        'buttons[0].id': 'is required',
        'buttons[0].title': 'is required',
        'buttons[0].constructor': 'is not an allowed name',
        body: 'must be a string',
        'body.constructor': 'is not an allowed name',
      },
    ],
  ])('with %s names each field', (_, change, fields) => {
    expect(refusalOf(ButtonMessageDto, { ...button(), ...change })).toEqual({
      code: 'VALIDATION_ERROR',
      fields,
    });
  });

  it.each([
    '4155550123',
    '+04155550123',
    '+1',
    '+1415555012345678',
    '+1 415 555 0123',
    '+1415555o123',
    ' +14155550123',
    '+14155550123\n',
  ])('to the text %j is INVALID_PHONE_NUMBER', (to) => {
    expect(refusalOf(ButtonMessageDto, { ...button(), to })).toEqual({
      code: 'INVALID_PHONE_NUMBER',
      fields: { to: expect.stringContaining('E.164') },
    });
  });

  it.each([undefined, null, '', '   ', 14155550123, ['+14155550123']])(
    'to %j, which is no number at all, is VALIDATION_ERROR',
    (to) => {
      expect(refusalOf(ButtonMessageDto, { ...button(), to })).toEqual({
        code: 'VALIDATION_ERROR',
        fields: { to: expect.any(String) },
      });
    },
  );
});
