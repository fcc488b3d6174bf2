import type { DayUsed } from '../errors/daily-limit.js';
import type { DayUnit, Reply, Request } from '../http/request.js';
import type { QuotaKey, QuotaService, QuotaTaken } from '../quota/quota.service.js';
import { tellQuota } from './quota-headers.js';

/**
 * The unit of its key's day that an admitted request takes when it is accepted. Until then it holds none, so a
 * refused request never prevents another one.
 */
export class KeyDayUnit implements DayUnit {
  private taking: Promise<void> | null = null;

  constructor(
    private readonly request: Request,
    private readonly reply: Reply,
    private readonly key: QuotaKey,
    private readonly taken: QuotaTaken,
    private readonly quota: QuotaService,
  ) {}

  /**
   * Takes the unit; a second call waits for the first.
   * @throws AppError DAILY_LIMIT_EXCEEDED
   */
  takeDayUnit(): Promise<void> {
    this.taking ??= this.quota
      .takeDay(this.key)
      .then(({ used }) => tellQuota(this.reply, this.key, { ...this.taken, dayUsed: used }));
    return this.taking;
  }

  /** The unit was taken by the statement that stored what the request asked for. */
  wasTaken(dayUsed: DayUsed): void {
    this.quota.noteDay(this.key.principal.apiKeyId, dayUsed);
    tellQuota(this.reply, this.key, { ...this.taken, dayUsed: dayUsed.used });
  }

  /** Other requests have used up the day since the guard looked. A request refused with 429 costs nothing. */
  wasRefused(dayUsed: DayUsed): void {
    const { apiKeyId } = this.key.principal;
    this.quota.noteDay(apiKeyId, dayUsed);
    this.quota.giveBackMinute(apiKeyId, this.taken.nowMs);
    const minuteUsed = this.taken.minuteUsed - 1;
    tellQuota(this.reply, this.key, { ...this.taken, minuteUsed, dayUsed: dayUsed.used });
    const { rateLimit } = this.request;
    if (rateLimit) this.request.rateLimit = { ...rateLimit, remaining: rateLimit.remaining + 1 };
  }
}
