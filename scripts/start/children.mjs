import { setTimeout as pause } from 'node:timers/promises';
import { complain, say } from './console.mjs';

const restartDelayMaxMs = 10_000;
/** A process that ran this long before it died is restarted without delay. */
const steadyAfterMs = 5_000;

/**
 * Keeps one process alive: starts it, and restarts it whenever it dies (at once, after
 * 0.5 s, 1 s … 10 s), until it is stopped.
 */
export class Child {
  #launch;
  #onLaunch;
  #process;
  #stopping = new AbortController();
  #restarts = 0;

  /**
   * @param options.launch starts the process and returns, or resolves with,
   *   `{ pid, logPath, ready, exited, stop({ withinMs }), kill() }`; it is given a signal that aborts
   *   when the child is no longer wanted.
   * @param options.onLaunch is called with each process that was started.
   */
  constructor({ name, launch, onLaunch = () => {} }) {
    this.name = name;
    this.#launch = launch;
    this.#onLaunch = onLaunch;
  }

  /** The current process; undefined before the first start. */
  get process() {
    return this.#process;
  }

  /**
   * Starts it and waits until it is ready. From then on it is kept alive.
   *
   * @throws StartError when it ends before it was ready once, or takes too long.
   */
  async start() {
    await this.#launchOne();
    await this.#process.ready;
    void this.#keepAlive();
  }

  /** Stops it for good; after `withinMs` by force. */
  async stop({ withinMs }) {
    this.#stopping.abort();
    await this.#process?.stop({ withinMs });
  }

  /** Ends it for good, at once. */
  kill() {
    this.#stopping.abort();
    this.#process?.kill();
  }

  async #launchOne() {
    const signal = this.#stopping.signal;
    signal.throwIfAborted();
    const launched = await this.#launch({ signal });
    launched.ready.catch(() => {});
    this.#process = launched;
    this.#onLaunch(launched);
    // Stopped while it was starting: nothing else knows of it yet.
    if (signal.aborted) await launched.stop({ withinMs: 0 });
  }

  async #keepAlive() {
    const signal = this.#stopping.signal;
    for (;;) {
      const startedAt = performance.now();
      const how = await this.#process.exited;
      if (signal.aborted) return;
      if (performance.now() - startedAt > steadyAfterMs) this.#restarts = 0;
      complain(`${this.name} ended (${how}); starting it again. See ${this.#process.logPath}`);
      try {
        await this.#launchAgain();
      } catch {
        return;
      }
      this.#process.ready.then(
        () => say(`${this.name} is running again.`),
        () => {},
      );
    }
  }

  /** Tries until it is launched. @throws when the child is no longer wanted. */
  async #launchAgain() {
    const signal = this.#stopping.signal;
    for (;;) {
      const delayMs = this.#restarts === 0 ? 0 : 500 * 2 ** (this.#restarts - 1);
      this.#restarts++;
      await pause(Math.min(delayMs, restartDelayMaxMs), undefined, { signal });
      try {
        return await this.#launchOne();
      } catch (error) {
        signal.throwIfAborted();
        complain(`${this.name} cannot be started again: ${error.message}`);
      }
    }
  }
}
