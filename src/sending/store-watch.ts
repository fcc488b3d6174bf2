import { Injectable } from '@nestjs/common';
import { isStoreUnavailable } from '../database/store-errors.js';
import { leaseSeconds } from '../messages/message-claims.js';

/**
 * After a reconnect nothing is claimed for this long, so that an API process that answered 503
 * while the store was away can withdraw its message first.
 */
const quietAfterReturnMs = 5_000;

/**
 * What this process knows of the database's absence. Whoever was cut off cannot tell whether other
 * workers were cut off too, so it leaves their leases alone for as long as a lease lasts.
 */
@Injectable()
export class StoreWatch {
  private isAway = false;
  private returnedAt = Number.NEGATIVE_INFINITY;

  /** Whether messages may be claimed now. */
  get mayClaim(): boolean {
    return !this.isAway && performance.now() - this.returnedAt > quietAfterReturnMs;
  }

  /** Whether leases of others may be declared over now. */
  get mayEndLeases(): boolean {
    return !this.isAway && performance.now() - this.returnedAt > leaseSeconds * 1_000;
  }

  /** Call it with every error of the store. */
  noteFailure(error: unknown): void {
    if (isStoreUnavailable(error)) this.isAway = true;
  }

  /** Call it when the store has answered. */
  noteSuccess(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.returnedAt = performance.now();
  }
}
