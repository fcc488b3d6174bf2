import { describe, expect, it } from '@jest/globals';
import { subjectName } from './subject-name.ts';

const named = (subject_type: string, subject_name: string | null, details = {}) =>
  subjectName({ subject_type, subject_id: 'id', subject_name, details });

describe('what an entry of the audit log is about', () => {
  it.each([
    ['message', 'button', 'Buttons message'],
    ['message', 'template_send', 'Template message'],
    ['message', null, 'Message'],
    ['job', 'redeliver', 'Redeliver all'],
    ['job', 'of a later version', 'of a later version'],
    ['alert', 'number_paused', 'Number paused'],
    ['api_key', 'My shop_key', 'My shop_key'],
    ['campaign', null, 'Campaign'],
  ])('is in words: %s %s', (type, name, words) => {
    expect(named(type, name)).toBe(words);
  });

  it('is the template and the key of a mapping', () => {
    expect(named('template_mapping', 'Shop', { template: 'order_update' })).toBe(
      'order_update, Shop',
    );
  });

  it('is nothing without a subject', () => {
    const entry = { subject_type: 'contact', subject_id: null, subject_name: null, details: {} };
    expect(subjectName(entry)).toBeNull();
  });
});
