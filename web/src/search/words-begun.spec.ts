import { describe, expect, it } from '@jest/globals';
import { hasWords } from './words-begun.ts';

const theme = 'Dark theme Colours of the dashboard, appearance, mode';

describe('the words of an action', () => {
  it.each(['da', 'dark', 'theme d', 'Dark Th', 'colours'])('are begun by %j', (asked) => {
    expect(hasWords(theme, asked)).toBe(true);
  });

  // A reference, a part of a word, a letter, nothing.
  it.each(['c-5', 'c-', 'dark-7', 'ark', 'd', '…!', ''])('are not begun by %j', (asked) => {
    expect(hasWords(theme, asked)).toBe(false);
  });
});
