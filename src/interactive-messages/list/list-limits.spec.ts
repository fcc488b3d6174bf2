import { refusalOf } from '../../../test/support/refusals.js';
import type { Dto } from '../../http/validation/compiled-rules.js';
import { ListMessageDto } from './list-message.dto.js';

type Body = Record<string, any>;

const list = (): Body => ({
  to: '+14155550123',
  header: 'H',
  body: 'B',
  footer: 'F',
  button: 'Choose',
  sections: [{ title: 'S', rows: [{ id: 'a', title: 'A', description: 'D' }] }],
  reference: 'r',
});

const violations = (dto: Dto, body: Body) => Object.keys(refusalOf(dto, body)?.fields ?? {});

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, title: 'T' }));

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
  it.each(['to', 'body', 'button', 'sections'])('of a list message: %s', (field) => {
    for (const value of [undefined, null]) {
      expect(violations(ListMessageDto, { ...list(), [field]: value })).toEqual([field]);
    }
  });

  it.each(['header', 'footer', 'reference'])('never: %s', (field) => {
    for (const value of [undefined, null]) {
      expect(violations(ListMessageDto, { ...list(), [field]: value })).toEqual([]);
    }
  });
});

describe('a refused list message', () => {
  it.each<[string, Body, Record<string, string>]>([
    [
      'one row id in two sections',
      { sections: [{ rows: items(1) }, { rows: items(1) }] },
      { sections: 'must have unique ids; "0" is used more than once' },
    ],
    [
      'repeated ids together with wrong titles',
      {
        sections: [
          { title: 'x'.repeat(25), rows: [...items(1), { id: '0', title: '', foo: 1 }] },
          { rows: [] },
        ],
      },
      {
        sections: 'must have unique ids; "0" is used more than once',
        'sections[0].title': 'must be at most 24 characters; this has 25',
        'sections[0].rows[1].title': 'must not be blank',
        'sections[0].rows[1].foo': 'is not a known field',
        'sections[1].rows': 'must have at least 1 item',
      },
    ],
    ['a header that is no text', { header: { type: 'text' } }, { header: 'must be a string' }],
  ])('with %s names each field', (_, change, fields) => {
    expect(refusalOf(ListMessageDto, { ...list(), ...change })?.fields).toEqual(fields);
  });
});
