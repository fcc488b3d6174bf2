import { medianOf, sumOfOutcomes } from './outcomes.js';

const outcomes = (count: number, deliveryTimes: Record<string, number>) => ({
  accepted: count,
  delivered: count,
  read: count,
  failed: count,
  concluded: count,
  replies: count,
  deliveryTimes,
});

describe('outcomes', () => {
  it('of several times add up, their delivery times too', () => {
    const parts = [outcomes(1, { 900: 1, 1200: 2 }), outcomes(2, { 1200: 3, 15000: 1 })];
    expect(sumOfOutcomes(parts)).toEqual(outcomes(3, { 900: 1, 1200: 5, 15000: 1 }));
    expect(sumOfOutcomes([])).toEqual(outcomes(0, {}));
  });
});

describe('the median time to delivered', () => {
  it.each([
    ['the only time', { 1200: 1 }, 1200],
    ['the one in the middle', { 900: 1, 15000: 1, 1200: 1 }, 1200],
    ['the lower one of two in the middle', { 900: 2, 1200: 2 }, 900],
    ['the most frequent one, if it is more than half', { 900: 2, 1200: 9, 15000: 2 }, 1200],
    ['none where nothing was delivered', {}, null],
  ])('is %s', (_, times, median) => {
    expect(medianOf(times)).toBe(median);
  });
});
