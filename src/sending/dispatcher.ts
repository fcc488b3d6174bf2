import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../config/config.js';
import { busySize, defaultGatherMs } from '../database/group-commit.js';
import { LOGGER } from '../logging/logging.module.js';
import { type ClaimedMessage, MessageClaims } from '../messages/message-claims.js';
import type { SendsHint } from '../queues/sends-queue.js';
import { MessageSending } from './message-sending.js';
import { StoreWatch } from './store-watch.js';

/** Claims that run at once. While one is under way, the hints that come gather for the next. */
const claimsMax = 1;

/** Hints of messages that nobody waits for, kept in memory; beyond them the due-row claim helps. */
const backgroundMax = 10_000;

/** A claim whose answer was lost is read back for this long: its sends must still fit the lease. */
const readBackMs = 8_000;

/** What running sends get after the process was told to stop; what is left is then unconfirmed. */
const drainMs = 20_000;

/**
 * Decides which messages this worker sends now. It claims only what it can write at once, so that
 * a kill leaves at most the requests in flight unconfirmed; everything else stays `queued`, for this
 * worker or another.
 */
@Injectable()
export class Dispatcher {
  private readonly waiting: string[] = [];
  private readonly background: string[] = [];
  private readonly abort = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private roomWaiters: (() => void)[] = [];
  private inFlight = 0;
  private claimsRunning = 0;
  private isStopping = false;

  constructor(
    private readonly config: Config,
    private readonly claims: MessageClaims,
    private readonly sending: MessageSending,
    private readonly store: StoreWatch,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Messages that this worker may still claim now. */
  get free(): number {
    return this.isStopping ? 0 : Math.max(0, this.config.maxInFlight - this.inFlight);
  }

  /** Messages claimed and not yet answered by the platform. */
  get size(): number {
    return this.inFlight;
  }

  /** Takes a hint. Resolves when there is room for more; until then other workers can take them. */
  async offer(hint: SendsHint): Promise<void> {
    if (this.isStopping) return;
    this.waiting.push(...hint.waiting);
    const room = backgroundMax - this.background.length;
    this.background.push(...(room > 0 ? hint.background.slice(0, room) : []));
    this.pump();
    if (this.waiting.length >= this.config.maxInFlight) {
      await new Promise<void>((resolve) => this.roomWaiters.push(resolve));
    }
  }

  /** Sends messages that were claimed elsewhere: due rows and probes. */
  run(messages: readonly ClaimedMessage[], isProbe = false): void {
    this.inFlight += messages.length;
    for (const message of messages) this.start(message, isProbe);
  }

  /** Stops claiming at once; running sends get 20 s, what is left is settled as unconfirmed. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.letIn();
    const timer = setTimeout(() => this.abort.abort(), drainMs);
    while (this.running.size > 0) await Promise.allSettled(this.running);
    clearTimeout(timer);
  }

  private pump(): void {
    while (this.claimsRunning < claimsMax && this.free > 0 && this.store.mayClaim) {
      // Waiting callers go first: the others are claimed when none of them is there.
      const source = this.waiting.length > 0 ? this.waiting : this.background;
      const ids = source.splice(0, this.free);
      if (ids.length === 0) break;
      this.claimsRunning += 1;
      this.inFlight += ids.length;
      this.track(this.claimAndRun(ids));
    }
    if (this.waiting.length < this.config.maxInFlight) this.letIn();
  }

  private letIn(): void {
    const waiters = this.roomWaiters;
    this.roomWaiters = [];
    for (const resolve of waiters) resolve();
  }

  private async claimAndRun(ids: string[]): Promise<void> {
    let claimed: ClaimedMessage[] = [];
    try {
      claimed = await this.claim(ids);
    } finally {
      // Ids that were not claimed are somebody else's, not due, or on hold: their rows know.
      this.inFlight -= ids.length;
      this.run(claimed);
      if (ids.length < busySize) this.nextClaim();
      else setTimeout(() => this.nextClaim(), defaultGatherMs);
    }
  }

  private nextClaim(): void {
    this.claimsRunning -= 1;
    this.pump();
  }

  private async claim(ids: string[]): Promise<ClaimedMessage[]> {
    const token = this.claims.newToken();
    try {
      return await this.claims.claim(ids, token);
    } catch (error) {
      this.store.noteFailure(error);
      this.logger.warn({ err: error, messages: ids.length }, 'a claim failed; reading it back');
      return this.readBack(token);
    }
  }

  /** The claim may have been committed though its answer was lost. */
  private async readBack(token: string): Promise<ClaimedMessage[]> {
    const until = performance.now() + readBackMs;
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      try {
        return await this.claims.readBack(token);
      } catch {
        // Still away. After the deadline the rows' leases end and they become unconfirmed.
      }
    }
    return [];
  }

  private start(message: ClaimedMessage, isProbe: boolean): void {
    this.track(this.sendAndSettle(message, isProbe));
  }

  private async sendAndSettle(message: ClaimedMessage, isProbe: boolean): Promise<void> {
    let isFreed = false;
    const freeSlot = () => {
      if (isFreed) return;
      isFreed = true;
      this.inFlight -= 1;
      this.pump();
    };
    try {
      const settle = await this.sending.send(message, this.abort.signal, isProbe);
      freeSlot();
      const { retryInMs } = await settle();
      if (retryInMs !== null) this.offerLater(message, retryInMs);
    } catch (error) {
      this.logger.error({ err: error, message_id: message.id }, 'a send broke off');
    } finally {
      freeSlot();
    }
  }

  /** The next try is the row's own; this timer only makes it punctual while this worker lives. */
  private offerLater(message: ClaimedMessage, delayMs: number): void {
    const list = message.waiting
      ? { waiting: [message.id], background: [] }
      : { waiting: [], background: [message.id] };
    setTimeout(() => void this.offer(list), delayMs).unref();
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }
}
