const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Under npm one Ctrl-C arrives twice: from the terminal and from npm, which passes it on. A signal
 * this soon after the first one is a copy of it, not a second request.
 */
const sameWishMs = 1_000;

/**
 * The first signal asks to stop in order, one after it insists on stopping at once.
 *
 * @returns `signal`, which aborts with the first one, and `onInsist`, called before the second one ends the process.
 */
export function listenForStop() {
  const asked = new AbortController();
  const stop = { signal: asked.signal, onInsist: () => {} };
  let askedAt = 0;
  const receive = (_, number) => {
    if (!asked.signal.aborted) {
      askedAt = performance.now();
      asked.abort();
    } else if (performance.now() - askedAt > sameWishMs) {
      stop.onInsist();
      process.exit(128 + number);
    }
  };
  for (const name of signals) process.on(name, receive);
  return stop;
}
