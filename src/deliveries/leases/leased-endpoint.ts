import {
  type EventRead,
  firstMark,
  markAt,
  type OpenEvent,
  type ReadMark,
} from '../open-events.js';
import type { LeaseAnswer } from './endpoint-leases.js';
import { type EndpointTarget, leaseMs } from './endpoint-leases.statements.js';
import { EndpointPace } from './endpoint-pace.js';

/** How far our clock and a request to PostgreSQL may differ. */
const leaseMarginMs = 300;

/** An endpoint that this worker delivers to, with what it has read for it. */
export class LeasedEndpoint {
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
  /** Requests to the store from before this moment say nothing about the lease. */
  private doubtedAtMs = Number.NEGATIVE_INFINITY;
  private mark: ReadMark = firstMark;
  /** The next read begins here, or at the mark if that is earlier; null while there is nothing to read. */
  private readFromMs: number | null = Number.POSITIVE_INFINITY;
  /** How many events the read under way asks for. */
  private readLimit = 0;

  /** @param askedAtMs when the lease was asked for: it began after that. */
  constructor(answer: LeaseAnswer & { readonly term: string }, askedAtMs: number) {
    this.id = answer.endpointId;
    this.term = answer.term;
    this.target = answer;
    this.pace = new EndpointPace(answer.isFailing, answer.maxInFlight);
    this.validUntilMs = askedAtMs + leaseMs - leaseMarginMs;
    this.lastUsedMs = askedAtMs;
    this.lastRewoundMs = askedAtMs;
  }

  /** Whether the lease lasts, as far as this process can tell without asking. */
  isValid(nowMs: number = performance.now()): boolean {
    return nowMs < this.validUntilMs;
  }

  /** Whether events can be posted to it. */
  get isUsable(): boolean {
    return this.target.url !== null && !this.target.isOff;
  }

  /** The lease goes on. @returns whether it could not be used before. */
  renewed(target: EndpointTarget, askedAtMs: number): boolean {
    this.target = target;
    this.pace.isFailing = target.isFailing;
    this.pace.max = target.maxInFlight;
    if (askedAtMs <= this.doubtedAtMs) return false;
    const isBack = !this.isValid();
    this.validUntilMs = askedAtMs + leaseMs - leaseMarginMs;
    return isBack;
  }

  /** PostgreSQL may have lost the lease: it cannot be used until a renewal says that it is still ours. */
  doubt(nowMs: number): void {
    this.doubtedAtMs = nowMs;
    this.validUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** Ends the use of the lease, even if a renewal succeeds. @returns the events that were read and not begun. */
  end(): OpenEvent[] {
    this.doubt(Number.POSITIVE_INFINITY);
    return this.buffer.splice(0);
  }

  /** There may be an event that is due since then. */
  noteDue(dueMs: number): void {
    this.readFromMs = Math.min(this.readFromMs ?? Number.POSITIVE_INFINITY, dueMs);
  }

  /** How many events to read now; 0 while it has enough or there are none. */
  get wanted(): number {
    const bound = this.pace.bound();
    if (this.readFromMs === null || this.buffer.length >= bound) return 0;
    return 2 * bound - this.buffer.length;
  }

  /** What to read now. Hints from now on are for the next read. */
  beginRead(): EventRead {
    this.readLimit = this.wanted;
    const fromMs = this.readFromMs ?? Number.POSITIVE_INFINITY;
    if (fromMs <= this.mark.dueMs) this.mark = markAt(fromMs);
    this.readFromMs = null;
    return { endpointId: this.id, after: this.mark, limit: this.readLimit };
  }

  endRead(found: readonly OpenEvent[]): void {
    this.mark = found.at(-1)?.mark ?? this.mark;
    if (found.length === this.readLimit) this.noteDue(Number.POSITIVE_INFINITY);
  }
}
