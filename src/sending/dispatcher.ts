import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../config/config.js';
import { BatchWindow } from '../database/batch-window.js';
import { isStoreUnavailable } from '../database/store-errors.js';
import type { SendsHint } from '../hints/sends-queue.js';
import { LOGGER } from '../logging/logging.module.js';
import { type Claim, type ClaimedMessage, MessageClaims } from '../messages/rows/message-claims.js';
import { DatabaseAvailability } from './database-availability.js';
import { HistoryWatch, type Testimony } from './history-watch.js';
import { MessageSending } from './message-sending.js';
import { type Offer, type OfferKind, offerKinds } from './offer.js';
import { PacedNumbers } from './paced-numbers.js';

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
  /** What may be claimed, in the order in which it came. */
  private readonly offers: Record<OfferKind, Offer[]> = {
    waiting: [],
    background: [],
    found: [],
    scheduled: [],
    campaign: [],
  };
  private readonly abort = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private roomWaiters: (() => void)[] = [];
  /** When what no hint has named was found last. */
  private foundAt: string | null = null;
  /** What waits until its number may send again. */
  private readonly paced = new PacedNumbers((turn) => this.takeTurn(turn));
  private inFlight = 0;
  /** Room that running claims may fill. */
  private reserved = 0;
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
    private readonly history: HistoryWatch,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Messages that this worker may still claim now. */
  get free(): number {
    return this.isStopping
      ? 0
      : Math.max(0, this.config.maxInFlight - this.inFlight - this.reserved);
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
  async takeHint({ waiting, background }: SendsHint): Promise<void> {
    const room = Math.max(0, backgroundMax - this.offers.background.length);
    this.offer('waiting', waiting);
    this.offer('background', background.slice(0, room));
    if (!this.isStopping && this.offers.waiting.length >= this.config.maxInFlight) {
      await new Promise<void>((resolve) => this.roomWaiters.push(resolve));
    }
  }

  /**
   * Takes messages to claim. Found ones take the place of those that were found before.
   * @param seenAt for found ones: the store's clock when they were found.
   */
  offer(kind: OfferKind, ids: readonly string[], seenAt: string | null = null): void {
    if (this.isStopping) return;
    if (kind === 'found') {
      this.offers.found = [];
      this.foundAt = seenAt;
    }
    // One by one: a look may find more than one call takes as arguments.
    for (const id of ids) this.offers[kind].push({ id, kind, seenAt });
    this.pump();
  }

  private takeTurn(turn: readonly Offer[]): void {
    for (const kind of offerKinds) {
      // A newer look has found the others again.
      const isValid = (one: Offer) => one.seenAt === null || one.seenAt === this.foundAt;
      this.offers[kind].unshift(...turn.filter((one) => one.kind === kind && isValid(one)));
    }
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
    this.reserved += limit;
    let isFull = false;
    const taking = async () => {
      const { claimed } = await this.claimSurely(async (token) => ({
        claimed: await claim(limit, token),
        refused: [],
      }));
      this.reserved -= limit;
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
    if (!this.isClaiming && this.next) {
      this.isClaiming = true;
      const offered = () => offerKinds.reduce((sum, kind) => sum + this.offers[kind].length, 0);
      this.window.gather(offered, () => void this.claimNext());
    }
    this.letInMore();
  }

  /** The offers that are claimed next. Messages of waiting callers go first. */
  private get next(): Offer[] | undefined {
    if (this.free === 0 || !this.store.mayClaimHinted || !this.history.mayClaim) return undefined;
    const kind = offerKinds.find(
      (each) => this.offers[each].length > 0 && (each !== 'found' || this.store.mayClaimDue),
    );
    return kind && this.offers[kind];
  }

  private async claimNext(): Promise<void> {
    // Other claims may have taken the room while the hints gathered.
    const source = this.next;
    if (source) {
      const offers = source.splice(0, this.free);
      this.reserved += offers.length;
      // While these are being claimed, the next hints may come.
      this.letInMore();
      await this.window.keep(offers.length, () => this.track(this.claimAndRun(offers, source)));
    }
    this.isClaiming = false;
    this.pump();
  }

  private letInMore(): void {
    if (this.offers.waiting.length < this.config.maxInFlight) this.letIn();
  }

  private letIn(): void {
    const waiters = this.roomWaiters;
    this.roomWaiters = [];
    for (const resolve of waiters) resolve();
  }

  /** @param offers of one kind, and found at one time. */
  private async claimAndRun(offers: readonly Offer[], source: Offer[]): Promise<void> {
    const [{ kind, seenAt }] = offers as [Offer];
    const ids = offers.map(({ id }) => id);
    const { claimed, refused, isLost } = await this.claimSurely((token) =>
      this.claims.claim(ids, token, seenAt),
    );
    if (isLost && seenAt === null) {
      // A caller waits for these messages; without the hint they would be found seconds later.
      const known = new Set(claimed.map(({ id }) => id));
      source.unshift(...offers.filter(({ id }) => !known.has(id)));
    }
    this.reserved -= offers.length;
    this.run(claimed);
    this.paced.noteClaimed(claimed);
    // Another worker has claimed the rest of the offered messages, or they are not due, or on hold.
    this.paced.keep(refused, { kind, seenAt });
  }

  /** Claims, and reads back what was claimed where the store went away in the middle. Never rejects. */
  private async claimSurely(
    claim: (token: string) => Promise<Claim>,
  ): Promise<Claim & { isLost: boolean }> {
    const token = this.claims.newToken();
    try {
      return { ...(await this.store.ask(() => claim(token))), isLost: false };
    } catch (error) {
      const isLost = isStoreUnavailable(error);
      this.logger.warn({ err: error }, 'a claim failed; reading it back');
      return { claimed: await this.readBack(token), refused: [], isLost };
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
  private offerLater({ id, waiting }: ClaimedMessage, delayMs: number): void {
    setTimeout(() => this.offer(waiting ? 'waiting' : 'background', [id]), delayMs).unref();
  }

  private track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
    return tracked;
  }
}
