import { describe, expect, it } from '@jest/globals';
import { beginOf } from './periods.ts';

const now = new Date(2026, 10, 22, 10, 42, 7);

describe('the begin of a period', () => {
  it('is the midnight before', () => {
    expect(beginOf('today', now)).toBe(new Date(2026, 10, 22).toISOString());
  });

  it('is that of six days before for a week', () => {
    expect(beginOf('week', now)).toBe(new Date(2026, 10, 16).toISOString());
  });

  it('is none for a word that is no period', () => {
    expect(beginOf('ever', now)).toBeUndefined();
  });
});
