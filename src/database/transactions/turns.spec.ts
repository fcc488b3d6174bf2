import { jest } from '@jest/globals';
import { isStoreUnavailable } from '../store-errors.js';
import { Turns } from './turns.js';

/** Work that ends when the test says so. */
function openWork() {
  let isBegun = false;
  let end = () => {};
  let fail: (error: Error) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const work = () => {
    isBegun = true;
    return ended;
  };
  return { work, end: () => end(), fail: (error: Error) => fail(error), isBegun: () => isBegun };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('begin one after another, in the order in which they were asked for', async () => {
    const turns = new Turns();
    const works = [openWork(), openWork(), openWork()];
    const done = works.map(({ work }) => turns.take('campaign 1', work));
    for (const [index, { end }] of works.entries()) {
      await settle();
      expect(works.map(({ isBegun }) => isBegun())).toEqual(works.map((_, nth) => nth <= index));
      end();
      await done[index];
    }
  });

  it('of different keys do not wait for each other', async () => {
    const turns = new Turns();
    const long = openWork();
    const waiting = turns.take('campaign 1', long.work);
    expect(await turns.take('campaign 2', async () => 'done')).toBe('done');
    long.end();
    await waiting;
  });

  it('come after work that fails, too', async () => {
    const turns = new Turns();
    const failing = openWork();
    const first = turns.take('campaign 1', failing.work);
    const second = turns.take('campaign 1', async () => 'done');
    failing.fail(new Error('a fault'));
    await expect(first).rejects.toThrow('a fault');
    expect(await second).toBe('done');
  });

  it('that do not come within ten seconds are given up, and those behind them still wait', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    try {
      const turns = new Turns();
      const long = openWork();
      const first = turns.take('campaign 1', long.work);
      const givenUp = openWork();
      const second = turns.take('campaign 1', givenUp.work).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(9_999);
      const late = openWork();
      const third = turns.take('campaign 1', late.work);
      await jest.advanceTimersByTimeAsync(1);
      expect(isStoreUnavailable(await second)).toBe(true);
      expect([givenUp.isBegun(), late.isBegun()]).toEqual([false, false]);
      long.end();
      await first;
      await settle();
      expect(late.isBegun()).toBe(true);
      late.end();
      await third;
      expect(givenUp.isBegun()).toBe(false);
    } finally {
      jest.useRealTimers();
    }
  });
});
