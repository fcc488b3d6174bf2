import {
  createApiKey,
  digestOfApiKey,
  displayOfApiKey,
  isWellFormedApiKey,
  modeOfApiKey,
} from './api-key-token.js';

const known = 'pk_live_3kTMd0pQ9sVbX2hLrJ8cWyNfE6gZ1uAo5i3a7QdG';

describe('the form of an API key', () => {
  it('takes a known key', () => {
    expect(isWellFormedApiKey('pk_live_3kTMd0pQ9sVbX2hLrJ8cWyNfE6gZ1uAo5i3a7QdG')).toBe(true);
  });

  it.each(['live', 'test'] as const)('takes every new %s key, 48 characters long', (mode) => {
    for (let count = 0; count < 200; count += 1) {
      const key = createApiKey(mode);
      expect(key).toHaveLength(48);
      expect(isWellFormedApiKey(key)).toBe(true);
      expect(modeOfApiKey(key)).toBe(mode);
    }
  });

  it.each([
    ['one character changed', known.replace('3kTM', '3kTN')],
    ['two characters swapped', known.replace('3kTM', 'k3TM')],
    ['another prefix', known.replace('live', 'test')],
    ['an unknown prefix', known.replace('live', 'demo')],
    ['one character less', known.slice(0, -1)],
    ['one character more', `${known}0`],
    ['a character outside the alphabet', known.replace('3kTM', '3k-M')],
    ['a line break behind it', `${known}\n`],
    ['nothing', ''],
  ])('refuses a key with %s', (_, key) => {
    expect(isWellFormedApiKey(key)).toBe(false);
  });

  it('shows a stored key by its prefix and eight characters, none of them of the checksum', () => {
    expect(displayOfApiKey(known)).toBe('pk_live_3kTM…Ao5i');
  });

  it('digests differently under another pepper', () => {
    const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    expect(digestOfApiKey(known, one).equals(digestOfApiKey(known, one))).toBe(true);
    expect(digestOfApiKey(known, one).equals(digestOfApiKey(known, other))).toBe(false);
  });
});
