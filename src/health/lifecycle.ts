import { type BeforeApplicationShutdown, Injectable, type OnModuleDestroy } from '@nestjs/common';

/** What a load balancer gets to see that this process stops, where it has sent something just now. */
const lingerMs = 1_000;

/** Whether this process is on its way out; readiness says so from the first moment. */
@Injectable()
export class Lifecycle implements OnModuleDestroy, BeforeApplicationShutdown {
  isStopping = false;
  private lastRequestAt = Number.NEGATIVE_INFINITY;

  /** Call it with every request that is no question after our health. */
  noteRequest(): void {
    this.lastRequestAt = performance.now();
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /**
   * Takes requests for a moment longer: whoever closes at once resets connections on which a request
   * is under way.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (performance.now() - this.lastRequestAt > lingerMs) return;
    await new Promise((resolve) => setTimeout(resolve, lingerMs));
  }
}
