import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { minuteMs } from '#libs/durations';
import { isStoreUnavailable } from '../database/store-errors.js';
import { eventPermissions, type WebhookEvent } from '../events/event-types.js';
import { LOGGER } from '../logging/logging.module.js';
import { Turns } from '../timers/turns.js';
import { type AttemptResult, DeliveryAttempts } from './attempts/delivery-attempts.js';
import { LeaseEndedError } from './attempts/webhook-client.js';
import { EventSettlement } from './event-settlement.js';
import { EventsInHand } from './events-in-hand.js';
import { EndpointSwitch } from './leases/endpoint-switch.js';
import type { LeasedEndpoint } from './leases/leased-endpoint.js';
import { drainMs, LeasedEndpoints } from './leases/leased-endpoints.js';
import { type OpenEvent, OpenEvents } from './open-events.js';

const settleAgainMs = 250;
const settleMaxMs = minuteMs;

/** Retries within this time have a timer; the scan finds the others. */
const retryTimerMaxMs = 30_000;

/**
 * Delivers events. It reads in order what is due at the endpoints that it owns, and has a bounded
 * number of attempts at each, so that a slow endpoint delays no other.
 */
@Injectable()
export class Deliverer implements OnApplicationBootstrap {
  private readonly running = new Set<Promise<void>>();
  /** Many attempts that are due at once would hold up the sends of this process. */
  private readonly turns = new Turns(1);
  private isReading = false;
  /** An attempt had to wait because of attempts at other endpoints. */
  private isFull = false;

  constructor(
    private readonly owned: LeasedEndpoints,
    private readonly inHand: EventsInHand,
    private readonly events: OpenEvents,
    private readonly attempts: DeliveryAttempts,
    private readonly settlement: EventSettlement,
    private readonly endpoints: EndpointSwitch,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.owned.start({
      readSoon: () => this.readSoon(),
      pump: (endpoint) => this.pump(endpoint),
    });
  }

  /** Starts nothing more, hands its endpoints over, and waits for what is under way. */
  async stop(): Promise<void> {
    await this.owned.stop();
    const deadline = new Promise((resolve) => setTimeout(resolve, drainMs).unref());
    await Promise.race([Promise.allSettled(this.running), deadline]);
  }

  private readSoon(): void {
    if (!this.isReading) void this.read();
  }

  private async read(): Promise<void> {
    this.isReading = true;
    try {
      for (;;) {
        const wanted = this.wanted();
        if (wanted.length === 0) break;
        const reads = wanted.map((endpoint) => endpoint.beginRead());
        const inHand = reads.flatMap(({ endpointId }) => this.inHand.idsAt(endpointId));
        const found = await this.events.read(reads, inHand);
        for (const endpoint of wanted) {
          const own = found.filter(({ endpointId }) => endpointId === endpoint.id);
          this.takeIn(endpoint, own);
        }
      }
    } catch (error) {
      this.owned.noteStoreError(error, 'could not read events');
    } finally {
      this.isReading = false;
    }
  }

  private wanted(): LeasedEndpoint[] {
    if (this.owned.isStopping || !this.inHand.mayRead) return [];
    const nowMs = performance.now();
    return this.owned.all().filter((endpoint) => endpoint.isValid(nowMs) && endpoint.wanted > 0);
  }

  private takeIn(endpoint: LeasedEndpoint, events: readonly OpenEvent[]): void {
    endpoint.endRead(events);
    if (events.length === 0 || this.owned.current(endpoint.id) !== endpoint) return;
    endpoint.lastUsedMs = performance.now();
    if (!endpoint.isUsable) {
      this.run(this.giveUp(endpoint));
      return;
    }
    // Leaves out events that the previous worker has under way, as it reported after the read began.
    endpoint.buffer.push(...events.filter((event) => this.inHand.read(event)));
    this.pump(endpoint);
  }

  private async giveUp({ id }: LeasedEndpoint): Promise<void> {
    try {
      const isUnusable = await this.settlement.giveUpAll(id);
      if (!isUnusable) this.owned.offer(id, 0);
    } catch (error) {
      this.logger.warn({ err: error, endpoint_id: id }, 'could not give events up');
    }
  }

