import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { FairShares } from './fair-shares.js';

const bounds = {
  own: 2,
  free: 3,
  waitMs: 5_000,
  waitingMax: 4,
  reason: 'too_many_files',
  message: 'Too many files.',
};

/** A request whose answer ends when `end` is called. */
class Call {
  readonly raw = Object.assign(new EventEmitter(), { destroyed: false });
  state = 'waiting';
  readonly settled: Promise<void>;

  constructor(shares: FairShares, sharer: string) {
    this.settled = shares.take(sharer, this as never).then(
      () => void (this.state = 'running'),
      ({ details }) => void (this.state = details.reason),
    );
  }

  async end(): Promise<void> {
    this.raw.emit('close');
    await Promise.resolve();
  }
}

describe('places that are shared', () => {
  let shares: FairShares;
  const call = (sharer: string) => new Call(shares, sharer);
  const calls = (sharer: string, count: number) =>
    Array.from({ length: count }, () => call(sharer));
  const states = async (list: readonly Call[]) => {
    await jest.advanceTimersByTimeAsync(0);
    return list.map(({ state }) => state);
  };

  beforeEach(() => {
    jest.useFakeTimers();
    shares = new FairShares(bounds);
  });
  afterEach(() => jest.useRealTimers());

  it('are all for one who is alone, and the others have their own all the same', async () => {
    const greedy = calls('a', 6);
    expect(await states(greedy)).toEqual([...Array(5).fill('running'), 'waiting']);
    expect(await states([...calls('b', 2), ...calls('c', 2)])).toEqual(Array(4).fill('running'));
    expect(await states(calls('b', 1))).toEqual(['waiting']);
  });

  it('go to who holds the fewest when one is free again', async () => {
    const greedy = calls('a', 6);
    const others = calls('b', 3);
    await states([...greedy, ...others]);
    await greedy[0]?.end();
    expect(await states([greedy[5] as Call, others[2] as Call])).toEqual(['waiting', 'running']);
  });

  it('are refused after a while, and at once where many wait', async () => {
    const greedy = calls('a', 10);
    expect(await states(greedy.slice(5))).toEqual([...Array(4).fill('waiting'), 'too_many_files']);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await states(greedy.slice(5))).toEqual(Array(5).fill('too_many_files'));
    await greedy[0]?.end();
    expect(await states(calls('a', 1))).toEqual(['running']);
  });

  it('are not kept for a caller who is gone', async () => {
    const greedy = calls('a', 6);
    const [gone] = greedy.slice(5);
    await gone?.end();
    expect(await states([gone as Call])).toEqual(['too_many_files']);
    for (const one of greedy) await one.end();
    expect(await states(calls('a', 5))).toEqual(Array(5).fill('running'));
  });
});
