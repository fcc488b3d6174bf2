import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isStoreUnavailable, refusesWrites } from '../database/store-errors.js';
import { leaseSeconds } from '../messages/rows/claim-statements.js';

/**
 * After an absence no row is claimed without a hint for this long, so that an API process that
 * answered 503 while the store was away can withdraw its message first.
 */
const quietAfterReturnMs = 5_000;

/**
 * What this process knows of the database's absence. A process that was cut off does not know whether other
 * workers were cut off too, so it leaves their leases alone for as long as a lease lasts.
 *
 * An absence that ended long before an API process lost its patience changes nothing: a single lost
 * connection must not hold up everybody.
 */
@Injectable()
export class DatabaseAvailability {
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

  /** Whether messages may be claimed that no hint named. */
  get mayClaimDue(): boolean {
    return this.awaySince === null && performance.now() - this.returnedAt > quietAfterReturnMs;
  }

  /** Whether leases of others may be declared over now. */
  get mayEndLeases(): boolean {
    return this.awaySince === null && performance.now() - this.returnedAt > leaseSeconds * 1_000;
  }

  /**
   * Asks the store, and learns from its answer. One that takes long is the end of an absence: others may
   * have given up meanwhile.
   */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    try {
      const answer = await question();
      this.noteAnswer(askedAt);
      return answer;
    } catch (error) {
      this.noteFailure(error, askedAt);
      throw error;
    }
  }

  private noteAnswer(askedAt: number): void {
    const now = performance.now();
    const silentSince = Math.min(this.awaySince ?? askedAt, askedAt);
    if (now - silentSince > this.config.storePatienceMs / 2) this.returnedAt = now;
    if (this.awaySince === null) return;
    this.last = { since: this.awaySince, until: now };
    this.awaySince = null;
  }

  /**
   * The store has been silent since it was asked. A failure that comes soon after a return goes on with
   * the absence before: a store that falls over at each write is back only when it stays.
   */
  private noteFailure(error: unknown, askedAt: number): void {
    if (!isStoreUnavailable(error)) return;
    const now = performance.now();
    if (refusesWrites(error)) this.returnedAt = now;
    const isRelapse = now - this.last.until < this.config.storePatienceMs;
    this.awaySince ??= isRelapse ? this.last.since : askedAt;
  }
}
