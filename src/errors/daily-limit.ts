import { dayMs } from '#libs/durations';
import { AppError } from './app-error.js';

/** What a key has used of a UTC day. */
export interface DayUsed {
  /** Days since 1970. */
  readonly day: number;
  readonly used: number;
}

/** The day of a key is used up until midnight UTC. */
export class DailyLimitError extends AppError {
  constructor(
    readonly dayUsed: DayUsed,
    dailyLimit: number,
    nowMs: number,
  ) {
    const seconds = Math.max(1, Math.ceil((dayMs - (nowMs % dayMs)) / 1_000));
    super('DAILY_LIMIT_EXCEEDED', {
      message: `At most ${dailyLimit} requests a day; the next day begins at midnight UTC.`,
      details: { retry_after: seconds },
      retryAfterSeconds: seconds,
    });
  }
}
