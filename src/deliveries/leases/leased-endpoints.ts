import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { minuteMs } from '#libs/durations';
import { EventHints } from '../../hints/event-hints.js';
import { LOGGER } from '../../logging/logging.module.js';
import { Timers } from '../../timers/timers.js';
import { EventsInHand } from '../events-in-hand.js';
import type { OpenEvent } from '../open-events.js';
import { EndpointLeases, type LeaseAnswer } from './endpoint-leases.js';
import { EndpointScan } from './endpoint-scan.js';
import { LeasedEndpoint } from './leased-endpoint.js';

const renewEveryMs = 1_000;
const idleMs = 2_000;
const rewindEveryMs = minuteMs;

const lagEveryMs = 100;
const lagMaxMs = 100;

/** How much later than others a worker takes endpoints when its attempts are full, or its loop lags. */
const busyDelayMs = 50;
const lagDelayMs = 200;

/** An endpoint that has waited this long at a busy worker is given to another one. */
const waitMaxMs = 1_000;

/** For how long this worker leaves such an endpoint to others. */
const giveBackMs = 2_000;

const takeMax = 200;

/** How long running attempts may take after the process was asked to stop. */
export const drainMs = 16_000;

/** What the deliverer does with owned endpoints. */
export interface EndpointWork {
  /** Some of them may have events that are due. */
  readSoon(): void;
  /** Attempts may start at this one. */
  pump(endpoint: LeasedEndpoint): void;
}

/** The endpoints that this worker owns: takes them when they have events, keeps them, hands them over. */
@Injectable()
export class LeasedEndpoints {
  private readonly owned = new Map<string, LeasedEndpoint>();
  private readonly toTake = new Set<string>();
  private readonly refusedUntil = new Map<string, number>();
  /** Leases on their way back, and whether something became due meanwhile. */
  private readonly releasing = new Map<string, boolean>();
  private work: EndpointWork = { readSoon: () => {}, pump: () => {} };
  private readonly timers: Timers;
  private isTaking = false;
  private isRenewing = false;
  private mustRenew = false;
  private isLagging = false;
  isStopping = false;

