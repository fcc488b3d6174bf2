import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../logging/logging.module.js';
import { OpenEvents } from '../open-events.js';
import { EndpointLeases } from './endpoint-leases.js';

/** How often to scan, and less often when a scan takes longer than `scanMaxMs`. */
const scanEveryMs = 10_000;
const scanEveryMaxMs = 30_000;

/** A due retry of an endpoint without a worker triggers a scan, but not one scan after the other. */
const scanAgainMinMs = 1_000;
const scanMaxMs = 50;

/** Finds endpoints that no hint has announced: those of lost hints, retries, and dead workers. */
@Injectable()
export class EndpointScan {
  private isScanning = false;
  private nextAtMs = 0;

  constructor(
    private readonly events: OpenEvents,
    private readonly leases: EndpointLeases,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The next look is a scan. */
  scanSoon(): void {
    this.nextAtMs = 0;
  }

  scanWithin(ms: number): void {
    this.nextAtMs = Math.min(this.nextAtMs, performance.now() + ms);
  }

  /** Scans if it is time to, and always looks for workers that have died, or were cut off. */
  look(offer: (endpointId: string) => void): void {
    if (performance.now() >= this.nextAtMs) void this.scan(offer);
    void this.findLapsed(offer);
  }

  private async findLapsed(offer: (endpointId: string) => void): Promise<void> {
    try {
      for (const endpointId of await this.leases.lapsed()) offer(endpointId);
    } catch (error) {
      this.logger.debug({ err: error }, 'could not look for leases that have ended');
    }
  }

  private async scan(offer: (endpointId: string) => void): Promise<void> {
    if (this.isScanning) return;
    this.isScanning = true;
    const startedAtMs = performance.now();
    this.nextAtMs = startedAtMs + scanEveryMs;
    try {
      const unowned = await this.events.unowned();
      const nowMs = performance.now();
      const slowness = Math.max(1, (nowMs - startedAtMs) / scanMaxMs);
      let againInMs = scanEveryMs * slowness;
      for (const { endpointId, dueInMs } of unowned) {
        if (dueInMs <= 0) offer(endpointId);
        else againInMs = Math.min(againInMs, Math.max(dueInMs, scanAgainMinMs * slowness));
      }
      // A scan requested while this one was under way gets its own run.
      if (this.nextAtMs > 0) this.nextAtMs = nowMs + Math.min(againInMs, scanEveryMaxMs);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not look for events that are due');
      this.scanSoon();
    } finally {
      this.isScanning = false;
    }
  }
}
