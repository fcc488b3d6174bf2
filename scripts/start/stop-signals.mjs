const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Under npm one Ctrl-C arrives twice: from the terminal and from npm, which passes it on. A signal
 * this soon after the first one is a copy of it, not a second request.
 */
const sameWishMs = 1_000;

/** The first signal asks to stop in order, one after it insists on stopping at once. */
export class StopSignals {
  #asked = new AbortController();
  #askedAt = 0;

  /** Called when a second signal insists; the process exits right after. */
  onInsist = () => {};

  constructor() {
    for (const name of signals) process.on(name, (_, number) => this.#receive(number));
  }

  /** Aborts with the first signal. */
  get signal() {
    return this.#asked.signal;
  }

  /** Waits for `work`, at most until the first signal. @throws the signal's reason then. */
  orStop(work) {
    work.catch(() => {});
    return Promise.race([
      work,
      new Promise((_, reject) => {
        const stop = () => reject(this.signal.reason);
        if (this.signal.aborted) stop();
        else this.signal.addEventListener('abort', stop, { once: true });
      }),
    ]);
  }

  #receive(number) {
    if (!this.signal.aborted) {
      this.#askedAt = performance.now();
      this.#asked.abort();
    } else if (performance.now() - this.#askedAt > sameWishMs) {
      this.onInsist();
      process.exit(128 + number);
    }
  }
}
