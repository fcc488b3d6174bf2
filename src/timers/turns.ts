interface Waiting {
  /** In this turn. */
  begun: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets work that came together begin a few at a time, and that of others in between. Otherwise everybody waits until the
 * last of 2,000 reads is answered. See docs/adr/0019-fair-shares.md.
 */
export class Turns {
  private readonly callers = new Map<string, Waiting>();

  /** @param begunMax how much of one name's work begins in one turn of the event loop. */
  constructor(private readonly begunMax: number) {}

  /**
   * @param name whose work it is.
   * @param begin is called at once, or in a later turn.
   */
  enter(name: string, begin: () => void): void {
    const caller = this.callers.get(name) ?? this.add(name);
    if (caller.begun >= this.begunMax) {
      caller.waiting.push(begin);
      return;
    }
    caller.begun += 1;
    begin();
  }

  private add(name: string): Waiting {
    const caller: Waiting = { begun: 0, waiting: [] };
    if (this.callers.size === 0) setImmediate(() => this.goOn());
    this.callers.set(name, caller);
    return caller;
  }

  /** The next turn: names with nothing that waits are forgotten. */
  private goOn(): void {
    for (const [name, caller] of this.callers) {
      const next = caller.waiting.splice(0, this.begunMax);
      caller.begun = next.length;
      if (next.length === 0) this.callers.delete(name);
      for (const begin of next) begin();
    }
    if (this.callers.size > 0) setImmediate(() => this.goOn());
  }
}
