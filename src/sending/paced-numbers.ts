import type { RefusedMessage } from '../messages/rows/message-claims.js';
import type { Offer } from './offer.js';

/** Messages kept for one number, or two seconds' worth; beyond them the rows are found when their turn comes. */
const keptMax = 1_000;

/** The shortest waits for another try: where a caller waits, and where nobody does. */
const waitingMinMs = 20;
const backgroundMinMs = 100;

/** The longest: the number's pace may change meanwhile. */
const waitMaxMs = 1_000;

/** A worker that has just sent for a number leaves the next token to others that wait for the same one. */
const yieldMs = 5;

/** In this time a number gets the tokens of a full bucket. */
const burstMs = 250;

interface KeptOffer extends Offer {
  readonly lane: number;
}

/** What the worker knows of one number. */
interface Kept {
  /** In the order of their turns. */
  offers: KeptOffer[];
  /** How many messages it may send at once: a quarter of a second's worth. */
  burst: number;
  /** Whether this worker has sent something for the number since it was last refused. */
  hasSent: boolean;
  timer: NodeJS.Timeout | null;
  wakesAt: number;
}

/**
 * Messages that wait until their number may send again. They take no place among the messages in flight and hold no
 * other number up: when their turn comes, as many are offered as the number may have tokens for.
 */
export class PacedNumbers {
  private readonly numbers = new Map<string, Kept>();
  private isStopped = false;

  /** @param offer takes the messages whose turn has come. */
  constructor(private readonly offer: (turn: Offer[]) => void) {}

  /**
   * Keeps what a claim has refused for want of tokens.
   * @param from how these messages were offered.
   */
  keep(refused: readonly RefusedMessage[], from: Omit<Offer, 'id'>): void {
    if (this.isStopped) return;
    const waits = new Map<string, number>();
    for (const { id, accountId, lane, waitMs, burst } of refused) {
      const kept = this.numberOf(accountId);
      kept.burst = burst;
      kept.offers.push({ id, lane, ...from });
      waits.set(accountId, waitMs);
    }
    for (const [accountId, waitMs] of waits) {
      const kept = this.numberOf(accountId);
      const most = Math.max(keptMax, kept.burst * (2_000 / burstMs));
      kept.offers = inTurn(kept.offers, from.seenAt).slice(0, most);
      this.wake(accountId, kept, waitMs + (kept.hasSent ? yieldMs : 0));
      kept.hasSent = false;
    }
  }

  /** Takes note of what a claim has claimed. */
  noteClaimed(claimed: readonly { readonly accountId: string }[]): void {
    for (const { accountId } of claimed) {
      const kept = this.numbers.get(accountId);
      if (kept) kept.hasSent = true;
    }
  }

  stop(): void {
    this.isStopped = true;
    for (const { timer } of this.numbers.values()) if (timer) clearTimeout(timer);
    this.numbers.clear();
  }

  private numberOf(accountId: string): Kept {
    let kept = this.numbers.get(accountId);
    if (!kept) {
      kept = { offers: [], burst: 1, hasSent: false, timer: null, wakesAt: 0 };
      this.numbers.set(accountId, kept);
    }
    return kept;
  }

  /** Gives a number its turn after a wait, or when it has one anyway if that is earlier. */
  private wake(accountId: string, kept: Kept, waitMs: number): void {
    const leastMs = kept.offers[0]?.lane === 0 ? waitingMinMs : backgroundMinMs;
    const delayMs = Math.min(Math.max(waitMs, leastMs), waitMaxMs);
    const wakesAt = performance.now() + delayMs;
    if (kept.timer) {
      if (kept.wakesAt <= wakesAt) return;
      clearTimeout(kept.timer);
    }
    kept.wakesAt = wakesAt;
    kept.timer = setTimeout(() => this.takeTurn(accountId, kept, delayMs), delayMs);
  }

  private takeTurn(accountId: string, kept: Kept, waitedMs: number): void {
    kept.timer = null;
    // Offers a few more messages than tokens came meanwhile; those without a token come back.
    const tokens = 1.25 * kept.burst * (waitedMs / burstMs);
    const turn = kept.offers.splice(0, Math.min(kept.burst, Math.ceil(tokens) + 1));
    if (kept.offers.length > 0) this.wake(accountId, kept, 0);
    else this.numbers.delete(accountId);
    this.offer(turn);
  }
}

/**
 * Sorts by lane and age, and leaves out what is there twice: of what was named and found, the name stays.
 * @param seenAt of a newer look, which has found the others again.
 */
function inTurn(offers: readonly KeptOffer[], seenAt: string | null): KeptOffer[] {
  const ids = new Set<string>();
  return offers
    .filter((one) => one.seenAt === null || seenAt === null || one.seenAt === seenAt)
    .toSorted((a, b) => a.lane - b.lane || byText(a.id, b.id) || byText(a.seenAt, b.seenAt))
    .filter(({ id }) => !ids.has(id) && ids.add(id));
}

const byText = (a: string | null, b: string | null) => {
  const [one, other] = [a ?? '', b ?? ''];
  return one < other ? -1 : Number(one > other);
};
