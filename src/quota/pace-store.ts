/** Messages that a number wants to send now. */
export interface PaceRequest {
  readonly accountId: string;
  /** How many a second it may send, above 0. */
  readonly perSecond: number;
  /** How many it wants to send now; negative to give back what was taken and not used. */
  readonly count: number;
}

/** How many messages a number may send now. */
export interface PaceAnswer {
  /** How many messages may go out now. */
  readonly granted: number;
  /** When the next one may, in milliseconds from now; 0 when one may at once. */
  readonly waitMs: number;
}

/** How many messages a number may send at once after a pause: a quarter of a second's worth, at least one. */
export function paceBurst(perSecond: number): number {
  return Math.max(1, perSecond / 4);
}

/** A bucket of tokens for each business number, shared by all workers. */
export abstract class PaceStore {
  /** @throws when the store cannot be reached. */
  abstract takeTokens(request: PaceRequest): Promise<PaceAnswer>;

  abstract close(): Promise<void>;
}
