import { parseRetryAfter, retryDelayMs } from './retry-schedule.js';

const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('the schedule of tries', () => {
  it('waits as long as the schedule says before each further try', () => {
    const waits = schedule.map((_, index) => retryDelayMs(index + 1, schedule, null, 0.5));
    expect(waits).toEqual(schedule.map((seconds) => seconds * 1_000));
  });

  it('ends with the tenth try', () => {
    expect(retryDelayMs(10, schedule, null)).toBeNull();
  });

  it.each([
    ['shortest', 0, 4_000],
    ['longest', 1, 6_000],
  ])('spreads tries by a fifth, at the %s', (_, random, expected) => {
    expect(retryDelayMs(1, schedule, null, random)).toBe(expected);
  });

  it.each([
    ['longer than the step', 8, 8_000],
    ['shorter than the step', 2, 5_000],
    ['an hour', 3_600, 3_600_000],
    ['longer than an hour', 86_400, 3_600_000],
  ])('honours a Retry-After that is %s within bounds', (_, seconds, expected) => {
    expect(retryDelayMs(1, schedule, seconds, 0.5)).toBe(expected);
  });

  it('honours a Retry-After up to twice a step that is longer than an hour', () => {
    expect(retryDelayMs(4, schedule, 10_000, 0.5)).toBe(10_000_000);
    expect(retryDelayMs(4, schedule, 86_400, 0.5)).toBe(14_400_000);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('Sat, 21 Nov 2026 09:00:00 GMT');

  it.each([
    ['120', 120],
    [' 7 ', 7],
    ['Sat, 21 Nov 2026 09:01:00 GMT', 60],
    ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
    ['soon', null],
    ['-1', null],
    ['', null],
    [undefined, null],
  ])('%j means %j seconds', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
