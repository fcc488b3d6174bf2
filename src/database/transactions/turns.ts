import { Injectable } from '@nestjs/common';
import { answeredBy } from '../store-errors.js';

/** The same time for which a statement may wait for a lock. After it, the caller gets an error that they can retry. */
const patienceMs = 10_000;

/**
 * Runs work of the same key one after the other in this process. Work that would wait for a lock in PostgreSQL waits here,
 * before it takes a connection. Otherwise many requests about one account, or one campaign, hold all connections of the
 * process while they wait. The lock itself keeps out other processes.
 */
@Injectable()
export class Turns {
  /** When the last of those who have asked is done, by what they wait for. */
  private readonly ends = new Map<string, Promise<void>>();

  /**
   * Does the work of one key after that of all who have asked before.
   * @param key names what is locked: `campaign <id>`.
   * @throws what the work throws; an error of `isStoreUnavailable` where the turn does not come in time.
   */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.ends.get(key);
    let end = () => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    // Those who come later wait for the work before, even if we give up.
    const all = endOf(before, mine);
    this.ends.set(key, all);
    void this.forget(key, all);
    try {
      if (before) await answeredBy(performance.now() + patienceMs, before);
      return await work();
    } finally {
      end();
    }
  }

  /** Removes a key when no work waits for it. */
  private async forget(key: string, end: Promise<void>): Promise<void> {
    await end;
    if (this.ends.get(key) === end) this.ends.delete(key);
  }
}

async function endOf(before: Promise<void> | undefined, mine: Promise<void>): Promise<void> {
  await before;
  await mine;
}
