import { jest } from '@jest/globals';
import { FailedSearches, failedSearchesMax } from './failed-searches.js';

describe('failed searches', () => {
  let nowMs = 0;

  beforeEach(() => {
    nowMs = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });

  afterEach(() => jest.restoreAllMocks());

  it('of an address are over at the twentieth, for a minute from the first', () => {
    const searches = new FailedSearches();
    searches.add('a', 1);
    nowMs += 30_000;
    searches.add('a', failedSearchesMax - 2);
    expect(searches.isOver('a')).toBe(false);
    searches.add('a', 1);
    expect([searches.isOver('a'), searches.isOver('b')]).toEqual([true, false]);
    nowMs += 29_999;
    expect(searches.isOver('a')).toBe(true);
    nowMs += 1;
    expect(searches.isOver('a')).toBe(false);
    searches.add('a', 1);
    expect(searches.isOver('a')).toBe(false);
  });

  it('of 50,000 addresses are remembered, those that began last', () => {
    const searches = new FailedSearches();
    for (let address = 0; address <= 50_000; address += 1) {
      searches.add(String(address), failedSearchesMax);
    }
    expect(['0', '1', '50000'].map((address) => searches.isOver(address))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
