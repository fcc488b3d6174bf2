import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isStoreUnavailable } from '../database/store-errors.js';
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

  /** Call it with every error of the store. */
  noteFailure(error: unknown): void {
    if (isStoreUnavailable(error)) this.awaySince ??= performance.now();
  }

  /** Call it when the store has answered. */
  noteSuccess(): void {
    if (this.awaySince === null) return;
    const awayMs = performance.now() - this.awaySince;
    this.awaySince = null;
    if (awayMs > this.config.storePatienceMs / 2) this.returnedAt = performance.now();
  }
}
