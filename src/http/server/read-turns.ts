/** How many reads of one caller begin in one turn of the event loop. */
const begunMax = 2;

interface Caller {
  /** In this turn. */
  begun: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets the reads of one caller that came together begin a few at a time, and what others ask for in between. Otherwise
 * everybody waits until the last of 2,000 is answered. See docs/adr/0019-fair-shares.md.
 */
export class ReadTurns {
  private readonly callers = new Map<string, Caller>();

  /** @param begin is called at once, or in a later turn. */
  enter(name: string, begin: () => void): void {
    const caller = this.callers.get(name) ?? this.add(name);
    if (caller.begun >= begunMax) {
      caller.waiting.push(begin);
      return;
    }
    caller.begun += 1;
    begin();
  }

  private add(name: string): Caller {
    const caller: Caller = { begun: 0, waiting: [] };
    if (this.callers.size === 0) setImmediate(() => this.goOn());
    this.callers.set(name, caller);
    return caller;
  }

  /** The next turn: callers for whom nobody waits are forgotten. */
  private goOn(): void {
    for (const [name, caller] of this.callers) {
      const next = caller.waiting.splice(0, begunMax);
      caller.begun = next.length;
      if (next.length === 0) this.callers.delete(name);
      for (const begin of next) begin();
    }
    if (this.callers.size > 0) setImmediate(() => this.goOn());
  }
}
