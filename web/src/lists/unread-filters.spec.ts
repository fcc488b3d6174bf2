import { describe, expect, it } from '@jest/globals';
import { unreadOf, unreadWords, unreadWordsOf } from './unread-filters.ts';
import { unreadTime } from './unread-time.ts';

describe('what no filter can read of an address', () => {
  it('is what was given and not made use of', () => {
    const given = { type: 'nonsense', key: 'k-1', code: undefined, q: '' };
    expect(unreadOf(given, { key: 'k-1' })).toEqual([['type', 'nonsense']]);
  });

  it('is each word of a list that is not known', () => {
    expect(unreadWords('status', 'failed,lost,', ['failed', 'sent'])).toEqual([['status', 'lost']]);
    expect(unreadWords('status', undefined, ['failed'])).toEqual([]);
  });

  it('is a period or an end that is no time', () => {
    expect(unreadTime({ range: '24h', from: 'x' })).toEqual([]);
    expect(unreadTime({ range: 'week', from: '2026-11-20T10:00:00Z', to: 'x' })).toEqual([
      ['range', 'week'],
      ['to', 'x'],
    ]);
  });

  it('is said in a sentence', () => {
    expect(unreadWordsOf([])).toBeNull();
    expect(unreadWordsOf([['opted_out', 'x']])).toBe(
      'Not understood in the address: opted out “x”. The list is not narrowed by it.',
    );
    expect(
      unreadWordsOf([
        ['status', 'x'],
        ['type', 'y'],
      ]),
    ).toMatch(/status “x”, type “y”\. The list is not narrowed by them\.$/);
  });
});
