import type { FoundIds, RefusedMessage } from '../messages/rows/message-claims.js';

/** Ids kept for one number in each list; beyond them the rows are found when their turn comes. */
const keptMax = 1_000;

/** The shortest waits for another try: where a caller waits, and where nobody does. */
const waitingMinMs = 20;
const backgroundMinMs = 100;

/** The longest: the number's pace may change meanwhile. */
const waitMaxMs = 1_000;

/**
 * A worker that has just sent for a number leaves the next token to others that wait for the same one: so each of them
 * has its turn.
 */
const yieldMs = 5;

/** In this time a number gets the tokens of a full bucket. */
const burstMs = 250;

/** Ids whose turn has come. */
export interface Turn {
  readonly waiting: string[];
  readonly background: string[];
  readonly found: FoundIds;
  /** Scheduled messages and those of campaigns: they come after all others. */
  readonly late: string[];
}

/** What is kept of one number: ids by their age, so the oldest first. */
interface Kept {
  waiting: string[];
  background: string[];
  /** What no hint has named; a newer look replaces it. */
  found: FoundIds;
  late: string[];
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

  /** @param offer takes the ids whose turn has come. */
  constructor(private readonly offer: (turn: Turn) => void) {}

  /**
   * Keeps what a claim has refused for want of tokens.
   * @param of.seenAt when the ids were found; absent for hinted ones.
   * @param of.isLate whether they come after all others.
   */
  keep(
    refused: readonly RefusedMessage[],
    { seenAt, isLate = false }: { seenAt?: string | undefined; isLate?: boolean } = {},
  ): void {
    if (this.isStopped) return;
    const ofNumber = new Map<string, RefusedMessage[]>();
    for (const one of refused) {
      const others = ofNumber.get(one.accountId);
      if (others) others.push(one);
      else ofNumber.set(one.accountId, [one]);
    }
    for (const [accountId, messages] of ofNumber) {
      const kept = this.numberOf(accountId);
      kept.burst = messages[0]?.burst ?? 1;
      if (isLate) {
        const ids = messages.map(({ id }) => id);
        kept.late = [...kept.late, ...ids].toSorted(byAge).slice(0, keptMax);
      } else if (seenAt === undefined) {
        const idsOf = (waiting: boolean) =>
          messages.flatMap((one) => (one.waiting === waiting ? [one.id] : []));
        // What had its turn before is older than what comes now.
        kept.waiting = [...kept.waiting, ...idsOf(true)].toSorted(byAge).slice(0, keptMax);
        kept.background = [...kept.background, ...idsOf(false)].toSorted(byAge).slice(0, keptMax);
      } else {
        const before = kept.found.seenAt === seenAt ? kept.found.ids : [];
        kept.found = { ids: [...messages.map(({ id }) => id), ...before].toSorted(byAge), seenAt };
      }
      const waitMs = messages[0]?.waitMs;
      // A new bucket is full.
      if (waitMs === null) this.takeTurn(accountId, kept, burstMs);
      else this.wake(accountId, kept, (waitMs ?? 0) + (kept.hasSent ? yieldMs : 0));
      kept.hasSent = false;
    }
  }

  /** Takes note of what a claim has claimed. */
  noteClaimed(claimed: readonly { readonly accountId: string }[]): void {
    if (this.numbers.size === 0) return;
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
      const found = { ids: [], seenAt: '' };
      kept = {
        waiting: [],
        background: [],
        found,
        late: [],
        burst: 1,
        hasSent: false,
        timer: null,
        wakesAt: 0,
      };
      this.numbers.set(accountId, kept);
    }
    return kept;
  }

  /** Gives a number its turn after a wait, or when it has one anyway if that is earlier. */
  private wake(accountId: string, kept: Kept, waitMs: number): void {
    const leastMs = kept.waiting.length > 0 ? waitingMinMs : backgroundMinMs;
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
    if (kept.timer) clearTimeout(kept.timer);
    kept.timer = null;
    // A little more than the tokens that came meanwhile: what is too much comes back.
    const perMs = kept.burst / burstMs;
    const count = Math.min(kept.burst, Math.ceil(1.25 * perMs * waitedMs) + 1);
    const { waiting, background, found, late } = kept;
    const first = waiting.splice(0, count);
    // What was found may be older than what this worker was told of: another worker had no turn for it.
    const oldest = [...background.slice(0, count), ...found.ids.slice(0, count)].toSorted(byAge);
    const others = new Set(oldest.slice(0, count - first.length));
    const take = (ids: string[]) => {
      const end = ids.findIndex((id) => !others.has(id));
      return ids.splice(0, end === -1 ? ids.length : end);
    };
    const turn: Turn = {
      waiting: first,
      background: take(background),
      found: { ids: take(found.ids), seenAt: found.seenAt },
      late: late.splice(0, count - first.length - others.size),
    };
    const left = waiting.length + background.length + found.ids.length + late.length;
    if (left > 0) this.wake(accountId, kept, 0);
    else this.numbers.delete(accountId);
    this.offer(turn);
  }
}

const byAge = (one: string, other: string) => (one < other ? -1 : 1);
