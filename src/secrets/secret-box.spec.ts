import { SecretBox, SecretUnreadableError } from './secret-box.js';

const oldKey = Buffer.alloc(32, 1);
const newKey = Buffer.alloc(32, 2);

describe('the secret box', () => {
  it('opens what it sealed, and seals the same text differently each time', () => {
    const box = new SecretBox([oldKey]);
    const sealed = box.seal('token', 'accounts.access_token.1');
    expect(sealed).not.toContain('token');
    expect(box.seal('token', 'accounts.access_token.1')).not.toBe(sealed);
    expect(box.open(sealed, 'accounts.access_token.1')).toBe('token');
  });

  it('opens with an older key and knows that the secret is not under the current one', () => {
    const sealed = new SecretBox([oldKey]).seal('token', 'a');
    const rotated = new SecretBox([newKey, oldKey]);
    expect(rotated.open(sealed, 'a')).toBe('token');
    expect(sealed.startsWith(rotated.currentPrefix)).toBe(false);
    expect(rotated.seal('token', 'a').startsWith(rotated.currentPrefix)).toBe(true);
    expect(rotated.hasKey(sealed.split('.')[1] ?? '')).toBe(true);
  });

  it.each([
    ['in another place', (sealed: string) => sealed, 'b'],
    ['altered', (sealed: string) => `${sealed.slice(0, -3)}AAA`, 'a'],
    ['cut short', (sealed: string) => sealed.split('.').slice(0, 3).join('.'), 'a'],
    ['garbage', () => 'garbage', 'a'],
  ])('does not open a secret that is %s', (_, change, place) => {
    const box = new SecretBox([oldKey]);
    expect(() => box.open(change(box.seal('token', 'a')), place)).toThrow(SecretUnreadableError);
  });

  it('does not open without the key', () => {
    const sealed = new SecretBox([oldKey]).seal('token', 'a');
    expect(() => new SecretBox([newKey]).open(sealed, 'a')).toThrow(SecretUnreadableError);
  });
});
