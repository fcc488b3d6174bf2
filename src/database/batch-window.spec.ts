import { jest } from '@jest/globals';
import { BatchWindow } from './batch-window.js';

/** A window whose writes take what the test says, and a group that it gathers. */
function openWindow() {
  const window = new BatchWindow();
  const write = (size: number, tookMs: number) =>
    window.keep(size, async () => jest.advanceTimersByTime(tookMs));
  let size = 1;
  const written: number[] = [];
  const gather = () =>
    window.gather(
      () => size,
      () => written.push(size),
    );
  /** An item joins the group each millisecond. */
  const letCome = (ms: number) => {
    for (let passed = 0; passed < ms && written.length === 0; passed++) {
      size += 1;
      jest.advanceTimersByTime(1);
    }
  };
  return { window, write, gather, letCome, written };
}

describe('the batch window', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] }));
  afterEach(() => jest.useRealTimers());

  it('does not wait in a quiet moment: at the start, and after writes of a few', async () => {
    const { write, gather, written } = openWindow();
    gather();
    expect(written).toEqual([1]);
    await write(3, 5);
    gather();
    expect(written).toEqual([1, 1]);
  });

  it('gathers after a busy group for as long as the last write took, a small one too', async () => {
    const { write, gather, letCome, written } = openWindow();
    await write(4, 10);
    await write(1, 6);
    gather();
    letCome(5);
    expect(written).toEqual([]);
    letCome(1);
    expect(written).toEqual([7]);
  });

  it('stops gathering when no item has come for a third of that time', async () => {
    const { write, gather, letCome, written } = openWindow();
    await write(4, 9);
    gather();
    letCome(3);
    jest.advanceTimersByTime(2);
    expect(written).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(written).toEqual([4]);
  });

  it('gathers for 12 ms at most, however slow the store', async () => {
    const { write, gather, letCome, written } = openWindow();
    await write(100, 4_000);
    gather();
    letCome(11);
    expect(written).toEqual([]);
    letCome(1);
    expect(written).toEqual([13]);
  });

  it('is quiet again 50 ms after the last busy group', async () => {
    const { write, gather, written } = openWindow();
    await write(4, 5);
    jest.advanceTimersByTime(50);
    gather();
    expect(written).toEqual([1]);
  });

  it('counts a write that failed, and hands its error on', async () => {
    const { window, gather, letCome, written } = openWindow();
    const failing = window.keep(4, async () => {
      jest.advanceTimersByTime(3);
      throw new Error('away');
    });
    await expect(failing).rejects.toThrow('away');
    gather();
    letCome(2);
    expect(written).toEqual([]);
    letCome(1);
    expect(written).toEqual([4]);
  });
});
