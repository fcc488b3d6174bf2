import { describe, expect, it } from '@jest/globals';
import { browserWords } from './browser-words.ts';

describe('what a session was begun with', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'Unknown browser'],
    [null, 'Unknown browser'],
  ])('is read from %s: %s', (userAgent, words) => {
    expect(browserWords(userAgent)).toBe(words);
  });
});
