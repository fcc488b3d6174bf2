import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isStoreUnavailable, refusesWrites } from '../database/store-errors.js';
import { leaseSeconds } from '../messages/rows/message-claims.statements.js';

/**
 * After an absence no row is claimed without a hint for this long, so that an API process that
 * answered 503 while the store was away can withdraw its message first.
 */
const quietAfterReturnMs = 5_000;

/**
 * What this process knows of the database's absence. A process that was cut off does not know whether other
 * workers were cut off too, so it leaves their leases alone for as long as a lease lasts.
 *
 * An absence that ended long before any API process could time out changes nothing: a single lost
 * connection must not delay everything.
 */
@Injectable()
export class DatabaseAvailability {
  private awaySince: number | null = null;
  /** The last absence, remembered for a while in case the store was not really back. */
  private last = { since: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
  private returnedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly config: Config) {}

  /**
   * Whether messages that a hint named may be claimed. An API process sends a hint only for messages that
   * it knows to be stored, and never withdraws those.
   */
  get mayClaimHinted(): boolean {
    return this.awaySince === null;
  }

  /** Whether messages that no hint named may be claimed. */
  get mayClaimDue(): boolean {
    return this.awaySince === null && performance.now() - this.returnedAt > quietAfterReturnMs;
  }

  /** Whether leases of others may be declared over now. */
  get mayEndLeases(): boolean {
    return this.awaySince === null && performance.now() - this.returnedAt > leaseSeconds * 1_000;
  }

  /**
   * Asks the store and notes whether it answers. A slow answer counts as the end of an absence: other processes
   * may have given up meanwhile.
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
   * The store has been silent since it was asked. A failure soon after a return continues the
   * absence before it: a store that fails at each write is not back until it stays up.
   */
  private noteFailure(error: unknown, askedAt: number): void {
    if (!isStoreUnavailable(error)) return;
    const now = performance.now();
    if (refusesWrites(error)) this.returnedAt = now;
    const isRelapse = now - this.last.until < this.config.storePatienceMs;
    this.awaySince ??= isRelapse ? this.last.since : askedAt;
  }
}