  /** Starts as many attempts as the endpoint and the process have room for. */
  private pump(endpoint: LeasedEndpoint): void {
    const nowMs = performance.now();
    const { buffer, pace } = endpoint;
    if (!endpoint.isUsable) {
      this.owned.putBack(endpoint, buffer.splice(0));
      return;
    }
    const pauseMs = pace.pauseMs(nowMs);
    const mayStart = pauseMs === 0 && endpoint.isValid(nowMs);
    const bound = mayStart ? pace.bound() : 0;
    const inFlight = () => this.inHand.inFlightAt(endpoint.id);
    for (let [event] = buffer; event && inFlight() < bound; [event] = buffer) {
      if (!this.inHand.mayBegin(event.accountId, pace.isProven)) {
        this.isFull = true;
        break;
      }
      buffer.shift();
      this.run(this.begin(endpoint, event));
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

  /** Takes a place, and begins when it is the turn of the account. */
  private async begin(endpoint: LeasedEndpoint, event: OpenEvent): Promise<void> {
    const settled = this.inHand.begin(event, endpoint.pace.isProven);
    await new Promise<void>((resolve) => this.turns.enter(event.accountId, resolve));
    await this.attempt(endpoint, event, settled);
  }

  /** Never rejects: an event that cannot be settled is read again later. */
  private async attempt(
    endpoint: LeasedEndpoint,
    event: OpenEvent,
    settled: () => void,
  ): Promise<void> {
    let isUntouched = false;
    try {
      if (await this.isWithheld(endpoint, event)) return;
      const result = await this.post(endpoint, event);
      if (result) await this.settle(endpoint, event, result);
      else isUntouched = true;
    } catch (error) {
      this.logger.error({ err: error, delivery_id: event.id }, 'a delivery failed');
    } finally {
      settled();
      if (isUntouched) this.owned.offer(event.endpointId, event.mark.dueMs);
      this.goOn(endpoint);
    }
  }

  /** Whether the endpoint's key may not read the event, which has failed then. */
  private async isWithheld(endpoint: LeasedEndpoint, { id, type }: OpenEvent): Promise<boolean> {
    const { withheld } = endpoint.target;
    const permission = eventPermissions[type as WebhookEvent];
    if (permission === undefined || !withheld.includes(type)) return false;
    const isSo = await this.persist(() => this.settlement.withhold(id, permission));
    // The key has got the permission since the lease was taken or renewed.
    if (!isSo) {
      const stillWithheld = withheld.filter((other) => other !== type);
      endpoint.target = { ...endpoint.target, withheld: stillWithheld };
    }
    return isSo;
  }

  /** @returns null when the lease ended first: nothing was written. */
  private async post(endpoint: LeasedEndpoint, event: OpenEvent): Promise<AttemptResult | null> {
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
    endpoint: LeasedEndpoint,
    { id, endpointId, attempts }: OpenEvent,
    result: AttemptResult,
  ): Promise<void> {
    const { startedAt, durationMs, statusCode, response, url, retryInMs } = result;
    const attempt = { id, startedAt, durationMs, statusCode, response, url };
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
      setTimeout(() => this.owned.offer(endpointId, dueMs), retryInMs).unref();
    }
    if (!isFinal && !isEndpointSpent) return;
    if (endpoint.target.url === url) endpoint.target = { ...endpoint.target, isOff: true };
    await this.endpoints.switchOff(endpointId, url, isFinal ? 'gone' : 'failing');
  }

  /** Writes the result of an attempt, even if the store is away for a moment. */
  private async persist<T>(write: () => Promise<T>): Promise<T> {
    const untilMs = performance.now() + settleMaxMs;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isStoreUnavailable(error) || this.owned.isStopping || performance.now() > untilMs) {
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

  private goOn(endpoint: LeasedEndpoint): void {
    this.pump(this.owned.current(endpoint.id) ?? endpoint);
    if (!this.isFull) return;
    this.isFull = false;
    for (const other of this.owned.all()) this.pump(other);
  }
}
