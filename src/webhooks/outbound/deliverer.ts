import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../logging/logging.module.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import {
  type ClaimedDelivery,
  DeliveryClaims,
  type EndpointRoom,
  endpointMax,
} from './delivery-claims.js';

/** How often a worker looks for what no hint has told it of: retries, and hints that were lost. */
const dueEveryMs = 1_000;

/** Attempts at once. Endpoints that hang for the whole time-out take eight each. */
const inFlightMax = 1_024;

/** What running attempts get after the process was told to stop; after it their leases end. */
const drainMs = 16_000;

/**
 * Decides which deliveries this worker makes now. Every endpoint has a bounded share of it, so that
 * a slow one delays no other.
 */
@Injectable()
export class Deliverer implements OnApplicationBootstrap {
  private readonly busy = new Map<string, number>();
  private readonly running = new Set<Promise<void>>();
  /** Endpoints to look at: a hint told of them, or there was more than they had room for. */
  private wanted = new Set<string>();
  private readonly full = new Set<string>();
  private isClaiming = false;
  private isStopping = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly attempts: DeliveryAttempts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), dueEveryMs);
  }

  /** Takes a hint. */
  offer(apiKeyIds: readonly string[]): void {
    for (const id of apiKeyIds) this.want(id);
    void this.pump();
  }

  /** An endpoint is looked at soon, or as soon as it has room. */
  private want(apiKeyId: string): void {
    if (this.roomOf(apiKeyId) > 0) this.wanted.add(apiKeyId);
    else this.full.add(apiKeyId);
  }

  /** Starts nothing more and waits for what runs. */
  async stop(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
    const deadline = new Promise((resolve) => setTimeout(resolve, drainMs).unref());
    await Promise.race([Promise.allSettled(this.running), deadline]);
  }

  private get free(): number {
    return this.isStopping ? 0 : Math.max(0, inFlightMax - this.running.size);
  }

  private async look(): Promise<void> {
    await this.claim(() => this.claims.claimDue(this.rooms(), this.free));
  }

  private async pump(): Promise<void> {
    while (this.wanted.size > 0 && !this.isClaiming && this.free > 0) {
      const wanted = [...this.wanted];
      this.wanted = new Set();
      const ids = wanted.filter((id) => this.roomOf(id) > 0);
      for (const id of wanted) if (this.roomOf(id) <= 0) this.full.add(id);
      if (ids.length > 0) {
        await this.claim(() => this.claims.claimFor(ids, this.rooms(), this.free));
      }
    }
  }

  private async claim(claim: () => Promise<ClaimedDelivery[]>): Promise<void> {
    if (this.isClaiming || this.free === 0) return;
    this.isClaiming = true;
    try {
      const rooms = new Map(this.rooms().map(({ apiKeyId, free }) => [apiKeyId, free]));
      const claimed = new Map<string, number>();
      for (const delivery of await claim()) {
        claimed.set(delivery.apiKeyId, (claimed.get(delivery.apiKeyId) ?? 0) + 1);
        this.start(delivery);
      }
      for (const [apiKeyId, count] of claimed) {
        // It had more than there was room for, perhaps.
        if (count >= (rooms.get(apiKeyId) ?? endpointMax)) this.want(apiKeyId);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'could not claim deliveries; they stay due');
    } finally {
      this.isClaiming = false;
    }
    if (this.wanted.size > 0) void this.pump();
  }

  private start(delivery: ClaimedDelivery): void {
    const { apiKeyId } = delivery;
    this.busy.set(apiKeyId, (this.busy.get(apiKeyId) ?? 0) + 1);
    const work = this.attempts.make(delivery).finally(() => {
      this.running.delete(work);
      this.leave(apiKeyId);
    });
    this.running.add(work);
  }

  private leave(apiKeyId: string): void {
    const count = (this.busy.get(apiKeyId) ?? 1) - 1;
    if (count > 0) this.busy.set(apiKeyId, count);
    else this.busy.delete(apiKeyId);
    if (this.full.delete(apiKeyId)) this.wanted.add(apiKeyId);
    if (this.wanted.size > 0) void this.pump();
  }

  private roomOf(apiKeyId: string): number {
    return endpointMax - (this.busy.get(apiKeyId) ?? 0);
  }

  private rooms(): EndpointRoom[] {
    return [...this.busy.keys()].map((apiKeyId) => ({ apiKeyId, free: this.roomOf(apiKeyId) }));
  }
}
