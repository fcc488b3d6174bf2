import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isStoreUnavailable, refusesWrites } from '../database/store-errors.js';
import { leaseSeconds } from '../messages/message-claims.js';

/**
 * After an absence no row is claimed without a hint for this long, so that an API process that
 * answered 503 while the store was away can withdraw its message first.
 */
const quietAfterReturnMs = 5_000;

/**
 * What this process knows of the database's absence. Whoever was cut off cannot tell whether other
 * workers were cut off too, so it leaves their leases alone for as long as a lease lasts.
 *
 * An absence that ended long before an API process lost its patience changes nothing: a single lost
 * connection must not hold up everybody.
 */
@Injectable()
export class StoreWatch {
  private awaySince: number | null = null;
  /** The last absence, for as long as the store may be gone again because it was not really back. */
  private last = { since: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
  private returnedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly config: Config) {}

  /**
   * Whether messages may be claimed that a hint named. An API process gives a hint only for what it
   * knows to be stored, and what it knows it never withdraws.
   */
  get mayClaimHinted(): boolean {
    return this.awaySince === null;
  }

  /** Whether messages may be claimed that nobody named. */
  get mayClaimDue(): boolean {
    return this.awaySince === null && performance.now() - this.returnedAt > quietAfterReturnMs;
  }

  /** Whether leases of others may be declared over now. */
  get mayEndLeases(): boolean {
    return this.awaySince === null && performance.now() - this.returnedAt > leaseSeconds * 1_000;
  }

  /**
   * Call it with every error of the store. One that comes soon after a return goes on with the absence
   * before: a store that falls over at each write is back only when it stays.
   */
  noteFailure(error: unknown): void {
    if (!isStoreUnavailable(error)) return;
    const now = performance.now();
    if (refusesWrites(error)) this.returnedAt = now;
    const isRelapse = now - this.last.until < this.config.storePatienceMs;
    this.awaySince ??= isRelapse ? this.last.since : now;
  }

  /** Asks the store. An answer that takes long is the end of an absence: others may have given up. */
  async timed<T>(ask: () => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    const answer = await ask();
    if (performance.now() - askedAt > this.config.storePatienceMs / 2) {
      this.returnedAt = performance.now();
    }
    return answer;
  }

  /** Call it when the store has answered. */
  noteSuccess(): void {
    if (this.awaySince === null) return;
    const now = performance.now();
    this.last = { since: this.awaySince, until: now };
    this.awaySince = null;
    if (now - this.last.since > this.config.storePatienceMs / 2) this.returnedAt = now;
  }
}
