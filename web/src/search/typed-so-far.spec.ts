import { describe, expect, it } from '@jest/globals';
import { typedSoFar } from './typed-so-far.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false };

describe('a key that comes before the search has its field', () => {
  it.each([
    ['a letter', { key: 'i' }, 'Mari'],
    ['a sign that takes a modifier', { key: '@', ctrlKey: true, altKey: true }, 'Mar@'],
    ['Backspace', { key: 'Backspace' }, 'Ma'],
    ['Enter', { key: 'Enter' }, null],
    ['a shortcut', { key: 'k', ctrlKey: true }, null],
    ['a part of a sign', { key: 'a', isComposing: true }, null],
  ])('is kept as a field would: %s', (_, key, text) => {
    expect(typedSoFar('Mar', { ...none, ...key })).toBe(text);
  });
});
