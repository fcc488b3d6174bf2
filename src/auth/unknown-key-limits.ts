import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';

type CounterState = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Keys found unknown that one address may try in a minute. */
export const unknownKeysMax = 60;

export const unknownKeysWindowMs = 60_000;

/** Addresses that are remembered; beyond them the oldest are forgotten. */
const addressesMax = 50_000;

interface Window {
  hits: number;
  endsAtMs: number;
  /** Settles with the look-up that was asked for last. */
  last: Promise<void>;
}

const nothing = () => {};

/**
 * Counts requests with unknown keys by address, since no key's quota covers them. In memory and for this
 * process alone: it protects the process and its database, not a secret (nobody guesses 202 bits). The
 * storage that comes with `@nestjs/throttler` sets a timer for each attempt and forgets nothing.
 */
@Injectable()
export class UnknownKeyLimits implements ThrottlerStorage {
  private readonly windows = new Map<string, Window>();

  async increment(key: string, ttl: number, limit: number): Promise<CounterState> {
    const nowMs = performance.now();
    let window = this.windows.get(key);
    if (!window || window.endsAtMs <= nowMs) {
      window = { hits: 0, endsAtMs: nowMs + ttl, last: window?.last ?? Promise.resolve() };
      this.windows.delete(key);
      this.windows.set(key, window);
      this.forgetOldest();
    }
    window.hits += 1;
    const seconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1_000));
    const isBlocked = window.hits > limit;
    return {
      totalHits: window.hits,
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    };
  }

  /**
   * Runs a look-up for an address. Those of an address that tries too many unknown keys go one after the
   * other, so that however many it sends at once take one connection to the database.
   */
  async inTurn<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
    const window = this.windows.get(address);
    if (!window || window.hits <= unknownKeysMax) return lookUp();
    const turn = window.last.then(lookUp);
    window.last = turn.then(nothing, nothing);
    return turn;
  }

  private forgetOldest(): void {
    const [oldest] = this.windows.keys();
    if (this.windows.size > addressesMax && oldest !== undefined) this.windows.delete(oldest);
  }
}
