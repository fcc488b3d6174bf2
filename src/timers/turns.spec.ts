import { jest } from '@jest/globals';
import { Turns } from './turns.js';

describe('the turns of work that came together', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const crowd = (turns: Turns, size: number, name = 'a') => {
    const begun: number[] = [];
    for (let number = 0; number < size; number += 1) turns.enter(name, () => begun.push(number));
    return begun;
  };

  it('begin in their order, so many of a name in each turn of the event loop', () => {
    const begun = crowd(new Turns(2), 5);
    expect(begun).toEqual([0, 1]);
    jest.advanceTimersToNextTimer();
    expect(begun).toEqual([0, 1, 2, 3]);
    jest.advanceTimersToNextTimer();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('pause between the turns of a crowd, and no longer when few wait', () => {
    const begun = crowd(new Turns(2, 4), 60);
    jest.runOnlyPendingTimers();
    expect(begun).toHaveLength(4);
    jest.advanceTimersByTime(3);
    expect(begun).toHaveLength(4);
    jest.advanceTimersByTime(1);
    expect(begun).toHaveLength(6);
    jest.advanceTimersByTime(50);
    expect(begun).toHaveLength(60);
  });

  it('let others begin at once while a crowd waits', () => {
    const turns = new Turns(2, 4);
    crowd(turns, 60);
    jest.runOnlyPendingTimers();
    expect(crowd(turns, 2, 'b')).toEqual([0, 1]);
  });
});
