import { describe, expect, it } from '@jest/globals';
import { beginOf } from './periods.ts';

const now = new Date(2026, 10, 22, 10, 42, 7);

describe('the start of a period', () => {
  it('is the midnight before', () => {
    expect(beginOf('today', now)).toBe(new Date(2026, 10, 22).toISOString());
  });

  it('is the midnight six days before for a week', () => {
    expect(beginOf('week', now)).toBe(new Date(2026, 10, 16).toISOString());
  });

  it('is empty for an unknown period', () => {
    expect(beginOf('ever', now)).toBeUndefined();
  });
});
