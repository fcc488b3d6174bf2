import { describe, expect, it } from '@jest/globals';
import { overlaps, proposedOverlap, rotateWords } from './overlaps.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');

describe('the overlap of a rotation', () => {
  it.each([
    ['was used in the last day', '2026-11-19T10:00:01.000Z', '86400'],
    ['was last used before', '2026-11-19T10:00:00.000Z', '0'],
    ['was never used', null, '0'],
  ])('proposed for a key that %s', (_, lastUsedAt, overlap) => {
    expect(proposedOverlap(lastUsedAt, now)).toBe(overlap);
    expect(overlaps.map(({ value }) => value)).toContain(overlap);
  });

  it('is on the button as a time', () => {
    expect(rotateWords('key', '3600', now)).toMatch(
      /^Rotate key · old one works until 2\d Nov, \d\d:\d\d$/,
    );
    expect(rotateWords('signing secret', '0', now)).toBe(
      'Rotate signing secret · old one stops now',
    );
  });
});
