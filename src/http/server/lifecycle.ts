import { type BeforeApplicationShutdown, Injectable, type OnModuleDestroy } from '@nestjs/common';

/** How long load balancers have to notice that this process is stopping, if requests came just now. */
const lingerMs = 1_000;

/** Whether this process is stopping; readiness reports it from the first moment. */
@Injectable()
export class Lifecycle implements OnModuleDestroy, BeforeApplicationShutdown {
  private lastRequestAt = Number.NEGATIVE_INFINITY;
  private stoppingSince: number | null = null;

  get isStopping(): boolean {
    return this.stoppingSince !== null;
  }

  /** Call it for every request except health checks. */
  noteRequest(): void {
    this.lastRequestAt = performance.now();
  }

  onModuleDestroy(): void {
    this.stop();
  }

  /**
   * Accepts requests for a moment longer: closing at once would reset connections on which a request
   * is under way.
   */
  async beforeApplicationShutdown(): Promise<void> {
    // The time that other parts took to close does not count: until now, clients could not know.
    if (this.stop() - this.lastRequestAt > lingerMs) return;
    await new Promise((resolve) => setTimeout(resolve, lingerMs));
  }

  /** @returns when the process was asked to stop. */
  private stop(): number {
    this.stoppingSince ??= performance.now();
    return this.stoppingSince;
  }
}
