/** A group of this size shows that several callers are active. */
const busySize = 4;

/** For how long after such a group more callers are expected, in milliseconds. */
const busyForMs = 50;

/** The longest that a group gathers, in milliseconds, however slow the store is. */
const gatherMaxMs = 12;

/** A group stops gathering when no item comes for this part of the last write's time. */
const pausePart = 1 / 3;

/**
 * When one group of writes may follow another. A statement costs about as much as thirty of its
 * rows, in the database and in every process behind it, so groups should be large while many callers
 * are active; and no item should wait for callers that are not there.
 *
 * In a busy time each group gathers for as long as the one before took to write, or until no item
 * comes any more. A caller then waits for at most one more write, and a machine that is slow or short
 * of processor time makes larger groups by itself. In a quiet moment nothing gathers. See
 * docs/adr/0003-gathering-groups.md.
 */
export class BatchWindow {
  private busyUntil = 0;
  private lastTookMs = 0;

  /**
   * Calls `write` once the next group has gathered, which may be at once.
   * @param size how many are in the group by now.
   */
  gather(size: () => number, write: () => void): void {
    const startedAt = performance.now();
    if (startedAt >= this.busyUntil) {
      write();
      return;
    }
    const endsAt = startedAt + Math.min(this.lastTookMs, gatherMaxMs);
    const pauseMs = this.lastTookMs * pausePart;
    const goOn = () => {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) {
        write();
        return;
      }
      const before = size();
      setTimeout(
        () => {
          if (size() === before) write();
          else goOn();
        },
        Math.min(pauseMs, leftMs),
      );
    };
    goOn();
  }

  /**
   * Writes a group and remembers how large it was and how long it took.
   * @throws what `write` throws.
   */
  async keep<R>(size: number, write: () => Promise<R>): Promise<R> {
    const startedAt = performance.now();
    try {
      return await write();
    } finally {
      const endedAt = performance.now();
      this.lastTookMs = endedAt - startedAt;
      if (size >= busySize) this.busyUntil = endedAt + busyForMs;
    }
  }
}
