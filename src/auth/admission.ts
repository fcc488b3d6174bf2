import type { Permission } from '../api-keys/api-key.entity.js';
import type { KnownKey } from '../api-keys/api-key-directory.js';
import { AppError } from '../errors/app-error.js';
import type { RateLimit, Reply, Request } from '../http/request.js';
import type { QuotaTaken } from '../quota/quota.service.js';

/** Why the state of a known key refuses it, or null. */
export function stateRefusalOf(key: KnownKey): AppError | null {
  if (key.isRevoked) return new AppError('REVOKED_API_KEY');
  if (key.isSuspended) return new AppError('SUSPENDED_API_KEY');
  if (key.expiresAt !== null && key.expiresAt.getTime() <= Date.now()) {
    return new AppError('EXPIRED_API_KEY');
  }
  if (!key.isActive) {
    return new AppError('INVALID_API_KEY', {
      message: 'The API key is switched off.',
      details: { reason: 'inactive' },
    });
  }
  return null;
}

/** @throws AppError PERMISSION_DENIED, ACCOUNT_NOT_ACTIVE */
export function checkPermission(key: KnownKey, permission: Permission): void {
  if (!key.principal.permissions.has(permission)) {
    throw new AppError('PERMISSION_DENIED', {
      message: `The API key lacks the permission ${permission}.`,
      details: { permission },
    });
  }
  if (!key.principal.account.isActive) throw new AppError('ACCOUNT_NOT_ACTIVE');
}

/**
 * Tells the caller what is left of the key's windows, in headers and `meta.rate_limit`.
 * @throws AppError RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED when one of them is full.
 */
export function answerQuota(
  request: Request,
  reply: Reply,
  key: KnownKey,
  taken: QuotaTaken,
): void {
  const minuteSeconds = secondsToEnd(taken.nowMs, 60_000);
  const daySeconds = secondsToEnd(taken.nowMs, 86_400_000);
  const rateLimit: RateLimit = {
    limit: key.rateLimitPerMinute,
    remaining: taken.refusedBy === 'minute' ? 0 : minuteLeft(key, taken),
    reset_at: new Date((Math.floor(taken.nowMs / 60_000) + 1) * 60_000).toISOString(),
  };
  request.rateLimit = rateLimit;
  reply.header(
    'ratelimit-policy',
    `"minute";q=${key.rateLimitPerMinute};w=60, "day";q=${key.dailyLimit};w=86400`,
  );
  tellQuota(reply, key, taken);
  if (taken.refusedBy === 'minute') {
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `At most ${key.rateLimitPerMinute} requests a minute; the next minute begins in ${minuteSeconds} s.`,
      details: { retry_after: minuteSeconds },
      retryAfterSeconds: minuteSeconds,
    });
  }
  if (taken.refusedBy === 'day') {
    throw new AppError('DAILY_LIMIT_EXCEEDED', {
      message: `At most ${key.dailyLimit} requests a day; the next day begins at midnight UTC.`,
      details: { retry_after: daySeconds },
      retryAfterSeconds: daySeconds,
    });
  }
}

/** Tells the caller in the header `RateLimit` what is left of the key's windows. */
export function tellQuota(reply: Reply, key: KnownKey, taken: QuotaTaken): void {
  const dayLeft = Math.max(0, key.dailyLimit - taken.dayUsed);
  reply.header(
    'ratelimit',
    `"minute";r=${minuteLeft(key, taken)};t=${secondsToEnd(taken.nowMs, 60_000)}, ` +
      `"day";r=${dayLeft};t=${secondsToEnd(taken.nowMs, 86_400_000)}`,
  );
}

function minuteLeft(key: KnownKey, taken: QuotaTaken): number {
  return Math.max(0, key.rateLimitPerMinute - taken.minuteUsed);
}

/** Whole seconds to the end of a UTC window, at least one. */
function secondsToEnd(nowMs: number, windowMs: number): number {
  return Math.max(1, Math.ceil((windowMs - (nowMs % windowMs)) / 1_000));
}
