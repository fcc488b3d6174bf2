import { describe, expect, it } from '@jest/globals';
import { oldKeyWords, overlaps, proposedOverlap, rotateWords } from './overlaps.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');

describe('the overlap of a rotation', () => {
  it('is proposed for every secret, as one of the choices', () => {
    expect(proposedOverlap).not.toBe('0');
    expect(overlaps.map(({ value }) => value)).toContain(proposedOverlap);
  });

  it('is on the button as a time', () => {
    expect(rotateWords('key', '3600', now)).toMatch(
      /^Rotate key · old one works until 2\d Nov, \d\d:\d\d$/,
    );
    expect(rotateWords('signing secret', '0', now)).toBe(
      'Rotate signing secret · old one stops now',
    );
  });

  it('is told once the key is rotated', () => {
    expect(oldKeyWords(0, now)).toMatch(/^The old key is refused since \d\d:\d\d:\d\d\.$/);
    expect(oldKeyWords(3_600, now)).toMatch(/^The old key works until 20 Nov .*\d\d:\d\d.*\.$/);
  });
});
