import { describe, expect, it } from '@jest/globals';
import { sentText } from './search-text.ts';

describe('what is sent of a searched text', () => {
  it('is the text without the blanks around it', () => {
    expect(sentText(' (415) 555-1012 ')).toBe('(415) 555-1012');
  });

  it('is not the secret part of an API key', () => {
    expect(sentText(`pk_live_3kTM${'x'.repeat(36)}`)).toBe('pk_live_3kTM');
    expect(sentText('pk_live_3kTM…Ao5i')).toBe('pk_live_3kTM…Ao5i');
  });
});
