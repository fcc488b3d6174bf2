/** An unproven endpoint begins with this many attempts at once. */
const startWith = 8;

/** After this many failures in a row an endpoint gets only an occasional attempt. */
const patientFailures = 8;
const failingPauseMs = 100;

/** Answers that mean overload: those of proxies in front of a receiver, and 429. */
const overloadStatuses = new Set([408, 429, 502, 503, 504]);

/**
 * How many attempts one endpoint may have at once: more with each success, half as many after an
 * answer that means overload or no answer, and a single one while it fails.
 */
export class EndpointPace {
  private allowed = startWith;
  private halvedAtMs = Number.NEGATIVE_INFINITY;
  private failuresInRow = 0;
  private pausedUntilMs = 0;
  /** Whether the endpoint has taken an event since this worker has it. */
  isProven = false;

  /** @param max attempts at once that the endpoint may have at all. */
  constructor(
    public isFailing: boolean,
    public max: number,
  ) {}

  /** Attempts at once that it may have now. */
  bound(): number {
    return this.isFailing ? 1 : Math.min(this.max, this.allowed);
  }

  /** For how many milliseconds no further attempt may start. */
  pauseMs(nowMs: number): number {
    return Math.max(0, this.pausedUntilMs - nowMs);
  }

  /** @returns whether it has worked again after failures. */
  noteSuccess(): boolean {
    const hasRecovered = this.isFailing;
    this.isFailing = false;
    this.isProven = true;
    this.failuresInRow = 0;
    this.allowed = Math.min(this.max, this.allowed + 1);
    return hasRecovered;
  }

  /**
   * @param statusCode null when there was no answer.
   * @param startedAtMs when the attempt began: those that began before the last halving halve nothing.
   */
  noteFailure(statusCode: number | null, startedAtMs: number, nowMs: number): void {
    this.isFailing = true;
    this.failuresInRow += 1;
    if (this.failuresInRow >= patientFailures) this.pausedUntilMs = nowMs + failingPauseMs;
    const isOverload = statusCode === null || overloadStatuses.has(statusCode);
    if (!isOverload || startedAtMs < this.halvedAtMs) return;
    this.allowed = Math.max(1, Math.floor(Math.min(this.max, this.allowed) / 2));
    this.halvedAtMs = nowMs;
  }
}
