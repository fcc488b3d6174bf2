import { describe, expect, it } from '@jest/globals';
import { lengthFault, numberFault } from './limit-faults.ts';

describe('what is wrong with the content of a field', () => {
  it('is a text with too many characters; an emoji is one', () => {
    expect(lengthFault('👋👋👋', { maxLength: 3 })).toBeUndefined();
    expect(lengthFault('👋👋👋', { maxLength: 2 })).toBe('At most 2 characters; this has 3.');
    expect(lengthFault('a'.repeat(1_025), { maxLength: 1_024 }, '')).toBe(
      'At most 1,024 characters; this has 1,025',
    );
  });

  it.each([
    ['', undefined],
    [1, undefined],
    ['1000', undefined],
    [0, 'A whole number from 1 to 1,000.'],
    [1_001, 'A whole number from 1 to 1,000.'],
    ['1.5', 'A whole number from 1 to 1,000.'],
    ['many', 'A whole number from 1 to 1,000.'],
  ])('is a number that is none, or outside its range: %j', (value, fault) => {
    expect(numberFault(value, { minimum: 1, maximum: 1_000 })).toBe(fault);
  });
});
