import { describe, expect, it } from '@jest/globals';
import { failureWords, sentence } from './failure-words.ts';

describe('what the API says is wrong, in the dashboard', () => {
  it('is a sentence', () => {
    expect(sentence('must be a phone number with its country code')).toBe(
      'Must be a phone number with its country code.',
    );
    expect(sentence('There is no such key.')).toBe('There is no such key.');
    expect(sentence('daily_limit would be 9500')).toBe('daily_limit would be 9500.');
  });

  it('begins with what is wrong, not with the name of the field', () => {
    const fault = 'must not contain NUL characters';
    expect(failureWords(`q: ${fault}`, { q: fault })).toBe('Must not contain NUL characters (q).');
    expect(failureWords('2 fields are not valid.', { q: fault, to: fault })).toBe(
      '2 fields are not valid.',
    );
    expect(failureWords('no answer', {})).toBe('No answer.');
  });
});
