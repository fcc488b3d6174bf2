import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { isStoreUnavailable } from '../../database/store-errors.js';
import { EventHints } from '../../hints/event-hints.js';
import { LOGGER } from '../../logging/logging.module.js';
import { type AttemptResult, DeliveryAttempts } from './delivery-attempts.js';
import { EndpointLeases, type EndpointTarget, type LeaseAnswer } from './endpoint-leases.js';
import { Endpoints } from './endpoints.js';
import { EventSettlement } from './event-settlement.js';
import { type OpenEvent, OpenEvents } from './open-events.js';
import { OwnedEndpoint } from './owned-endpoint.js';
import { LeaseEndedError } from './webhook-client.js';

/** Attempts at once, and how many of them may be at endpoints that have taken nothing yet. */
const inFlightMax = 1_024;
const unprovenMax = inFlightMax / 2;

/** Bodies that are read and not delivered, in this process. */
const bufferedMaxBytes = 16 * 1024 * 1024;

const renewEveryMs = 1_000;
const idleMs = 2_000;
const rewindEveryMs = 60_000;

/** How often to look for endpoints without a hint, and less often when a look takes longer than `scanMaxMs`. */
const scanEveryMs = 10_000;
const scanEveryMaxMs = 30_000;

/** A retry of an endpoint that nobody has calls for a look when it is due, but not for one after the other. */
const scanAgainMinMs = 1_000;
const scanMaxMs = 50;

const lagEveryMs = 100;
const lagMaxMs = 100;

/** How much later than others a worker takes endpoints when its attempts are full, or its loop lags. */
const busyDelayMs = 50;
const lagDelayMs = 200;

/** An endpoint that has waited for so long on a busy worker is given to another one. */
const waitMaxMs = 1_000;

/** For how long this worker leaves such an endpoint to others. */
const giveBackMs = 2_000;

/** What running attempts get after the process was asked to stop. */
const drainMs = 16_000;

const takeMax = 200;
const settleAgainMs = 250;
const settleMaxMs = 60_000;

/** Retries within this time have a timer; the scan finds the others. */
const retryTimerMaxMs = 30_000;

/**
 * Delivers events. It owns endpoints for a while, reads what is due at them in order, and has a
 * bounded number of attempts at each, so that a slow endpoint delays no other.
 */
