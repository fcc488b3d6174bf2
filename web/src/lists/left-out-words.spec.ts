import { describe, expect, it } from '@jest/globals';
import { sumOf } from '../parts/numbers.ts';
import { deliveredOf, deliveredWords, hopelessOf, leftOutWords } from './left-out-words.ts';

describe('the question before messages are sent again', () => {
  it('says what is left out, and what another try cannot help', () => {
    expect(leftOutWords({ left_out: { campaign: 5, resent: 1 } })).toBe(
      'Left out: 5 of campaigns, which have a retry of their own; 1 sent again before.',
    );
    expect(leftOutWords({ left_out: {} })).toBeNull();
    const hopeless = hopelessOf({ failed_by_code: { 131026: 3, 131000: 2 } });
    expect(hopeless).toEqual([
      { code: 131026, count: 3, words: expect.stringMatching(/^3 with 131026, [A-Z]/) },
    ]);
    expect(sumOf(hopeless)).toBe(3);
  });

  it('offers to repeat what was delivered, unless the filter asks for just that', () => {
    expect(deliveredOf({ succeeded: 20 }, undefined)).toBe(20);
    expect(deliveredOf({ succeeded: 20 }, 'succeeded')).toBe(0);
    expect(deliveredOf(undefined, undefined)).toBe(0);
    expect(deliveredWords(20)).toBe('Also repeat the 20 events that were delivered');
    expect(deliveredWords(1)).toBe('Also repeat the 1 event that was delivered');
  });
});
