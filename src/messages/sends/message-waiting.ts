import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../../config/config.js';
import { answeredBy } from '../../database/store-errors.js';
import { type ReplyHint, ReplyHints } from '../../hints/reply-hints.js';
import { LOGGER } from '../../logging/logging.module.js';
import { Metrics } from '../../metrics/metrics.js';
import { Timers } from '../../timers/timers.js';
import type { MessageOutcome } from '../message.js';
import { MessageReads } from '../reads/message-reads.js';
import { isConcluded } from '../rows/message-status.js';

/** How often all waiting messages are read, which covers every hint that was lost. */
const lookEveryMs = 500;

/** How long the last look at a message may take when its caller has waited long enough. */
const lastLookMs = 1_000;

/** How long waiters may still wait after the process was asked to stop. */
const drainMs = 5_000;

/** How long a send that comes in on an open connection after that may still wait. */
const lateWaitMs = 1_000;

/** One caller waiting for one message. */
export interface Waiter {
  readonly id: string;
  /**
   * Resolves with the outcome, or with the current state once `deadlineMs` of waiting are over.
   * Never rejects: an accepted message is answered with what is known of it.
   */
  outcome(): Promise<MessageOutcome>;
  cancel(): void;
}

interface Entry {
  readonly since: number;
  readonly deadline: number;
  /** A hint is not enough: it does not say which of a message and its fallback was sent. */
  readonly needsRow: boolean;
  readonly resolve: (outcome: MessageOutcome) => void;
}

/** How often deadlines are looked at: one timer for all, since most waits end long before theirs. */
const deadlineEveryMs = 50;

/**
 * The callers of this process that wait for the outcome of a message. Hints wake them; one grouped
 * read every 500 ms finds what the hints missed.
 */
@Injectable()
export class MessageWaiting implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly entries = new Map<string, Set<Entry>>();
  private readonly toRead = new Set<string>();
  private readonly expiring = new WeakSet<Entry>();
  private isReading = false;
  private count = 0;
  private isDraining = false;
  private readonly timers: Timers;

  constructor(
    private readonly config: Config,
    private readonly hints: ReplyHints,
    private readonly reads: MessageReads,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.metrics.gauge(
      'parley_callers_waiting',
      'Callers of this process that wait for the result of a message.',
      () => this.count,
    );
    await this.hints.listen(this.config.processId, (hints) => this.onHints(hints));
    this.timers.every(lookEveryMs, 'look for results', () => this.look());
    this.timers.every(deadlineEveryMs, 'end waits', () => this.endOverdue());
  }

  onApplicationShutdown(): void {
    this.timers.stop();
  }

  /** Whether the process stops, so that nobody may wait for long. */
  get isStopping(): boolean {
    return this.isDraining;
  }

  /** Callers that wait now. */
  get size(): number {
    return this.count;
  }

  /**
   * Registers a waiter. Do it before the row is stored, so that no hint comes too early.
   * @param needsRow true for a repetition, which does not know what the first request has sent.
   */
  register(id: string, waitMs: number = this.config.sendWaitMs, needsRow = false): Waiter {
    let resolve: (outcome: MessageOutcome) => void = () => undefined;
    const settled = new Promise<MessageOutcome>((done) => {
      resolve = done;
    });
    const since = performance.now();
    const wait = this.isDraining ? Math.min(waitMs, lateWaitMs) : waitMs;
    const entry: Entry = { since, deadline: since + wait, needsRow, resolve };
    const entries = this.entries.get(id) ?? new Set();
    this.entries.set(id, entries.add(entry));
    this.count += 1;
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      this.count -= 1;
      entries.delete(entry);
      if (entries.size === 0) this.entries.delete(id);
    };
    return { id, outcome: () => settled.finally(leave), cancel: leave };
  }

  /** Reads these messages at the next opportunity, in one statement with others. */
  readSoon(id: string): void {
    this.toRead.add(id);
    if (!this.isReading) setImmediate(() => void this.readNow());
  }

  /** Gives waiters a moment for their results, then answers them with the current state. */
  async drain(): Promise<void> {
    this.isDraining = true;
    const until = performance.now() + drainMs;
    while (this.count > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await Promise.all(
      [...this.entries].flatMap(([id, entries]) =>
        [...entries].map((entry) => this.expire(id, entry)),
      ),
    );
  }

  private onHints(hints: ReplyHint[]): void {
    for (const { id, status } of hints) {
      const entries = this.entries.get(id);
      if (!entries) continue;
      const isEnough = status === 'sent' && ![...entries].some(({ needsRow }) => needsRow);
      if (isEnough) this.conclude(id, { id, status, failure: null });
      else this.readSoon(id);
    }
  }

  private look(): void {
    const old = performance.now() - lookEveryMs;
    for (const [id, entries] of this.entries) {
      for (const entry of entries) if (entry.since < old) this.toRead.add(id);
    }
    if (this.toRead.size > 0 && !this.isReading) void this.readNow();
  }

  private endOverdue(): void {
    const now = performance.now();
    for (const [id, entries] of this.entries) {
      for (const entry of entries) {
        if (entry.deadline > now || this.expiring.has(entry)) continue;
        this.expiring.add(entry);
        void this.expire(id, entry);
      }
    }
  }

  private async readNow(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.toRead.size > 0) {
        const ids = [...this.toRead];
        this.toRead.clear();
        for (const outcome of await this.reads.outcomes(ids)) {
          if (isConcluded(outcome.status)) this.conclude(outcome.askedId, outcome);
        }
      }
    } catch (error) {
      // The next look reads them again; the waiters' own deadlines hold in any case.
      this.logger.debug({ err: error }, 'could not read the messages that callers wait for');
    } finally {
      this.isReading = false;
    }
  }

  private conclude(id: string, outcome: MessageOutcome): void {
    for (const entry of this.entries.get(id) ?? []) entry.resolve(outcome);
  }

  private async expire(id: string, entry: Entry): Promise<void> {
    const reading = answeredBy(performance.now() + lastLookMs, this.reads.outcomes([id]));
    const [outcome] = await reading.catch(() => []);
    entry.resolve(outcome ?? { id, status: 'queued', failure: null });
  }
}