  constructor(
    private readonly leases: EndpointLeases,
    private readonly endpointScan: EndpointScan,
    private readonly inHand: EventsInHand,
    private readonly hints: EventHints,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger);
  }

  async start(work: EndpointWork): Promise<void> {
    this.work = work;
    let lastMs = performance.now();
    this.timers.every(lagEveryMs, 'watch the lag', () => {
      const nowMs = performance.now();
      this.isLagging = nowMs - lastMs > lagEveryMs + lagMaxMs;
      lastMs = nowMs;
    });
    this.timers.every(renewEveryMs, 'look after endpoints', () => this.tick());
    await this.hints.listen(
      (hints) => {
        for (const { endpointId, dueMs } of hints) this.offer(endpointId, dueMs);
      },
      () => this.lookAgain(),
    );
    this.tick();
  }

  /** Takes nothing more, and hands over what it has. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.timers.stop();
    await this.release(this.all()).catch((error: unknown) => {
      this.logger.debug({ err: error }, 'could not hand endpoints over; their leases end');
    });
  }

  all(): LeasedEndpoint[] {
    return [...this.owned.values()];
  }

  /** The endpoint as it is owned now, maybe under another lease. */
  current(endpointId: string): LeasedEndpoint | undefined {
    return this.owned.get(endpointId);
  }

  /** An endpoint may have an event that is due since `dueMs`; 0 says that its settings changed. */
  offer(endpointId: string, dueMs: number): void {
    if (this.isStopping) return;
    const endpoint = this.owned.get(endpointId);
    if (endpoint) {
      endpoint.noteDue(dueMs);
      if (dueMs === 0) void this.renew();
      else this.work.readSoon();
    } else if (this.releasing.has(endpointId)) {
      this.releasing.set(endpointId, true);
    } else if ((this.refusedUntil.get(endpointId) ?? 0) <= performance.now()) {
      this.toTake.add(endpointId);
      this.takeSoon();
    }
  }

  /** Events that were read and are not delivered by this worker, or not now. */
  putBack(endpoint: LeasedEndpoint, events: readonly OpenEvent[]): void {
    for (const event of events) {
      this.inHand.putBack(event);
      endpoint.noteDue(event.mark.dueMs);
    }
  }

  /** PostgreSQL may have restarted, which loses our leases and its notifications. */
  noteStoreError(error: unknown, text: string): void {
    this.logger.warn({ err: error }, `${text}; events stay due`);
    const nowMs = performance.now();
    for (const endpoint of this.owned.values()) endpoint.doubt(nowMs);
    this.lookAgain();
  }

  /** Hints may have been lost. */
  private lookAgain(): void {
    for (const endpoint of this.owned.values()) endpoint.noteDue(0);
    this.endpointScan.scanSoon();
  }

  private tick(): void {
    const nowMs = performance.now();
    for (const [id, until] of this.refusedUntil) if (until <= nowMs) this.refusedUntil.delete(id);
    void this.renew();
    if (this.inHand.load >= 1) this.giveBack(nowMs);
    for (const endpoint of this.owned.values()) {
      if (nowMs - endpoint.lastRewoundMs < rewindEveryMs) continue;
      endpoint.lastRewoundMs = nowMs;
      endpoint.noteDue(0);
    }
    this.endpointScan.look((endpointId) => this.offer(endpointId, 0));
    this.work.readSoon();
    this.takeSoon();
    for (const endpoint of this.owned.values()) this.work.pump(endpoint);
  }

  /** A busy worker lets others go first and takes what they leave. */
  private takeSoon(): void {
    if (this.isTaking || this.isStopping || this.toTake.size === 0) return;
    const { load } = this.inHand;
    if (load >= 1) return;
    this.isTaking = true;
    setTimeout(
      () => void this.take(),
      this.isLagging ? lagDelayMs : Math.round(busyDelayMs * load),
    );
  }

  private async take(): Promise<void> {
    const ids = [...this.toTake].slice(0, takeMax);
    for (const id of ids) this.toTake.delete(id);
    try {
      const askedAtMs = performance.now();
      for (const answer of await this.leases.takeLeases(ids)) this.taken(answer, askedAtMs);
    } catch (error) {
      this.noteStoreError(error, 'could not acquire endpoints');
    } finally {
      this.isTaking = false;
    }
    this.work.readSoon();
    this.takeSoon();
  }

  private taken(answer: LeaseAnswer, askedAtMs: number): void {
    const { endpointId: id, term, busy, busyMs } = answer;
    if (term === null) {
      this.refusedUntil.set(id, performance.now() + (answer.refusedMs ?? 0));
      return;
    }
    this.owned.set(id, new LeasedEndpoint({ ...answer, term }, askedAtMs));
    if (!busy?.length || busyMs === null) return;
    // Another worker is delivering these and will settle them.
    const added = busy.filter((event) => this.inHand.addEvent(id, event));
    setTimeout(() => {
      for (const event of added) this.inHand.remove(id, event);
      this.offer(id, 0);
    }, busyMs).unref();
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
    this.work.readSoon();
  }

  private async renewNow(): Promise<void> {
    if (this.owned.size === 0) return;
    try {
      const askedAtMs = performance.now();
      const endpoints = this.all();
      const isIdle = ({ id, lastUsedMs }: LeasedEndpoint) =>
        askedAtMs - lastUsedMs > idleMs && this.inHand.idsAt(id).length === 0;
      await this.release(endpoints.filter(isIdle));
      const used = endpoints.filter((endpoint) => !isIdle(endpoint));
      const answers = await this.leases.renew(used.map(leaseOf));
      const renewed = new Map(answers.map((answer) => [answer.endpointId, answer]));
      for (const endpoint of used) {
        const answer = renewed.get(endpoint.id);
        if (answer) {
          const isBack = endpoint.renewed(answer, askedAtMs);
          if (answer.retryDueMs !== null) endpoint.noteDue(answer.retryDueMs);
          if (isBack) this.work.pump(endpoint);
        } else {
          this.drop(endpoint);
          this.offer(endpoint.id, 0);
        }
      }
    } catch (error) {
      this.noteStoreError(error, 'could not renew leases');
    }
  }

  /** Gives endpoints that wait too long here to other workers. */
  private giveBack(nowMs: number): void {
    const waiting = this.all().filter(
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

  private async release(endpoints: readonly LeasedEndpoint[]): Promise<void> {
    const released = endpoints.filter((endpoint) => this.owned.get(endpoint.id) === endpoint);
    if (released.length === 0) return;
    const hadEvents = released.filter(({ buffer }) => buffer.length > 0);
    for (const endpoint of released) {
      this.drop(endpoint);
      this.releasing.set(endpoint.id, false);
    }
    try {
      const dueInMs = await this.leases.release(
        released.map(leaseOf),
        (id) => this.inHand.idsAt(id),
        drainMs,
      );
      if (dueInMs !== null) this.endpointScan.scanWithin(dueInMs);
    } finally {
      for (const { id } of released) {
        const isDue = this.releasing.get(id);
        this.releasing.delete(id);
        if (isDue) this.offer(id, 0);
      }
    }
    for (const { id } of hadEvents) this.hints.wake(id, 0);
  }

  /** The lease is over: the next owner will read its events again. */
  private drop(endpoint: LeasedEndpoint): void {
    if (this.owned.get(endpoint.id) === endpoint) this.owned.delete(endpoint.id);
    this.putBack(endpoint, endpoint.end());
  }
}

const leaseOf = ({ id, term }: LeasedEndpoint) => ({ endpointId: id, term });
