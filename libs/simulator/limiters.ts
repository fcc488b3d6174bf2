import { PlatformError } from './errors.js';

/** A bucket that fills steadily up to its capacity and starts full. */
export class TokenBucket {
  private tokens: number;
  private filledAtMs: number;

  constructor(
    private readonly tokensPerSecond: number,
    private readonly capacity: number,
    nowMs: number,
  ) {
    this.tokens = capacity;
    this.filledAtMs = nowMs;
  }

  /** Takes one token, or says that there is none. */
  take(nowMs: number): boolean {
    this.tokens = Math.min(
      this.capacity,
      this.tokens + ((nowMs - this.filledAtMs) / 1000) * this.tokensPerSecond,
    );
    this.filledAtMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}

/** What a limiter is set to, and the code that it refuses with. */
export interface LimiterSettings {
  scope: 'number' | 'pair';
  tokensPerSecond: number;
  capacity: number;
}

/** The platform's limits: one bucket a business number, or one a number and recipient. */
export class Limiter {
  private readonly buckets = new Map<string, TokenBucket>();

  constructor(private readonly settings: LimiterSettings) {}

  /** The refusal of a send that comes too soon, or null. */
  refusal(phoneNumberId: string, recipient: string, nowMs: number): PlatformError | null {
    const { scope, tokensPerSecond, capacity } = this.settings;
    const key = scope === 'number' ? phoneNumberId : `${phoneNumberId} ${recipient}`;
    let bucket = this.buckets.get(key);
    if (bucket === undefined) {
      bucket = new TokenBucket(tokensPerSecond, capacity, nowMs);
      this.buckets.set(key, bucket);
      this.forgetOldest();
    }
    if (bucket.take(nowMs)) return null;
    return scope === 'number'
      ? new PlatformError(130429, {
          details: 'Cloud API message throughput has been reached for this phone number.',
        })
      : new PlatformError(131056, {
          details:
            'Too many messages sent from the sender phone number to the same recipient phone number in a short period of time.',
        });
  }

  // A forgotten bucket starts full again, which only a test with this many recipients would see.
  private forgetOldest(): void {
    if (this.buckets.size <= 50_000) return;
    for (const key of this.buckets.keys()) {
      this.buckets.delete(key);
      return;
    }
  }
}
