import type { Logger } from 'pino';

/**
 * What a process repeats until it stops. No run begins before the last one of its kind has ended, and a run that
 * fails is logged. Timers keep no process alive, unless they are
 * its purpose. For what one of all processes does, see PeriodicWork.
 */
export class Timers {
  private readonly timers: NodeJS.Timeout[] = [];

  /** @param options `keepsAlive`: the process goes on for them, also while it has no connection. */
  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly options: { readonly keepsAlive?: boolean } = {},
  ) {}

  /**
   * The first run begins after one period.
   * @param name completes "could not …".
   */
  every(periodMs: number, name: string, work: () => void | Promise<void>): void {
    let isRunning = false;
    const timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      void this.run(name, work).finally(() => {
        isRunning = false;
      });
    }, periodMs);
    if (!this.options.keepsAlive) timer.unref();
    this.timers.push(timer);
  }

  /** Runs work once. Never rejects. */
  async run(name: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn({ err: error }, `could not ${name}`);
    }
  }

  /** Stops all timers: no further run begins. */
  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }
}
