import { AppError } from '../errors/app-error.js';
import { validate } from '../http/body.pipe.js';
import { compiledRules, type Dto } from '../http/compiled-rules.js';
import { ButtonMessageDto } from './button-message.dto.js';
import { ListMessageDto } from './list-message.dto.js';

type Body = Record<string, any>;

const button = (): Body => ({
  to: '+14155550123',
  header: { type: 'text', text: 'H' },
  body: 'B',
  footer: 'F',
  buttons: [{ id: 'a', title: 'A' }],
  reference: 'r',
});

const list = (): Body => ({
  to: '+14155550123',
  header: 'H',
  body: 'B',
  footer: 'F',
  button: 'Choose',
  sections: [{ title: 'S', rows: [{ id: 'a', title: 'A', description: 'D' }] }],
  reference: 'r',
});

/** The violated fields, none when the body is fine; both judges of bodies must agree. */
function violations(dto: Dto, body: Body): string[] {
  let fields: string[] = [];
  try {
    validate(dto, body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    fields = Object.keys(error.details?.fields as object);
  }
  expect(compiledRules(dto)?.(body)).toBe(fields.length === 0);
  return fields;
}

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

describe('the limits of a list message', () => {
  it.each<[string, number, (body: Body, length: number) => void]>([
    ['header', 60, (body, length) => (body.header = 'x'.repeat(length))],
    ['body', 1_024, (body, length) => (body.body = 'x'.repeat(length))],
    ['footer', 60, (body, length) => (body.footer = 'x'.repeat(length))],
    ['button', 20, (body, length) => (body.button = 'x'.repeat(length))],
    ['reference', 100, (body, length) => (body.reference = 'x'.repeat(length))],
    ['sections[0].title', 24, (body, length) => (body.sections[0].title = 'x'.repeat(length))],
    [
      'sections[0].rows[0].id',
      200,
      (body, length) => (body.sections[0].rows[0].id = 'x'.repeat(length)),
    ],
    [
      'sections[0].rows[0].title',
      24,
      (body, length) => (body.sections[0].rows[0].title = 'x'.repeat(length)),
    ],
    [
      'sections[0].rows[0].description',
      72,
      (body, length) => (body.sections[0].rows[0].description = 'x'.repeat(length)),
    ],
    ['sections[0].rows', 10, (body, length) => (body.sections[0].rows = items(length))],
    [
      'sections',
      10,
      (body, length) => (body.sections = items(length).map((row) => ({ title: 'S', rows: [row] }))),
    ],
  ])('%s takes %i and no more', (path, max, change) => {
    const [fits, exceeds] = [list(), list()];
    change(fits, max);
    change(exceeds, max + 1);
    expect(violations(ListMessageDto, fits)).toEqual([]);
    expect(violations(ListMessageDto, exceeds)).toEqual([path]);
  });

  it.each(['😀', '👍🏽'.slice(0, 2), 'é', '語'])(
    'count characters as people do: 20 times %s',
    (character) => {
      expect(violations(ListMessageDto, { ...list(), button: character.repeat(20) })).toEqual([]);
      expect(violations(ListMessageDto, { ...list(), button: character.repeat(21) })).toEqual([
        'button',
      ]);
    },
  );
});

describe('what is required', () => {
  it.each(['to', 'body', 'buttons'])('of a button message: %s', (field) => {
    for (const value of [undefined, null]) {
      expect(violations(ButtonMessageDto, { ...button(), [field]: value })).toEqual([field]);
    }
  });

  it.each(['to', 'body', 'button', 'sections'])('of a list message: %s', (field) => {
    for (const value of [undefined, null]) {
      expect(violations(ListMessageDto, { ...list(), [field]: value })).toEqual([field]);
    }
  });

  it.each(['header', 'footer', 'reference'])('never: %s', (field) => {
    for (const value of [undefined, null]) {
      expect(violations(ButtonMessageDto, { ...button(), [field]: value })).toEqual([]);
      expect(violations(ListMessageDto, { ...list(), [field]: value })).toEqual([]);
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
