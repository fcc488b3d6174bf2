import type { DayUsed } from '../errors/daily-limit.js';

/** Units that one key asks for, with the limits that the process has cached. */
export interface QuotaRequest {
  readonly apiKeyId: string;
  readonly accountId: string;
  readonly minuteLimit: number;
  readonly dayLimit: number;
  readonly count: number;
}

/** What a key got. */
export interface QuotaAnswer {
  /** How many of the requested units of the minute it got; the others are not counted. */
  readonly granted: number;
  /** Units used in this minute, with the granted ones. */
  readonly minuteUsed: number;
  /** Units that accepted requests have used in this day. */
  readonly dayUsed: number;
  /** The account's version. */
  readonly accountVersion: number;
  /** The store's clock, in milliseconds. */
  readonly nowMs: number;
}

/** Units of the day that one key's accepted requests take. */
export type DayRequest = Pick<QuotaRequest, 'apiKeyId' | 'dayLimit' | 'count'>;

/** How much of its day a key has used, including the units that it got. */
export interface DayAnswer extends DayUsed {
  /** How many of the requested units it got. */
  readonly granted: number;
}

/** Units of a minute that are given back. */
export interface MinuteUnits {
  readonly apiKeyId: string;
  /** Minutes since 1970. */
  readonly minute: number;
  readonly count: number;
}

/**
 * Counters of fixed windows, aligned to the UTC minute and day, and the versions of accounts: what
 * the guard must ask on every request, in one round trip.
 *
 * The guard takes the minute and looks at the day. The day itself is always counted by PostgreSQL, where
 * requests are accepted: a send takes its unit with the statement that stores its message.
 */
export abstract class QuotaStore {
  /**
   * Takes units of the minute for several keys at once, each key at most once in the list. A key whose day
   * is used up gets none.
   * @returns one answer for each request, in order.
   * @throws when the store cannot be reached.
   */
  abstract takeUnits(requests: readonly QuotaRequest[]): Promise<QuotaAnswer[]>;

  /** Gives units back if their minute is not over: their requests were refused with 429. */
  abstract giveBackMinute(units: readonly MinuteUnits[]): Promise<void>;

  /**
   * Takes units of the day for several keys at once, each key at most once in the list.
   * @returns one answer for each request, in order.
   */
  abstract takeDay(requests: readonly DayRequest[]): Promise<DayAnswer[]>;

  /** Tells every process how much of their days keys have used. Never rejects. */
  abstract publishDays(days: ReadonlyMap<string, DayUsed>): Promise<void>;

  /** @throws when an account's new version could not be made known now. */
  abstract checkPublishing(): Promise<void>;

  /** Lets every process know an account's new version. */
  abstract publishVersion(accountId: string, version: number): Promise<void>;

  abstract close(): Promise<void>;
}
