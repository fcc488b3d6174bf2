import { setTimeout as pause } from 'node:timers/promises';
import { complain, say } from './console.js';

const restartDelayMaxMs = 10_000;
/** A process that ran this long before it died is restarted without delay. */
const steadyAfterMs = 5_000;

/** A process that was launched. */
export interface Launched {
  readonly pid: number | undefined;
  readonly logPath: string;
  readonly ready: Promise<void>;
  /** Resolves with how it ended. */
  readonly exited: Promise<string>;
  stop(options: { withinMs: number }): Promise<void>;
  kill(): void;
}

/**
 * Keeps one process alive: starts it, and restarts it whenever it dies (at once, after
 * 0.5 s, 1 s … 10 s), until it is stopped.
 */
export class Child<Process extends Launched = Launched> {
  private current: Process | undefined;
  private readonly stopping = new AbortController();
  private restarts = 0;

  /** @param launch starts the process; its signal aborts when the child is no longer wanted. */
  constructor(
    readonly name: string,
    private readonly launch: (signal: AbortSignal) => Promise<Process>,
  ) {}

  /** The current process, once it was started. */
  get process(): Process {
    if (!this.current) throw new Error(`${this.name} was not started`);
    return this.current;
  }

  /**
   * Starts it and waits until it is ready. From then on it is kept alive.
   *
   * @throws StartError when it ends before it was ready once, or takes too long.
   */
  async start(): Promise<void> {
    const launched = await this.launchOne();
    await launched.ready;
    void this.keepAlive();
  }

  /** Stops it for good; after `withinMs` by force. */
  async stop(options: { withinMs: number }): Promise<void> {
    this.stopping.abort();
    await this.current?.stop(options);
  }

  /** Ends it for good, at once. */
  kill(): void {
    this.stopping.abort();
    this.current?.kill();
  }

  private async launchOne(): Promise<Process> {
    const signal = this.stopping.signal;
    signal.throwIfAborted();
    const launched = await this.launch(signal);
    launched.ready.catch(() => {});
    this.current = launched;
    // Stopped while it was starting: nothing else knows of it yet.
    if (signal.aborted) await launched.stop({ withinMs: 0 });
    return launched;
  }

  private async keepAlive(): Promise<void> {
    const signal = this.stopping.signal;
    for (;;) {
      const startedAt = performance.now();
      const how = await this.process.exited;
      if (signal.aborted) return;
      if (performance.now() - startedAt > steadyAfterMs) this.restarts = 0;
      complain(`${this.name} ended (${how}); starting it again. See ${this.process.logPath}`);
      try {
        await this.launchAgain();
      } catch {
        return;
      }
      this.process.ready.then(
        () => say(`${this.name} is running again.`),
        () => {},
      );
    }
  }

  /** Tries until it is launched. @throws when the child is no longer wanted. */
  private async launchAgain(): Promise<void> {
    const signal = this.stopping.signal;
    for (;;) {
      const delayMs = this.restarts === 0 ? 0 : 500 * 2 ** (this.restarts - 1);
      this.restarts++;
      await pause(Math.min(delayMs, restartDelayMaxMs), undefined, { signal });
      try {
        await this.launchOne();
        return;
      } catch (error) {
        signal.throwIfAborted();
        complain(`${this.name} cannot be started again: ${(error as Error).message}`);
      }
    }
  }
}
