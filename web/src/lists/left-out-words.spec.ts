import { describe, expect, it } from '@jest/globals';
import { sumOf } from '../parts/numbers.ts';
import {
  deliveredOf,
  deliveredWords,
  hopelessOf,
  leftOutWords,
  nothingReasons,
} from './left-out-words.ts';

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

  it('says that another try cannot help where the window was closed', () => {
    expect(hopelessOf({ failed_by_code: { 131047: 2, 130472: 1, 131000: 1 } })).toMatchObject([
      { code: 130472, count: 1 },
      { code: 131047, count: 2, words: '2 with 131047, Customer service window closed' },
    ]);
  });

  it('offers to repeat what was delivered, unless the filter asks for just that', () => {
    expect(deliveredOf({ succeeded: 20 }, undefined)).toBe(20);
    expect(deliveredOf({ succeeded: 20 }, 'succeeded')).toBe(0);
    expect(deliveredOf(undefined, undefined)).toBe(0);
    expect(deliveredWords(20)).toBe('Also repeat the 20 events that were delivered');
    expect(deliveredWords(1)).toBe('Also repeat the 1 event that was delivered');
  });

  it('says why nothing is left', () => {
    const hopeless = [{ count: 3 }, { count: 1 }];
    expect(nothingReasons({ left_out: { campaign: 13 } }, hopeless, 0)).toBe(
      '13 belong to campaigns, which have a retry of their own; 4 cannot be helped by another try',
    );
    expect(nothingReasons({ left_out: { campaign: 1, resent: 1, fallback: 2 } }, [], 0)).toBe(
      '1 belongs to a campaign, which has a retry of its own; 1 was sent again before; 2 were replaced by their fallback',
    );
    expect(nothingReasons({ left_out: {} }, [], 20)).toBe('20 were delivered');
    expect(nothingReasons({ left_out: {} }, [], 0)).toBe('nothing matches the filters any more');
  });
});
