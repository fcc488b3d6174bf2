import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Turns } from './turns.js';

describe('work that comes together', () => {
  const begun: string[] = [];
  let turns: Turns;
  const enter = (name: string, count = 1) => {
    for (let number = 0; number < count; number += 1) turns.enter(name, () => begun.push(name));
  };
  const begunOf = (name: string) => begun.filter((one) => one === name).length;

  beforeEach(() => {
    begun.length = 0;
    turns = new Turns(2);
  });

  it('begins a few at a time, and that of others beside it', async () => {
    enter('greedy', 6);
    enter('other', 2);
    expect([begunOf('greedy'), begunOf('other')]).toEqual([2, 2]);
    await nextTurn();
    expect(begunOf('greedy')).toBe(4);
    enter('other');
    expect(begunOf('other')).toBe(3);
    await nextTurn();
    expect(begunOf('greedy')).toBe(6);
  });

  it('begins in the order in which it came', async () => {
    const order: number[] = [];
    for (let number = 0; number < 30; number += 1) turns.enter('one', () => order.push(number));
    for (let turn = 0; turn < 15; turn += 1) await nextTurn();
    expect(order).toEqual(Array.from({ length: 30 }, (_, number) => number));
  });

  it('begins at once again when the rest has begun', async () => {
    enter('greedy', 3);
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    begun.length = 0;
    enter('greedy', 2);
    expect(begunOf('greedy')).toBe(2);
  });

  describe('in a crowd', () => {
    beforeEach(() => {
      jest.useFakeTimers();
      turns = new Turns(2, 4);
      enter('greedy', 60);
      jest.runOnlyPendingTimers();
    });

    afterEach(() => {
      jest.useRealTimers();
    });

    it('pauses after each turn, and no longer when few wait', () => {
      expect(begunOf('greedy')).toBe(4);
      jest.advanceTimersByTime(3);
      expect(begunOf('greedy')).toBe(4);
      jest.advanceTimersByTime(1);
      expect(begunOf('greedy')).toBe(6);
      jest.advanceTimersByTime(50);
      expect(begunOf('greedy')).toBe(60);
    });

    it('does not let others pause', () => {
      enter('other', 5);
      expect(begunOf('other')).toBe(2);
      jest.advanceTimersByTime(3);
      expect([begunOf('other'), begunOf('greedy')]).toEqual([5, 4]);
    });
  });
});
