import { type BeforeApplicationShutdown, Injectable, type OnModuleDestroy } from '@nestjs/common';

/** What a load balancer gets to see that this process stops, where it has sent something just now. */
const lingerMs = 1_000;

/** Whether this process is on its way out; readiness says so from the first moment. */
@Injectable()
export class Lifecycle implements OnModuleDestroy, BeforeApplicationShutdown {
  private lastRequestAt = Number.NEGATIVE_INFINITY;
  private stoppingSince: number | null = null;

  get isStopping(): boolean {
    return this.stoppingSince !== null;
  }

  /** Call it with every request that is no question after our health. */
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
    // What others needed to close until here does not count: clients could not turn away before it began.
    if (this.stop() - this.lastRequestAt > lingerMs) return;
    await new Promise((resolve) => setTimeout(resolve, lingerMs));
  }

  /** @returns when the process was asked to stop. */
  private stop(): number {
    this.stoppingSince ??= performance.now();
    return this.stoppingSince;
  }
}
