import { Wamids } from './wamids.js';

/** What became of a request that arrived. */
export type Outcome =
  /** Being worked on, or waiting out a delay. */
  | 'pending'
  | 'accepted'
  /** Refused with a platform error. */
  | 'refused'
  /** The connection was reset; nothing was accepted. */
  | 'dropped'
  /** The simulator has accepted nothing and answered nothing. */
  | 'unanswered'
  /** Answered with a status or body that is not the platform's; nothing accepted. */
  | 'failed';

/** How far the statuses of an accepted message have come. */
export type MessageStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

/** One send, kept in full while it is among the newest. */
export interface LedgerEntry {
  sequence: number;
  atMs: number;
  phoneNumberId: string;
  /** The recipient as it came, or null when the body did not say. */
  to: string | null;
  digits: string;
  type: string;
  callback: string | null;
  /** The body as it came, unparsed: a parsed one takes three times the memory. */
  raw: string;
  outcome: Outcome;
  /** The platform's id; null unless accepted. */
  wamid: string | null;
  errorCode: number | null;
  /** HTTP status of the answer; null when there was none. */
  answered: number | null;
  status: MessageStatus | null;
}

/** What is known about a request when it arrives. */
export type Arrival = Pick<
  LedgerEntry,
  'atMs' | 'phoneNumberId' | 'to' | 'digits' | 'type' | 'callback' | 'raw'
>;

/** Totals since the start or the last `clear`. */
export interface LedgerStats {
  arrived: number;
  accepted: number;
  refused: number;
  dropped: number;
  unanswered: number;
  failed: number;
  /** Different `biz_opaque_callback_data` among the accepted. */
  distinct: number;
  /** Accepted sends without `biz_opaque_callback_data`. */
  without_callback: number;
  /** Accepted sends beyond the first with the same `biz_opaque_callback_data`. */
  duplicates: number;
  /** The first hundred values that came more than once. */
  duplicate_ids: string[];
}

const ledgerOutcomes: readonly Outcome[] = [
  'pending',
  'accepted',
  'refused',
  'dropped',
  'unanswered',
  'failed',
];
const outcomeNumbers: Readonly<Record<Outcome, number>> = {
  pending: 0,
  accepted: 1,
  refused: 2,
  dropped: 3,
  unanswered: 4,
  failed: 5,
};
const fullEntriesMax = 20_000;

/**
 * All that arrived. Everything is counted and checked for duplicates however much comes; the full
 * entries are the newest 20,000, and of older ones a few words each remain (callback, recipient,
 * outcome), so that hundreds of thousands of sends fit in some tens of megabytes.
 */
export class Ledger {
  private readonly wamids = new Wamids();
  private recent: LedgerEntry[] = [];
  private callbacks: (string | null)[] = [];
  private recipients: number[] = [];
  private outcomes: number[] = [];
  private accepted = new Set<string>();
  private duplicated = new Set<string>();
  private counts = emptyCounts();
  private lastSequence = 0;
  private inboundCount = 0;
  /** Sequence of the first line that is kept. */
  private firstSequence = 1;

  arrive(arrival: Arrival): LedgerEntry {
    const sequence = ++this.lastSequence;
    // Spelled out: a spread costs five times as much, on every send.
    const entry: LedgerEntry = {
      sequence,
      atMs: arrival.atMs,
      phoneNumberId: arrival.phoneNumberId,
      to: arrival.to,
      digits: arrival.digits,
      type: arrival.type,
      callback: arrival.callback,
      raw: arrival.raw,
      outcome: 'pending',
      wamid: null,
      errorCode: null,
      answered: null,
      status: null,
    };
    this.recent[sequence % fullEntriesMax] = entry;
    this.callbacks.push(arrival.callback);
    this.recipients.push(Number(arrival.digits));
    this.outcomes.push(0);
    this.counts.arrived++;
    return entry;
  }

  /** Accepts a send and gives it its id. */
  accept(entry: LedgerEntry): string {
    this.settle(entry, 'accepted');
    const wamid = this.wamidOf(entry.sequence, Number(entry.digits));
    entry.wamid = wamid;
    entry.status = 'accepted';
    const { callback } = entry;
    if (callback === null) this.counts.without_callback++;
    else if (this.accepted.has(callback)) {
      this.counts.duplicates++;
      if (this.duplicated.size < 100) this.duplicated.add(callback);
    } else this.accepted.add(callback);
    return wamid;
  }

  settle(entry: LedgerEntry, outcome: Exclude<Outcome, 'pending'>, errorCode?: number): void {
    entry.outcome = outcome;
    entry.errorCode = errorCode ?? null;
    this.counts[outcome]++;
    const index = entry.sequence - this.firstSequence;
    if (index >= 0) this.outcomes[index] = outcomeNumbers[outcome];
  }

  /** The id that the next inbound message gets. */
  nextInboundId(digits: string): string {
    // Inbound ids share the counter but stand apart by their leading digit.
    return this.wamids.of(0x8000_0000 + ++this.inboundCount, digits);
  }

  /** The entry of an accepted message, or null when it is unknown or too old. */
  find(wamid: string): LedgerEntry | null {
    const sequence = this.wamids.sequenceOf(wamid);
    if (sequence === null) return null;
    const entry = this.recent[sequence % fullEntriesMax];
    return entry?.wamid === wamid ? entry : null;
  }

  /** The newest entries, oldest first, that came after `after` and fit. */
  *entries(after = 0): Generator<LedgerEntry> {
    const oldest = Math.max(this.firstSequence, this.lastSequence - fullEntriesMax + 1, after + 1);
    for (let sequence = oldest; sequence <= this.lastSequence; sequence++) {
      const entry = this.recent[sequence % fullEntriesMax];
      if (entry?.sequence === sequence) yield entry;
    }
  }

  /** One short line of JSON for every send after `after`, however old. */
  *lines(after = 0): Generator<string> {
    let index = Math.max(0, after - this.firstSequence + 1);
    for (; index < this.outcomes.length; index++) {
      const sequence = this.firstSequence + index;
      const outcome = ledgerOutcomes[this.outcomes[index] ?? 0];
      const wamid =
        outcome === 'accepted' ? this.wamidOf(sequence, this.recipients[index] ?? 0) : null;
      yield `${JSON.stringify({ sequence, callback: this.callbacks[index] ?? null, wamid, outcome })}\n`;
    }
  }

  stats(): LedgerStats {
    return {
      ...this.counts,
      distinct: this.accepted.size,
      duplicate_ids: [...this.duplicated],
    };
  }

  /** Forgets everything; the sequence, and so the ids, go on. */
  clear(): void {
    this.recent = [];
    this.callbacks = [];
    this.recipients = [];
    this.outcomes = [];
    this.accepted = new Set();
    this.duplicated = new Set();
    this.counts = emptyCounts();
    this.firstSequence = this.lastSequence + 1;
  }

  private wamidOf(sequence: number, recipient: number): string {
    return this.wamids.of(sequence, String(recipient));
  }
}

const emptyCounts = () => ({
  arrived: 0,
  accepted: 0,
  refused: 0,
  dropped: 0,
  unanswered: 0,
  failed: 0,
  without_callback: 0,
  duplicates: 0,
});
