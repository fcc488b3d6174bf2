import { jest } from '@jest/globals';
import { Lifecycle } from './lifecycle.js';

describe('the end of a process', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** How long it lingers, in milliseconds, where it stopped so long after its last request. */
  async function lingering({ requestAgoMs = 0, closingMs = 0 }): Promise<number> {
    const lifecycle = new Lifecycle();
    lifecycle.noteRequest();
    jest.advanceTimersByTime(requestAgoMs);
    lifecycle.onModuleDestroy();
    jest.advanceTimersByTime(closingMs);
    const from = jest.now();
    const over = lifecycle.beforeApplicationShutdown();
    await jest.runAllTimersAsync();
    await over;
    return jest.now() - from;
  }

  it('lets requests in for a second where one came just before', async () => {
    expect(await lingering({ requestAgoMs: 900 })).toBe(1_000);
  });

  it('is immediate if there was no request for a while', async () => {
    expect(await lingering({ requestAgoMs: 1_100 })).toBe(0);
  });

  it('counts from the moment it was asked to stop, however long it has been closing things', async () => {
    expect(await lingering({ requestAgoMs: 900, closingMs: 5_000 })).toBe(1_000);
  });
});
