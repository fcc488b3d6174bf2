/** A group of this size says that several callers are about. */
const busySize = 4;

/** For how long after such a group more callers are expected, in milliseconds. */
const busyForMs = 50;

/** The longest that a group gathers, in milliseconds, however slow the store is. */
const gatherMaxMs = 12;

/**
 * When one group of writes may follow another. A statement costs about as much as thirty of its
 * rows, in the database and in every process behind it, so groups should be large while many callers
 * are about; and nobody should wait for callers that are not there.
 *
 * In a busy time each group gathers for as long as the one before took to write: then a caller waits
 * for one write more at most, and a machine that is slow or short of processor time makes larger
 * groups by itself. In a quiet moment nothing gathers. See docs/adr/0003-gathering-groups.md.
 */
export class GroupRhythm {
  private busyUntil = 0;
  private lastTookMs = 0;

  /** @param now a clock in milliseconds that only goes forward. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How long the next group gathers before it is written, in milliseconds; 0: it does not. */
  get gatherMs(): number {
    return this.now() < this.busyUntil ? Math.min(this.lastTookMs, gatherMaxMs) : 0;
  }

  /**
   * Writes a group and remembers how large it was and how long it took.
   * @throws what `write` throws.
   */
  async keep<R>(size: number, write: () => Promise<R>): Promise<R> {
    const startedAt = this.now();
    try {
      return await write();
    } finally {
      const endedAt = this.now();
      this.lastTookMs = endedAt - startedAt;
      if (size >= busySize) this.busyUntil = endedAt + busyForMs;
    }
  }
}