@Injectable()
export class Deliverer implements OnApplicationBootstrap {
  private readonly owned = new Map<string, OwnedEndpoint>();
  /** Events of each endpoint that are read, under way or being settled, also beyond a lease. */
  private readonly inHand = new Map<string, Set<string>>();
  private readonly toTake = new Set<string>();
  private readonly refusedUntil = new Map<string, number>();
  /** Leases on their way back, and whether something became due meanwhile. */
  private readonly releasing = new Map<string, boolean>();
  private readonly running = new Set<Promise<void>>();
  /** Attempts at each endpoint that are begun and not settled, also beyond a lease: a kill repeats no more than these. */
  private readonly inFlightAt = new Map<string, number>();
  private inFlight = 0;
  private unproven = 0;
  private bufferedBytes = 0;
  private isReading = false;
  private isTaking = false;
  private isRenewing = false;
  private mustRenew = false;
  private isScanning = false;
  private isStopping = false;
  private isLagging = false;
  /** An attempt had to wait for others of other endpoints. */
  private isFull = false;
  private scanAtMs = 0;
  private timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly leases: EndpointLeases,
    private readonly events: OpenEvents,
    private readonly attempts: DeliveryAttempts,
    private readonly settlement: EventSettlement,
    private readonly endpoints: Endpoints,
    private readonly hints: EventHints,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    let lastMs = performance.now();
    const watchLag = () => {
      const nowMs = performance.now();
      this.isLagging = nowMs - lastMs > lagEveryMs + lagMaxMs;
      lastMs = nowMs;
    };
    this.timers = [setInterval(watchLag, lagEveryMs), setInterval(() => this.tick(), renewEveryMs)];
    await this.hints.listen(
      (hints) => {
        for (const { endpointId, dueMs } of hints) this.offer(endpointId, dueMs);
      },
      () => this.lookAgain(),
    );
    void this.scan();
  }

  /** An endpoint may have an event that is due since `dueMs`; 0 says that its settings changed. */
  offer(endpointId: string, dueMs: number): void {
    if (this.isStopping) return;
    const endpoint = this.owned.get(endpointId);
    if (endpoint) {
      endpoint.noteDue(dueMs);
      if (dueMs === 0) void this.renew();
      else this.readSoon();
    } else if (this.releasing.has(endpointId)) {
      this.releasing.set(endpointId, true);
    } else if ((this.refusedUntil.get(endpointId) ?? 0) <= performance.now()) {
      this.toTake.add(endpointId);
      this.takeSoon();
    }
  }

  /** Starts nothing more, hands its endpoints over, and waits for what is under way. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.release([...this.owned.values()]).catch((error: unknown) => {
      this.logger.debug({ err: error }, 'could not hand endpoints over; their leases end');
    });
    const deadline = new Promise((resolve) => setTimeout(resolve, drainMs).unref());
    await Promise.race([Promise.allSettled(this.running), deadline]);
  }

  /** A busy worker lets others be faster, and takes what no other took. */
  private takeSoon(): void {
    if (this.isTaking || this.isStopping || this.toTake.size === 0) return;
    if (this.inFlight >= inFlightMax) return;
    this.isTaking = true;
    const busyMs = Math.round((busyDelayMs * this.inFlight) / inFlightMax);
    setTimeout(() => void this.take(), this.isLagging ? lagDelayMs : busyMs);
  }

  private async take(): Promise<void> {
    const ids = [...this.toTake].slice(0, takeMax);
    for (const id of ids) this.toTake.delete(id);
    try {
      const askedAtMs = performance.now();
      for (const answer of await this.leases.take(ids)) this.taken(answer, askedAtMs);
    } catch (error) {
      this.noteStoreError(error, 'could not acquire endpoints');
    } finally {
      this.isTaking = false;
    }
    this.readSoon();
    this.takeSoon();
  }

  private taken(answer: LeaseAnswer, askedAtMs: number): void {
    const { endpointId: id, term, busy, busyMs } = answer;
    if (term === null) {
      this.refusedUntil.set(id, performance.now() + (answer.refusedMs ?? 0));
      return;
    }
    const endpoint = new OwnedEndpoint({ ...answer, term }, askedAtMs);
    this.owned.set(id, endpoint);
    if (!busy || busyMs === null) return;
    // Another worker has these under way and will settle them.
    const handsOf = this.handsOf(id);
    const taken = busy.filter((event) => !handsOf.has(event));
    for (const event of taken) handsOf.add(event);
    setTimeout(() => {
      for (const event of taken) this.leaveHand(id, event);
      this.offer(id, 0);
    }, busyMs).unref();
  }

  private tick(): void {
    const nowMs = performance.now();
    for (const [id, until] of this.refusedUntil) if (until <= nowMs) this.refusedUntil.delete(id);
    void this.renew();
    if (this.inFlight >= inFlightMax) this.giveBack(nowMs);
    for (const endpoint of this.owned.values()) {
      if (nowMs - endpoint.lastRewoundMs < rewindEveryMs) continue;
      endpoint.lastRewoundMs = nowMs;
      endpoint.noteDue(0);
    }
    if (nowMs >= this.scanAtMs) void this.scan();
    void this.takeLapsed();
    this.readSoon();
    this.takeSoon();
    for (const endpoint of this.owned.values()) this.pump(endpoint);
  }

  /** Keeps the leases, and learns the targets as they are now. */
  private async renew(): Promise<void> {
    this.mustRenew = true;
    if (this.isRenewing || this.isStopping) return;
    this.isRenewing = true;
    while (this.mustRenew) {
      this.mustRenew = false;
      await this.renewNow();
    }
    this.isRenewing = false;
    this.readSoon();
  }

  private async renewNow(): Promise<void> {
    if (this.owned.size === 0) return;
    try {
      const askedAtMs = performance.now();
      const endpoints = [...this.owned.values()];
      const isIdle = ({ id, lastUsedMs }: OwnedEndpoint) =>
        askedAtMs - lastUsedMs > idleMs && !this.inHand.has(id);
      await this.release(endpoints.filter(isIdle));
      const used = endpoints.filter((endpoint) => !isIdle(endpoint));
      const renewed = new Map(
        (await this.leases.renew(used.map(heldOf))).map((answer) => [answer.endpointId, answer]),
      );
      for (const endpoint of used) {
        const answer = renewed.get(endpoint.id);
        if (answer) {
          const isBack = endpoint.renewed(answer, askedAtMs);
          if (answer.retryDueMs !== null) endpoint.noteDue(answer.retryDueMs);
          if (isBack) this.pump(endpoint);
          continue;
        }
        this.drop(endpoint);
        this.offer(endpoint.id, 0);
      }
    } catch (error) {
      this.noteStoreError(error, 'could not renew leases');
    }
  }

  /** Lets other workers have what waits too long here. */
  private giveBack(nowMs: number): void {
    const waiting = [...this.owned.values()].filter(
      ({ waitingSinceMs }) => waitingSinceMs !== null && nowMs - waitingSinceMs > waitMaxMs,
    );
    for (const { id } of waiting) {
      this.refusedUntil.set(id, nowMs + giveBackMs);
      setTimeout(() => this.offer(id, 0), giveBackMs).unref();
    }
    this.release(waiting).catch((error: unknown) => {
      this.noteStoreError(error, 'could not release endpoints');
    });
  }

  private async release(endpoints: readonly OwnedEndpoint[]): Promise<void> {
    const released = endpoints.filter((endpoint) => this.owned.get(endpoint.id) === endpoint);
    if (released.length === 0) return;
    const hadEvents = released.filter(({ buffer }) => buffer.length > 0);
    for (const endpoint of released) {
      this.drop(endpoint);
      this.releasing.set(endpoint.id, false);
    }
    try {
      const dueInMs = await this.leases.release(
        released.map(heldOf),
        (id) => [...(this.inHand.get(id) ?? [])],
        drainMs,
      );
      if (dueInMs !== null) this.scanAtMs = Math.min(this.scanAtMs, performance.now() + dueInMs);
    } finally {
      for (const { id } of released) {
        const isDue = this.releasing.get(id);
        this.releasing.delete(id);
        if (isDue) this.offer(id, 0);
      }
    }
    for (const { id } of hadEvents) this.hints.wake(id, 0);
  }

  /** The lease is over: what was read is for the next owner. */
  private drop(endpoint: OwnedEndpoint): void {
    if (this.owned.get(endpoint.id) === endpoint) this.owned.delete(endpoint.id);
    this.putBack(endpoint, endpoint.end());
  }

  /** Events that were read and are not delivered by this worker, or not now. */
  private putBack(endpoint: OwnedEndpoint, events: readonly OpenEvent[]): void {
    for (const event of events) {
      this.bufferedBytes -= event.body.length;
      this.leaveHand(endpoint.id, event.id);
      endpoint.noteDue(event.mark.dueMs);
    }
  }

  /** PostgreSQL may have been started again, without our leases and what it would have told us. */
  private noteStoreError(error: unknown, text: string): void {
    this.logger.warn({ err: error }, `${text}; events stay due`);
    const nowMs = performance.now();
    for (const endpoint of this.owned.values()) endpoint.doubt(nowMs);
    this.lookAgain();
  }

  /** Hints may have been lost. */
  private lookAgain(): void {
    for (const endpoint of this.owned.values()) endpoint.noteDue(0);
    this.scanSoon();
  }

  /** Takes over from workers that have died, or were cut off, since the last look. */
  private async takeLapsed(): Promise<void> {
    if (this.isStopping) return;
    try {
      for (const id of await this.leases.lapsed()) this.offer(id, 0);
    } catch (error) {
      this.logger.debug({ err: error }, 'could not look for leases that have ended');
    }
  }

  private scanSoon(): void {
    this.scanAtMs = 0;
  }

  /** Finds what no hint has announced: those that were lost, retries, endpoints of a dead worker. */
  private async scan(): Promise<void> {
    if (this.isScanning || this.isStopping) return;
    this.isScanning = true;
    const startedAtMs = performance.now();
    this.scanAtMs = startedAtMs + scanEveryMs;
    try {
      const unowned = await this.events.unowned();
      const nowMs = performance.now();
      const slowness = Math.max(1, (nowMs - startedAtMs) / scanMaxMs);
      let againInMs = scanEveryMs * slowness;
      for (const { endpointId, dueInMs } of unowned) {
        if (dueInMs <= 0) this.offer(endpointId, 0);
        else againInMs = Math.min(againInMs, Math.max(dueInMs, scanAgainMinMs * slowness));
      }
      // Who asked for a look while this one was under way gets another one.
      if (this.scanAtMs > 0) this.scanAtMs = nowMs + Math.min(againInMs, scanEveryMaxMs);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not look for events that are due');
      this.scanSoon();
    } finally {
      this.isScanning = false;
    }
  }

  private readSoon(): void {
    if (!this.isReading && !this.isStopping && this.owned.size > 0) void this.read();
  }

  private async read(): Promise<void> {
    this.isReading = true;
    try {
      for (;;) {
        const wanted = this.wanted();
        if (wanted.length === 0) break;
        const reads = wanted.map(({ endpoint, limit }) => ({
          endpointId: endpoint.id,
          after: endpoint.beginRead(),
          limit,
        }));
        const inHand = reads.flatMap(({ endpointId }) => [...(this.inHand.get(endpointId) ?? [])]);
        const found = await this.events.read(reads, inHand);
        for (const { endpoint, limit } of wanted) {
          const own = found.filter(({ endpointId }) => endpointId === endpoint.id);
          this.takeIn(endpoint, own, limit);
        }
      }
    } catch (error) {
      this.noteStoreError(error, 'could not read events');
    } finally {
      this.isReading = false;
    }
  }

  private wanted(): { endpoint: OwnedEndpoint; limit: number }[] {
    if (this.isStopping || this.bufferedBytes >= bufferedMaxBytes) return [];
    const nowMs = performance.now();
    return [...this.owned.values()].flatMap((endpoint) => {
      const limit = endpoint.isValid(nowMs) ? endpoint.wanted : 0;
      return limit > 0 ? [{ endpoint, limit }] : [];
    });
  }

  private takeIn(endpoint: OwnedEndpoint, events: readonly OpenEvent[], limit: number): void {
    endpoint.endRead(events.at(-1), events.length === limit);
    if (events.length === 0 || this.owned.get(endpoint.id) !== endpoint) return;
    endpoint.lastUsedMs = performance.now();
    if (!isUsable(endpoint.target)) {
      this.run(this.giveUp(endpoint));
      return;
    }
    const handsOf = this.handsOf(endpoint.id);
    for (const event of events) {
      // One that the worker before still has under way, as it said after the read began.
      if (handsOf.has(event.id)) continue;
      handsOf.add(event.id);
      endpoint.buffer.push(event);
      this.bufferedBytes += event.body.length;
    }
    if (handsOf.size === 0) this.inHand.delete(endpoint.id);
    this.pump(endpoint);
  }

  private async giveUp({ id }: OwnedEndpoint): Promise<void> {
    try {
      const isUnusable = await this.settlement.giveUpAll(id);
      if (!isUnusable) this.offer(id, 0);
    } catch (error) {
      this.logger.warn({ err: error, endpoint_id: id }, 'could not give events up');
    }
  }

  private handsOf(endpointId: string): Set<string> {
    const known = this.inHand.get(endpointId);
    if (known) return known;
    const ids = new Set<string>();
    this.inHand.set(endpointId, ids);
    return ids;
  }

  private leaveHand(endpointId: string, eventId: string): void {
    const ids = this.inHand.get(endpointId);
    ids?.delete(eventId);
    if (ids?.size === 0) this.inHand.delete(endpointId);
  }

  /** Starts as many attempts as the endpoint and the process have room for. */
  private pump(endpoint: OwnedEndpoint): void {
    const nowMs = performance.now();
    const { buffer, pace } = endpoint;
    if (!isUsable(endpoint.target)) {
      this.putBack(endpoint, buffer.splice(0));
      return;
    }
    const pauseMs = pace.pauseMs(nowMs);
    const mayStart = pauseMs === 0 && endpoint.isValid(nowMs);
    const bound = () => (mayStart ? pace.bound() : 0);
    const inFlight = () => this.inFlightAt.get(endpoint.id) ?? 0;
    while (buffer.length > 0 && inFlight() < bound()) {
      if (this.inFlight >= inFlightMax || (!pace.isProven && this.unproven >= unprovenMax)) {
        this.isFull = true;
        break;
      }
      const event = buffer.shift();
      if (!event) break;
      this.bufferedBytes -= event.body.length;
      this.run(this.attempt(endpoint, event));
    }
    endpoint.waitingSinceMs = buffer.length > 0 ? (endpoint.waitingSinceMs ?? nowMs) : null;
    if (endpoint.wanted > 0) this.readSoon();
    if (pauseMs > 0 && buffer.length > 0 && inFlight() === 0) {
      setTimeout(() => this.pump(endpoint), pauseMs).unref();
    }
  }

  private run(work: Promise<void>): void {
    const running = work.finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Never rejects: an event that cannot be settled is read again later. */
  private async attempt(endpoint: OwnedEndpoint, event: OpenEvent): Promise<void> {
    const end = this.begin(endpoint);
    let isUntouched = false;
    try {
      const result = await this.post(endpoint, event);
      if (result) await this.settle(endpoint, event, result);
      else isUntouched = true;
    } catch (error) {
      this.logger.error({ err: error, delivery_id: event.id }, 'a delivery failed');
    } finally {
      this.leaveHand(event.endpointId, event.id);
      end();
      if (isUntouched) this.offer(event.endpointId, event.mark.dueMs);
      this.goOn(endpoint);
    }
  }

  /** Takes a place in flight. What it returns gives the place back, when the event is settled. */
  private begin({ id, pace }: OwnedEndpoint): () => void {
    const isUnproven = !pace.isProven;
    const add = (count: number) => {
      const inFlight = (this.inFlightAt.get(id) ?? 0) + count;
      if (inFlight > 0) this.inFlightAt.set(id, inFlight);
      else this.inFlightAt.delete(id);
      this.inFlight += count;
      if (isUnproven) this.unproven += count;
    };
    add(1);
    return () => add(-1);
  }

  /** @returns null when the lease ended first: nothing was written. */
  private async post(endpoint: OwnedEndpoint, event: OpenEvent): Promise<AttemptResult | null> {
    const startedAtMs = performance.now();
    const { pace, target } = endpoint;
    endpoint.waitingSinceMs = null;
    try {
      const result = await this.attempts.make(event, target, () => endpoint.isValid());
      const nowMs = performance.now();
      endpoint.lastUsedMs = nowMs;
      if (!result.isDelivered) pace.noteFailure(result.statusCode, startedAtMs, nowMs);
      else if (pace.noteSuccess()) void this.forgetFailures(endpoint.id);
      return result;
    } catch (error) {
      if (error instanceof LeaseEndedError) return null;
      throw error;
    }
  }

  private async settle(
    endpoint: OwnedEndpoint,
    { id, endpointId, attempts }: OpenEvent,
    result: AttemptResult,
  ): Promise<void> {
    const { startedAt, durationMs, statusCode, response, retryInMs } = result;
    const attempt = { id, startedAt, durationMs, statusCode, response };
    if (result.isDelivered) {
      await this.persist(() => this.settlement.finish({ ...attempt, number: attempts + 1 }));
      return;
    }
    const isFinal = statusCode === 410;
    const error = result.reason ?? 'unknown';
    const { dueMs, isEndpointSpent } = await this.persist(() =>
      this.settlement.fail({ ...attempt, endpointId, error, retryInMs, isFinal }),
    );
    if (dueMs !== null && retryInMs !== null && retryInMs <= retryTimerMaxMs) {
      setTimeout(() => this.offer(endpointId, dueMs), retryInMs).unref();
    }
    if (!isFinal && !isEndpointSpent) return;
    endpoint.target = { ...endpoint.target, isOff: true };
    await this.endpoints.switchOff(endpointId, isFinal ? 'gone' : 'failing');
  }

  /** Writes what became of an attempt, also when the store is away for a moment. */
  private async persist<T>(write: () => Promise<T>): Promise<T> {
    const untilMs = performance.now() + settleMaxMs;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isStoreUnavailable(error) || this.isStopping || performance.now() > untilMs) {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, settleAgainMs));
      }
    }
  }

  private async forgetFailures(endpointId: string): Promise<void> {
    await this.settlement.forgetFailures(endpointId).catch((error: unknown) => {
      this.logger.debug({ err: error }, 'failures are forgotten with the next success');
    });
  }

  private goOn(endpoint: OwnedEndpoint): void {
    this.pump(this.owned.get(endpoint.id) ?? endpoint);
    if (!this.isFull) return;
    this.isFull = false;
    for (const other of this.owned.values()) this.pump(other);
  }
}

const heldOf = ({ id, term }: OwnedEndpoint) => ({ endpointId: id, term });

const isUsable = ({ url, isOff }: EndpointTarget) => url !== null && !isOff;
