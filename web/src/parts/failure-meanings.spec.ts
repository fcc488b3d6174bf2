import { describe, expect, it } from '@jest/globals';
import { knownTextOf, meaningOf } from './failure-meanings.ts';

describe('what a failure means', () => {
  it.each(['130472', '131000', '131030', '131050', '132012', '133010', '250', 'unreachable'])(
    'is known for %s, with an advice',
    (code) => {
      expect(knownTextOf(code)).toEqual({
        meaning: expect.stringMatching(/^[A-Z]/),
        advice: expect.stringMatching(/\.$/),
      });
    },
  );

  it.each(['999999', 'withdrawn', ''])('is WhatsApp’s own text for %j', (code) => {
    expect(knownTextOf(code)).toBeUndefined();
    expect(meaningOf(code)).toBe('See the message for WhatsApp’s own text');
  });
});
