import { dayMs, minuteMs } from '#libs/durations';
import type { Reply } from '../http/request.js';
import type { QuotaKey, QuotaTaken } from '../quota/quota.service.js';

/** Reports in the header `RateLimit` what is left of the key's windows. */
export function tellQuota(reply: Reply, key: QuotaKey, taken: QuotaTaken): void {
  const minute = `"minute";r=${minuteLeft(key, taken)};t=${secondsToEnd(taken.nowMs, minuteMs)}`;
  const dayLeft = Math.max(0, key.principal.dailyLimit - taken.dayUsed);
  const day = `"day";r=${dayLeft};t=${secondsToEnd(taken.nowMs, dayMs)}`;
  reply.header('ratelimit', key.hasNoDay ? minute : `${minute}, ${day}`);
}

/** Requests that are left of the key's minute. */
export function minuteLeft(key: QuotaKey, taken: QuotaTaken): number {
  return Math.max(0, key.rateLimitPerMinute - taken.minuteUsed);
}

/** Whole seconds to the end of a UTC window, at least one. */
export function secondsToEnd(nowMs: number, windowMs: number): number {
  return Math.max(1, Math.ceil((windowMs - (nowMs % windowMs)) / 1_000));
}
