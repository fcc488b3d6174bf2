import { describe, expect, it } from '@jest/globals';
import { withoutSecret } from './key-text.ts';

const key = `pk_live_3kTM${'x'.repeat(36)}`;

describe('a text without the secret part of an API key', () => {
  it.each([
    [key, 'pk_live_3kTM'],
    [` ${key}\n`, ' pk_live_3kTM\n'],
    [`Bearer ${key}, ${key.replace('live', 'test')}`, 'Bearer pk_live_3kTM, pk_test_3kTM'],
    // Cut off while it was copied.
    [key.slice(0, 30), 'pk_live_3kTM'],
  ])('loses it from %j', (text, sent) => {
    expect(withoutSecret(text)).toBe(sent);
  });

  it.each(['(415) 555-1012', 'pk_live_3kTM', 'pk_live_3kTM…Ao5i', 'pk_live_'])(
    'stays as it is: %s',
    (text) => {
      expect(withoutSecret(text)).toBe(text);
    },
  );
});
