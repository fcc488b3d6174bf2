import { type EndpointTarget, type LeaseAnswer, leaseMs } from './endpoint-leases.js';
import { EndpointPace } from './endpoint-pace.js';
import { firstMark, markAt, type OpenEvent, type ReadMark } from './open-events.js';

/** What a clock of ours and a request to PostgreSQL may differ by. */
const leaseMarginMs = 300;

/** An endpoint that this worker delivers to, with what it has read for it. */
export class OwnedEndpoint {
  readonly id: string;
  readonly term: string;
  readonly pace: EndpointPace;
  target: EndpointTarget;
  /** Events that are read and not under way. */
  readonly buffer: OpenEvent[] = [];
  /** Since when the first event of the buffer waits; null while none does. */
  waitingSinceMs: number | null = null;
  lastUsedMs: number;
  lastRewoundMs: number;
  private validUntilMs: number;
  /** When the store last failed us: what was asked before says nothing about the lease. */
  private doubtedAtMs = Number.NEGATIVE_INFINITY;
  private mark: ReadMark = firstMark;
  private mayHaveMore = true;
  /** The earliest event that a hint announced while a read was running. */
  private toldMs: number | null = null;
  private isGone = false;

  /** @param askedAtMs when the lease was asked for: it began after that. */
  constructor(answer: LeaseAnswer & { readonly term: string }, askedAtMs: number) {
    this.id = answer.endpointId;
    this.term = answer.term;
    this.target = answer;
    this.pace = new EndpointPace(answer.isFailing);
    this.validUntilMs = askedAtMs + leaseMs - leaseMarginMs;
    this.lastUsedMs = askedAtMs;
    this.lastRewoundMs = askedAtMs;
  }

  /** Whether the lease lasts, as far as this process can tell without asking. */
  isValid(nowMs: number = performance.now()): boolean {
    return !this.isGone && nowMs < this.validUntilMs;
  }

  /** The lease goes on. @returns whether it could not be used before. */
  renewed(target: EndpointTarget, askedAtMs: number): boolean {
    this.target = target;
    this.pace.isFailing = target.isFailing;
    if (askedAtMs <= this.doubtedAtMs) return false;
    const isBack = !this.isValid();
    this.validUntilMs = askedAtMs + leaseMs - leaseMarginMs;
    return isBack;
  }

  /** PostgreSQL may have lost the lease: it cannot be used until a renewal says that it is still ours. */
  doubt(nowMs: number): void {
    this.doubtedAtMs = nowMs;
    this.validUntilMs = nowMs;
  }

  /** Nothing more may be written for it. @returns what was read and not begun. */
  end(): OpenEvent[] {
    this.isGone = true;
    return this.buffer.splice(0);
  }

  /** There may be an event that is due since then. */
  noteDue(dueMs: number): void {
    this.mayHaveMore = true;
    this.toldMs = Math.min(this.toldMs ?? Number.POSITIVE_INFINITY, dueMs);
  }

  /** How many events to read now; 0 while it has enough or there are none. */
  get wanted(): number {
    const bound = this.pace.bound();
    if (!this.mayHaveMore || this.buffer.length >= bound) return 0;
    return 2 * bound - this.buffer.length;
  }

  /** Where to read on. What hints tell of from now on is for the next read. */
  beginRead(): ReadMark {
    if (this.toldMs !== null && this.toldMs <= this.mark.dueMs) this.mark = markAt(this.toldMs);
    this.toldMs = null;
    this.mayHaveMore = false;
    return this.mark;
  }

  /** @param last the last event of a read, if there was one. */
  endRead(last: OpenEvent | undefined, isFull: boolean): void {
    if (last) this.mark = last.mark;
    this.mayHaveMore ||= isFull;
  }
}
