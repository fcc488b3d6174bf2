import { describe, expect, it } from '@jest/globals';
import { limitWords } from './messaging-limit.ts';

describe('the messaging limit of a number', () => {
  it.each([
    ['TIER_250', '250 people in 24 hours'],
    ['TIER_2K', '2,000 people in 24 hours'],
    ['TIER_10K', '10,000 people in 24 hours'],
    ['2000', '2,000 people in 24 hours'],
    ['TIER_UNLIMITED', 'no limit'],
    ['TIER_NEW', 'TIER_NEW'],
  ])('%s reads: %s', (limit, words) => {
    expect(limitWords(limit)).toBe(words);
  });
});
