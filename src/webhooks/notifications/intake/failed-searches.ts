import { Injectable } from '@nestjs/common';

/** How often a minute a body of one address may be tried with every secret in vain. */
export const failedSearchesMax = 20;

const windowMs = 60_000;

/** Addresses that are remembered; beyond them the oldest are forgotten. */
const addressesMax = 50_000;

/**
 * Counts by address, in this process, the bodies that no secret had signed. A minute begins with the first of them.
 */
@Injectable()
export class FailedSearches {
  private readonly minutes = new Map<string, { failures: number; readonly endsAtMs: number }>();

  /** Whether an address has used up its minute. */
  isOver(address: string): boolean {
    return (this.current(address)?.failures ?? 0) >= failedSearchesMax;
  }

  add(address: string, failures: number): void {
    const minute = this.current(address);
    if (minute) {
      minute.failures += failures;
      return;
    }
    this.minutes.delete(address);
    this.minutes.set(address, { failures, endsAtMs: performance.now() + windowMs });
    const [oldest] = this.minutes.keys();
    if (this.minutes.size > addressesMax && oldest !== undefined) this.minutes.delete(oldest);
  }

  private current(address: string) {
    const minute = this.minutes.get(address);
    return minute && minute.endsAtMs > performance.now() ? minute : undefined;
  }
}
