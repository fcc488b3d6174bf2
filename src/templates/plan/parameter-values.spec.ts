import { parameterFor, type TextType, valueFault } from './parameter-values.js';
import type { Slot, SlotKind } from './template-plan.js';

const slot = (kind: SlotKind): Slot => ({
  component: 'body',
  position: 1,
  name: null,
  buttonIndex: null,
  kind,
  isRequired: true,
  example: null,
  fallback: null,
});

const link = 'https://x.example/a';

describe('a value of a template', () => {
  it.each<[SlotKind, TextType, string, object]>([
    ['text', 'text', 'shoes', { text: 'shoes' }],
    ['text', 'date_time', '4 May 2026', { date_time: { fallback_value: '4 May 2026' } }],
    ['payload', 'text', 'YES', { payload: 'YES' }],
    ['coupon_code', 'text', 'SUMMER25', { coupon_code: 'SUMMER25' }],
    ['image', 'text', `${link}.jpg`, { image: { link: `${link}.jpg` } }],
    ['video', 'text', `${link}.mp4`, { video: { link: `${link}.mp4` } }],
    [
      'document',
      'text',
      `${link}/Bill%207.pdf?a=b`,
      { document: { link: `${link}/Bill%207.pdf?a=b`, filename: 'Bill 7.pdf' } },
    ],
  ])('for a place of the kind %s, sent as %s, is put there: %s', (kind, type, value, content) => {
    expect(valueFault(slot(kind), type, value)).toBeNull();
    const [member] = Object.keys(content);
    expect(parameterFor(slot(kind), type, value)).toEqual({ type: member, ...content });
  });

  it.each<[SlotKind, TextType, unknown, string]>([
    ['text', 'text', 1, 'must be a string'],
    ['text', 'text', ' ', 'must not be blank'],
    ...['a\nb', 'a\tb', 'a     b'].map((text): [SlotKind, TextType, unknown, string] => [
      'url_suffix',
      'text',
      text,
      'must not contain a newline, a tab or more than four spaces in a row',
    ]),
    ['coupon_code', 'text', ' ', 'must not be blank'],
    ['coupon_code', 'text', 'x'.repeat(21), 'must be at most 20 characters; this has 21'],
    ['flow_token', 'text', ' ', 'must not be blank'],
    ...['guests', '[1]', '"a"', 'null', '{"a":"\\u0000"}', '{"a":"\\ud800"}'].map(
      (text): [SlotKind, TextType, unknown, string] => [
        'flow_action_data',
        'text',
        text,
        'must be a JSON object, written as text',
      ],
    ),
    ['text', 'currency', '$12', 'must be an amount with its currency code, such as "12.50 EUR"'],
    ['video', 'text', `${link}.jpg`, 'must be the address of a video, not of an image'],
    [
      'document',
      'text',
      'a.pdf',
      'must be the address of a document, beginning with http:// or https://, or the media_id of an upload',
    ],
  ])('for a place of the kind %s, sent as %s, is not %j', (kind, type, value, fault) => {
    expect(valueFault(slot(kind), type, value)).toBe(fault);
  });
});
