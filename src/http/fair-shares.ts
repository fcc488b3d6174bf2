import { type AppError, unavailable } from '../errors/app-error.js';
import type { Reply } from './request.js';

/** How the places of a process are shared. */
export interface ShareBounds {
  /** Places that each sharer has, whatever the others do. */
  readonly own: number;
  /** Places beyond those, for the requests that come first. */
  readonly free: number;
  /** How long a request waits for a place. */
  readonly waitMs: number;
  /** Requests of one sharer that wait; more are refused at once. */
  readonly waitingMax: number;
  /** What is answered to a request that got no place: `details.reason`, and a sentence. */
  readonly reason: string;
  readonly message: string;
}

interface Waiter {
  readonly sharer: string;
  readonly begin: () => void;
}

/**
 * Places for requests that hold something of the process for long: a stream, a connection of the database. Each sharer
 * (an account, a user) has places of its own, so nobody can take them all; see docs/adr/0019-fair-shares.md.
 */
export class FairShares {
  private readonly held = new Map<string, number>();
  /** Free places that are taken. */
  private taken = 0;
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly bounds: ShareBounds) {}

  /**
   * Takes a place until the answer has ended or the caller is gone; waits for one if need be.
   * @throws AppError SERVICE_UNAVAILABLE when there was none in time.
   */
  async take(sharer: string, { raw }: Pick<Reply, 'raw'>): Promise<void> {
    if (raw.destroyed) throw this.refusal();
    if (!this.mayBegin(sharer)) await this.wait(sharer, raw);
    else this.begin(sharer);
    raw.once('close', () => this.end(sharer));
  }

  private wait(sharer: string, raw: Reply['raw']): Promise<void> {
    const { waitMs, waitingMax } = this.bounds;
    const waiting = [...this.waiters].filter((waiter) => waiter.sharer === sharer);
    if (waiting.length >= waitingMax) throw this.refusal();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        raw.off('close', giveUp);
        this.waiters.delete(waiter);
      };
      const giveUp = () => {
        leave();
        reject(this.refusal());
      };
      const begin = () => {
        leave();
        this.begin(sharer);
        resolve();
      };
      const waiter: Waiter = { sharer, begin };
      const timer = setTimeout(giveUp, waitMs);
      raw.once('close', giveUp);
      this.waiters.add(waiter);
    });
  }

  private heldBy(sharer: string): number {
    return this.held.get(sharer) ?? 0;
  }

  private mayBegin(sharer: string): boolean {
    return this.heldBy(sharer) < this.bounds.own || this.taken < this.bounds.free;
  }

  private begin(sharer: string): void {
    const held = this.heldBy(sharer);
    if (held >= this.bounds.own) this.taken += 1;
    this.held.set(sharer, held + 1);
  }

  private end(sharer: string): void {
    const held = this.heldBy(sharer) - 1;
    if (held >= this.bounds.own) this.taken -= 1;
    if (held > 0) this.held.set(sharer, held);
    else this.held.delete(sharer);
    this.admit();
  }

  /** Lets in who waits: first those who hold the fewest places, of those the one that came first. */
  private admit(): void {
    for (;;) {
      const [next] = [...this.waiters]
        .filter(({ sharer }) => this.mayBegin(sharer))
        .toSorted((one, other) => this.heldBy(one.sharer) - this.heldBy(other.sharer));
      if (!next) return;
      next.begin();
    }
  }

  private refusal(): AppError {
    return unavailable(this.bounds.reason, this.bounds.message, { retryAfterSeconds: 5 });
  }
}
