import { describe, expect, it } from '@jest/globals';
import { originWords } from './origin-words.ts';

describe('what a draft was made from', () => {
  it('are those who failed, with why', () => {
    expect(originWords({ 131049: 3 }, 3)).toEqual({
      what: 'A retry of',
      who: '3 recipients that failed: Marketing limit of the recipient reached (131049).',
    });
    expect(originWords({ unreachable: 1, 131049: 2 }, 3).who).toBe(
      '3 recipients that failed: Marketing limit of the recipient reached (131049): 2; WhatsApp could not be reached: 1.',
    );
  });

  it('are those who failed, and the rest', () => {
    expect(originWords({ 131049: 3 }, 37).who).toBe(
      '3 recipients that failed: Marketing limit of the recipient reached (131049), and 34 to whom it never sent.',
    );
  });

  it('is the rest, where nobody had failed', () => {
    expect(originWords({}, 1)).toEqual({
      what: 'The rest of',
      who: '1 recipient to whom it never sent.',
    });
  });
});
