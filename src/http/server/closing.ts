/** The listener is closed in a turn that took no longer than this. */
const quietTurnMs = 0.3;

/** A busy process closes it all the same after this many turns. */
const turnsMax = 200;

/**
 * Calls `close` when every connection that has come in is accepted. The kernel accepts connections for a process until
 * its listener is closed, and resets those that the process has not taken yet: a proxy answers 502 for them, and does
 * not repeat a POST. Node takes them once in each turn of its loop, so a turn without other work leaves next to none.
 */
export function atQuietTurn(close: () => void, turns = 0): void {
  const began = performance.now();
  setImmediate(() => {
    if (performance.now() - began < quietTurnMs || turns === turnsMax) close();
    else atQuietTurn(close, turns + 1);
  });
}
