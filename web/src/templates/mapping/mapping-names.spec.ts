import { describe, expect, it } from '@jest/globals';
import type { TemplateParameter } from '../../api/types.ts';
import type { DraftLine } from './mapping-draft.ts';
import { whatsAppName, withWhatsAppNames } from './mapping-names.ts';

const place = (change: Partial<TemplateParameter> = {}): TemplateParameter => ({
  component: 'body',
  position: 1,
  parameter_name: null,
  button_index: null,
  kind: 'text',
  required: true,
  example: null,
  ...change,
});

const line = (name: string, change: Partial<TemplateParameter> = {}): DraftLine => ({
  parameter: place(change),
  name,
  byDefault: '',
  required: true,
  type: undefined,
});

describe('WhatsApp’s names', () => {
  it.each([
    ['customer', { parameter_name: 'customer' }],
    ['body_2', { position: 2 }],
    ['header_1', { component: 'header' }],
    ['header_image', { component: 'header', kind: 'image' }],
    ['button_1_url', { component: 'button', button_index: 0, kind: 'url_suffix' }],
    ['button_2_code', { component: 'button', button_index: 1, kind: 'coupon_code' }],
    ['button_3_payload', { component: 'button', button_index: 2, kind: 'payload' }],
  ])('are %s for %j', (name, change) => {
    expect(whatsAppName(place(change))).toBe(name);
  });

  it('fill what has no name, and leave what somebody typed', () => {
    const lines = [line('order'), line(' ', { position: 2 }), line('', { position: 3 })];
    const named = withWhatsAppNames(lines);
    expect(named.map(({ name }) => name)).toEqual(['order', 'body_2', 'body_3']);
    expect(named[0]).toBe(lines[0]);
  });

  it('are unique, also among typed ones', () => {
    const lines = [
      line('date_2', { component: 'header' }),
      line('', { component: 'header', parameter_name: 'date' }),
      line('', { parameter_name: 'date' }),
      line(' body_4 '),
      line('', { position: 4 }),
    ];
    expect(withWhatsAppNames(lines).map(({ name }) => name)).toEqual([
      'date_2',
      'date',
      'date_3',
      ' body_4 ',
      'body_4_2',
    ]);
  });

  it('are not for a location, which no variable fills', () => {
    const lines = [line('', { component: 'header', kind: 'location' })];
    expect(withWhatsAppNames(lines)).toEqual(lines);
  });
});
