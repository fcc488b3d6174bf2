import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { EventFeed, type FeedRead } from '../../events/event-feed.js';
import { LOGGER } from '../../logging/logging.module.js';

/** How often the feeds are looked at for which somebody waits, all in one statement. */
const lookEveryMs = 200;

/** Readers that wait in this process; more get an empty page at once. */
const waitingMax = 2_000;

/** The same for the readers of one key. */
const waitingOfKeyMax = 20;

interface Waiter {
  readonly read: FeedRead;
  readonly end: () => void;
}

/** Readers of feeds that have nothing for them yet. */
@Injectable()
export class FeedWaiting implements BeforeApplicationShutdown {
  private readonly waiters = new Set<Waiter>();
  private isLooking = false;
  private isStopping = false;

  constructor(
    private readonly feed: EventFeed,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the feed may have something, after `ms`, or when the process stops.
   * @returns false at once if it may not wait: too many do, in all or of its key, or the process stops.
   */
  wait(read: FeedRead, ms: number): Promise<boolean> {
    if (!this.hasRoom(read.apiKeyId)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve(true);
      };
      const timer = setTimeout(end, ms);
      const waiter: Waiter = { read, end };
      this.waiters.add(waiter);
      if (!this.isLooking) void this.look();
    });
  }

  private hasRoom(apiKeyId: string): boolean {
    if (this.isStopping || this.waiters.size >= waitingMax) return false;
    let ofKey = 0;
    for (const { read } of this.waiters) if (read.apiKeyId === apiKeyId) ofKey += 1;
    return ofKey < waitingOfKeyMax;
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const { end } of this.waiters) end();
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    while (this.waiters.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      const waiters = [...this.waiters];
      if (waiters.length === 0) break;
      try {
        const found = await this.feed.find(waiters.map(({ read }) => read));
        for (const index of found) waiters[index]?.end();
      } catch (error) {
        this.logger.warn({ err: error }, 'could not look into feeds');
      }
    }
    this.isLooking = false;
  }
}
