import { minuteMs } from '#libs/durations';

/** How long a minute of an address is, in milliseconds. */

/** Addresses that are remembered; beyond them the oldest are forgotten. */
const addressesMax = 50_000;

/** What an address has done since its minute began. */
interface Minute {
  count: number;
  readonly endsAtMs: number;
}

/**
 * Counts what addresses do in a minute, which begins with the first time. In memory and for this process alone: it
 * protects the process and its database, not a secret. Addresses are blocks; see `addressBlock`.
 */
export class AddressMinutes {
  private readonly minutes = new Map<string, Minute>();

  /** How often it was in the minute of this address; 0 when none has begun. */
  countOf(address: string): number {
    return this.current(address)?.count ?? 0;
  }

  /** Adds to the count of an address. @returns what it is now, and in how many seconds the minute ends. */
  add(address: string, times = 1): { count: number; secondsLeft: number } {
    const nowMs = performance.now();
    const minute = this.current(address) ?? this.begin(address, nowMs + minuteMs);
    minute.count += times;
    const secondsLeft = Math.max(1, Math.ceil((minute.endsAtMs - nowMs) / 1_000));
    return { count: minute.count, secondsLeft };
  }

  private current(address: string): Minute | null {
    const minute = this.minutes.get(address);
    return minute && minute.endsAtMs > performance.now() ? minute : null;
  }

  private begin(address: string, endsAtMs: number): Minute {
    const minute = { count: 0, endsAtMs };
    // Deleted first, so that the map is in the order in which the minutes began.
    this.minutes.delete(address);
    this.minutes.set(address, minute);
    const [oldest] = this.minutes.keys();
    if (this.minutes.size > addressesMax && oldest !== undefined) this.minutes.delete(oldest);
    return minute;
  }
}
