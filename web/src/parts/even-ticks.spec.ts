import { describe, expect, it } from '@jest/globals';
import { evenTicks } from './even-ticks.ts';

describe('the marks of an axis', () => {
  it.each([
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [130, [0, 50, 100, 150]],
    [570, [0, 200, 400, 600]],
    [3_400, [0, 1_000, 2_000, 3_000, 4_000]],
  ])('up to %d are even', (max, ticks) => {
    expect(evenTicks(max)).toEqual(ticks);
  });
});
