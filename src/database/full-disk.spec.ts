import { jest } from '@jest/globals';
import { isDiskFull, noteComplaint } from './full-disk.js';

describe('a full disk of PostgreSQL', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is known for half a minute after the last complaint, and other complaints are none of it', () => {
    noteComplaint('23505');
    expect(isDiskFull()).toBe(false);
    noteComplaint('53100');
    jest.advanceTimersByTime(29_000);
    expect(isDiskFull()).toBe(true);
    jest.advanceTimersByTime(2_000);
    expect(isDiskFull()).toBe(false);
  });
});
