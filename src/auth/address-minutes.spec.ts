import { jest } from '@jest/globals';
import { AddressMinutes } from './address-minutes.js';

describe('the minutes of addresses', () => {
  let nowMs = 0;

  beforeEach(() => {
    nowMs = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });

  afterEach(() => jest.restoreAllMocks());

  it('begin with the first count of each, and end after a minute', () => {
    const minutes = new AddressMinutes();
    expect(minutes.add('a')).toEqual({ count: 1, secondsLeft: 60 });
    nowMs += 30_000;
    expect(minutes.add('a', 18)).toEqual({ count: 19, secondsLeft: 30 });
    expect([minutes.countOf('a'), minutes.countOf('b')]).toEqual([19, 0]);
    nowMs += 29_999;
    expect(minutes.add('a')).toEqual({ count: 20, secondsLeft: 1 });
    nowMs += 1;
    expect(minutes.countOf('a')).toBe(0);
    expect(minutes.add('a')).toEqual({ count: 1, secondsLeft: 60 });
  });

  it('of 50,000 addresses are remembered, those that began last', () => {
    const minutes = new AddressMinutes();
    for (let address = 0; address <= 50_000; address += 1) minutes.add(String(address));
    expect(['0', '1', '50000'].map((address) => minutes.countOf(address))).toEqual([0, 1, 1]);
  });
});
