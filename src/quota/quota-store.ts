/** Units that one key asks for, with what the process believes of its limits. */
export interface QuotaRequest {
  readonly apiKeyId: string;
  readonly accountId: string;
  readonly minuteLimit: number;
  readonly dayLimit: number;
  readonly count: number;
}

/** What a key got. */
export interface QuotaAnswer {
  /** How many of the requested units; the others count nowhere. */
  readonly granted: number;
  /** Units used in this minute and day, with the granted ones. */
  readonly minuteUsed: number;
  readonly dayUsed: number;
  /** The account's version. */
  readonly accountVersion: number;
  /** The store's clock, in milliseconds. */
  readonly nowMs: number;
}

/**
 * Counters of fixed windows, aligned to the UTC minute and day, and the versions of accounts: what
 * the guard must ask on every request, in one round trip.
 */
export abstract class QuotaStore {
  /**
   * Takes units for several keys at once, each key at most once in the list.
   * @returns one answer for each request, in order.
   * @throws when the store cannot be reached.
   */
  abstract take(requests: readonly QuotaRequest[]): Promise<QuotaAnswer[]>;

  /** Gives units of today back: the requests were refused before acceptance. Never rejects. */
  abstract giveBackDay(units: ReadonlyMap<string, number>): Promise<void>;

  /** @throws when an account's new version could not be made known now. */
  abstract checkPublishing(): Promise<void>;

  /** Lets every process know an account's new version. */
  abstract publishVersion(accountId: string, version: number): Promise<void>;

  abstract close(): Promise<void>;
}
