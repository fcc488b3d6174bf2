import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../config/config.js';
import { BatchWindow } from '../database/batch-window.js';
import { isStoreUnavailable } from '../database/store-errors.js';
import type { SendsHint } from '../hints/sends-queue.js';
import { LOGGER } from '../logging/logging.module.js';
import {
  type ClaimedMessage,
  type FoundIds,
  MessageClaims,
  type RefusedMessage,
} from '../messages/rows/message-claims.js';
import { NumberPaces } from '../quota/number-paces.js';
import { DatabaseAvailability } from './database-availability.js';
import { HistoryWatch, type Testimony } from './history-watch.js';
import { MessageSending } from './message-sending.js';
import { PacedNumbers, type Turn } from './paced-numbers.js';

/** Hints of messages without a waiting caller, kept in memory; beyond them the due-row claim helps. */
const backgroundMax = 10_000;

/** A claim whose answer was lost is read back for this long: its sends must still fit the lease. */
const readBackMs = 8_000;
const readBackEveryMs = 100;

/** How long running sends may take after the process was asked to stop; the rest are then unconfirmed. */
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
  /** Scheduled messages and those of campaigns: single ones go first. */
  private readonly late: string[] = [];
  private readonly abort = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private roomWaiters: (() => void)[] = [];
  /** What no hint has named, as it was found last. */
  private found: FoundIds = { ids: [], seenAt: '' };
  /** What waits until its number may send again. */
  private readonly paced = new PacedNumbers((turn) => this.takeTurn(turn));
  private inFlight = 0;
  private readonly inHand = new Map<string, number>();
  private missesRows = false;
  private readonly window = new BatchWindow();
  /** Hints are being gathered or claimed: those that come meanwhile share the next claim. */
  private isClaiming = false;
  private isStopping = false;

  constructor(
    private readonly config: Config,
    private readonly claims: MessageClaims,
    private readonly sending: MessageSending,
    private readonly store: DatabaseAvailability,
    private readonly paces: NumberPaces,
    private readonly history: HistoryWatch,
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

  /** What it can say of its claims, since it was asked last. */
  testify(): Testimony {
    const testimony = { inHand: this.inHand, missesRows: this.missesRows };
    this.missesRows = false;
    return testimony;
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

  /** Takes messages that this worker has released: they come after all others. */
  offerLate(ids: readonly string[]): void {
    if (this.isStopping) return;
    this.late.push(...ids);
    this.pump();
  }

  /** Takes ids that no hint has named, in the place of those that it took before. */
  offerFound(found: FoundIds): void {
    if (this.isStopping) return;
    this.found = found;
    this.pump();
  }

  private takeTurn({ waiting, background, found, late }: Turn): void {
    this.waiting.unshift(...waiting);
    this.background.unshift(...background);
    this.late.unshift(...late);
    // A newer look has found the others again.
    if (found.seenAt === this.found.seenAt) this.found.ids.unshift(...found.ids);
    this.pump();
  }

  /**
   * Claims in another way than by hints, due rows and probes, and sends what it got. The room is
   * taken before the claim, so that no other claim counts on it, and `stop` waits for the claim.
   * @returns whether the claim filled the room it was given, so that there may be more.
   */
  async claimAndSend(
    max: number,
    claim: (limit: number, token: string) => Promise<ClaimedMessage[]>,
    isProbe = false,
  ): Promise<boolean> {
    const limit = Math.min(this.free, max);
    if (limit === 0) return false;
    this.inFlight += limit;
    let isFull = false;
    const taking = async () => {
      const { claimed } = await this.claimSurely((token) => claim(limit, token));
      this.inFlight -= limit;
      this.run(claimed, isProbe);
      isFull = claimed.length === limit;
    };
    await this.track(taking());
    return isFull;
  }

  /** Stops claiming at once; running sends get 20 s, what is left is settled as unconfirmed. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.paced.stop();
    this.letIn();
    const timer = setTimeout(() => this.abort.abort(), drainMs);
    while (this.running.size > 0) await Promise.allSettled(this.running);
    clearTimeout(timer);
  }

  /** Claims what is offered, as far as there is room. */
  pump(): void {
    if (!this.isClaiming && this.mayClaim) {
      this.isClaiming = true;
      const lists = [this.waiting, this.background, this.late];
      const offered = () => lists.reduce((sum, ids) => sum + ids.length, 0) + this.found.ids.length;
      this.window.gather(offered, () => void this.claimNext());
    }
    this.letInMore();
  }

  private get mayClaim(): boolean {
    const isHinted = [this.waiting, this.background, this.late].some((ids) => ids.length > 0);
    const isFound = this.found.ids.length > 0 && this.store.mayClaimDue;
    return (
      (isHinted || isFound) && this.free > 0 && this.store.mayClaimHinted && this.history.mayClaim
    );
  }

  private async claimNext(): Promise<void> {
    // Other claims may have taken the room while the hints gathered.
    if (this.mayClaim) {
      // Waiting callers go first: the others are claimed when none of them is there. What this worker has released comes last.
      const found = this.store.mayClaimDue ? [this.found.ids] : [];
      const lists = [this.waiting, this.background, ...found, this.late];
      const source = lists.find((each) => each.length > 0) ?? this.late;
      const seenAt = source === this.found.ids ? this.found.seenAt : undefined;
      const ids = source.splice(0, this.free);
      this.inFlight += ids.length;
      // While these are being claimed, the next hints may come.
      this.letInMore();
      await this.window.keep(ids.length, () => this.track(this.claimAndRun(ids, source, seenAt)));
    }
    this.isClaiming = false;
    this.pump();
  }

  private letInMore(): void {
    if (this.waiting.length < this.config.maxInFlight) this.letIn();
  }

  private letIn(): void {
    const waiters = this.roomWaiters;
    this.roomWaiters = [];
    for (const resolve of waiters) resolve();
  }

  /** @param seenAt when the ids were found; absent for hinted ones. */
  private async claimAndRun(ids: string[], source: string[], seenAt?: string): Promise<void> {
    let refused: readonly RefusedMessage[] = [];
    const { claimed, isLost } = await this.claimSurely(async (token) => {
      const claim = await this.claims.claim(ids, token, seenAt);
      refused = claim.refused;
      return claim.claimed;
    });
    if (isLost && seenAt === undefined) {
      // A caller waits for these messages; without the hint they would be found seconds later.
      const known = new Set(claimed.map(({ id }) => id));
      source.unshift(...ids.filter((id) => !known.has(id)));
    }
    this.inFlight -= ids.length;
    this.run(claimed);
    this.paced.noteClaimed(claimed);
    // What else was not claimed is claimed by another worker, not due, or on hold.
    if (refused.length > 0) {
      await this.keepRefused(refused, { seenAt, isLate: source === this.late });
    }
  }

  /** Lets messages wait until their number may send. A number's first ones need a bucket, which is full. */
  private async keepRefused(
    refused: readonly RefusedMessage[],
    from: { seenAt: string | undefined; isLate: boolean },
  ): Promise<void> {
    const first = refused.filter(({ waitMs }) => waitMs === null);
    if (first.length > 0) {
      try {
        const accountIds = new Set(first.map(({ accountId }) => accountId));
        await this.store.ask(() => this.paces.makeBuckets([...accountIds]));
      } catch (error) {
        this.logger.warn({ err: error }, 'could not make a bucket of tokens');
      }
    }
    this.paced.keep(refused, from);
  }

  /** Claims, and reads back what was claimed where the store went away in the middle. Never rejects. */
  private async claimSurely(
    claim: (token: string) => Promise<ClaimedMessage[]>,
  ): Promise<{ claimed: ClaimedMessage[]; isLost: boolean }> {
    const token = this.claims.newToken();
    try {
      return { claimed: await this.store.ask(() => claim(token)), isLost: false };
    } catch (error) {
      const isLost = isStoreUnavailable(error);
      this.logger.warn({ err: error }, 'a claim failed; reading it back');
      return { claimed: await this.readBack(token), isLost };
    }
  }

  /** The claim may have been committed though its answer was lost. */
  private async readBack(token: string): Promise<ClaimedMessage[]> {
    const until = performance.now() + readBackMs;
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, readBackEveryMs));
      try {
        return await this.store.ask(() => this.claims.readBack(token));
      } catch {
        // Still away. After the deadline the rows' leases end and they become unconfirmed.
      }
    }
    return [];
  }

  private run(messages: readonly ClaimedMessage[], isProbe = false): void {
    this.inFlight += messages.length;
    for (const message of messages) void this.track(this.sendAndSettle(message, isProbe));
  }

  private async sendAndSettle(message: ClaimedMessage, isProbe: boolean): Promise<void> {
    let isFreed = false;
    this.inHand.set(message.id, message.attempt);
    const freeSlot = () => {
      if (isFreed) return;
      isFreed = true;
      this.inFlight -= 1;
      this.pump();
    };
    try {
      const settle = await this.sending.sendToPlatform(message, this.abort.signal, isProbe);
      freeSlot();
      const { retryInMs, isKnown } = await settle();
      this.missesRows ||= !isKnown;
      if (retryInMs !== null) this.offerLater(message, retryInMs);
    } catch (error) {
      this.logger.error({ err: error, message_id: message.id }, 'a send failed');
    } finally {
      this.inHand.delete(message.id);
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

  private track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
    return tracked;
  }
}
