interface Waiting {
  /** In this turn. */
  begun: number;
  readonly waiting: (() => void)[];
}

/** More than this waiting work of one name is a crowd. */
const crowdMin = 50;

/**
 * Lets work that came together begin a few at a time, and that of others in between. Otherwise everybody waits until the
 * last of 2,000 reads is answered. See docs/adr/0019-fair-shares.md.
 */
export class Turns {
  private readonly callers = new Map<string, Waiting>();

  /**
   * @param begunMax how much of one name's work begins in one turn of the event loop.
   * @param crowdPauseMs how long a crowd waits between two turns of its own. A server needs such pauses:
   * Node accepts one connection in a turn, so others' connections wait as long as the turns with the crowd's work take.
   */
  constructor(
    private readonly begunMax: number,
    private readonly crowdPauseMs = 0,
  ) {}

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
    this.callers.set(name, caller);
    setImmediate(() => this.goOn(name, caller));
    return caller;
  }

  /** The next turn of a name: one with nothing that waits is forgotten. */
  private goOn(name: string, caller: Waiting): void {
    const next = caller.waiting.splice(0, this.begunMax);
    caller.begun = next.length;
    if (next.length === 0) {
      this.callers.delete(name);
      return;
    }
    const goOn = () => this.goOn(name, caller);
    const isCrowd = caller.waiting.length > crowdMin;
    if (isCrowd && this.crowdPauseMs > 0) setTimeout(goOn, this.crowdPauseMs);
    else setImmediate(goOn);
    for (const begin of next) begin();
  }
}
