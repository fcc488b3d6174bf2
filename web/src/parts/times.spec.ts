import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { dateAndTime, inOwnZone, timeUntil, utcTime } from './times.ts';

describe('a time in the future', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-11-22T10:00:00.000Z') });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['2026-11-22T10:00:59.000Z', 'in less than a minute'],
    ['2026-11-22T10:01:00.000Z', 'in 1 minute'],
    ['2026-11-22T10:11:59.000Z', 'in 12 minutes'],
    ['2026-11-22T11:00:00.000Z', 'in 1 hour'],
    ['2026-11-22T12:59:59.000Z', 'in 3 hours'],
    ['2026-11-23T09:59:59.000Z', 'in 1 day'],
    ['2026-11-28T09:59:59.000Z', 'in 6 days'],
  ])('%s is %s', (at, words) => expect(timeUntil(at)).toBe(words));

  it('is the same for everybody in UTC', () => {
    expect(utcTime('2026-12-23T00:00:00.000Z')).toBe('23 Dec 2026, 00:00 UTC');
  });
});

it('a text of the server has its times as the reader has them', () => {
  const [first, last] = ['2026-11-28T19:19:00Z', '2026-11-29T00:05:00Z'].map(dateAndTime);
  expect(inOwnZone('From 2026-11-28 19:19 UTC, the last at 2026-11-29 00:05 UTC.')).toBe(
    `From ${first}, the last at ${last}.`,
  );
  expect(inOwnZone('It begins at midnight UTC.')).toBe('It begins at midnight UTC.');
});
