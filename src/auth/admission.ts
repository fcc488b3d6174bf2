import { dayMs, minuteMs } from '#libs/durations';
import { type KeyState, keyTroubleOf } from '../access/key-state.js';
import type { Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import type { KnownKey } from '../api-keys/api-key-directory.js';
import { AppError } from '../errors/app-error.js';
import { DailyLimitError } from '../errors/daily-limit.js';
import type { RateLimit, Reply, Request } from '../http/request.js';
import type { QuotaKey, QuotaService, QuotaTaken } from '../quota/quota.service.js';
import { KeyDayUnit } from './day-unit.js';
import { minuteLeft, secondsToEnd, tellQuota } from './quota-headers.js';

/** The answer to a request without an API key. Some programs send it as a token, in `Authorization`. */
export function missingKey(authorization = ''): AppError {
  const [, scheme = '', token = ''] = /^(\w+) +(\S+)$/.exec(authorization.trim()) ?? [];
  const text =
    scheme.toLowerCase() === 'basic' ? Buffer.from(token, 'base64').toString() : authorization;
  return /\bpk_(?:live|test)_/.test(text)
    ? new AppError('INVALID_API_KEY', {
        message:
          'The API key is in the header Authorization: send it in X-API-Key, without a prefix.',
        details: { reason: 'wrong_header' },
      })
    : new AppError('INVALID_API_KEY', {
        message: 'The request has no API key: send it in the header X-API-Key.',
        details: { reason: 'missing' },
      });
}

/** The answer to a request in the form of WhatsApp's own API that has no token. */
export const missingToken = () =>
  new AppError('INVALID_API_KEY', {
    message: 'The request has no API key: send it as Authorization: Bearer.',
    details: { reason: 'missing' },
  });

/** The answer to a key that may not be used as a token of WhatsApp's own API. */
export const noGraphAccess = () =>
  new AppError('PERMISSION_DENIED', {
    message: 'The API key may not be used here: switch graph_access on, in the dashboard.',
    details: { setting: 'graph_access' },
  });

/** The answer to an API key that is malformed or mistyped, or that is not there. */
export const unknownKey = () =>
  new AppError('INVALID_API_KEY', {
    message:
      'There is no such API key. Compare it with the one that you were given, character by character.',
    details: { reason: 'unknown' },
  });

/** Why the state of a known key refuses it, or null. */
export function stateRefusalOf(key: KeyState): AppError | null {
  switch (keyTroubleOf(key)) {
    case 'revoked':
      return new AppError('REVOKED_API_KEY');
    case 'suspended':
      return new AppError('SUSPENDED_API_KEY');
    case 'expired':
      return new AppError('EXPIRED_API_KEY');
    case 'inactive':
      return new AppError('INVALID_API_KEY', {
        message: 'The API key is switched off.',
        details: { reason: 'inactive' },
      });
    case null:
      return null;
  }
}

/** @throws AppError PERMISSION_DENIED, ACCOUNT_NOT_ACTIVE */
export function checkPermissions(
  { principal }: KnownKey,
  needed: readonly Permission[] | null,
): void {
  for (const permission of needed ?? []) requirePermission(principal, permission);
  if (!principal.account.isActive) throw new AppError('ACCOUNT_NOT_ACTIVE');
}

/** @throws AppError PERMISSION_DENIED */
export function requirePermission(
  { permissions }: Pick<Principal, 'permissions'>,
  permission: Permission,
): void {
  if (permissions.has(permission)) return;
  throw new AppError('PERMISSION_DENIED', {
    message: `The API key lacks the permission ${permission}.`,
    details: { permission },
  });
}

/** @throws AppError RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED where the key's quota is used up */
export function refuseOverQuota(key: QuotaKey, taken: QuotaTaken): void {
  if (taken.refusedBy === 'minute') {
    const minuteSeconds = secondsToEnd(taken.nowMs, minuteMs);
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `At most ${key.rateLimitPerMinute} requests a minute; the next minute begins in ${minuteSeconds} s.`,
      details: { retry_after: minuteSeconds },
      retryAfterSeconds: minuteSeconds,
    });
  }
  if (taken.refusedBy === 'day') {
    const dayUsed = { day: Math.floor(taken.nowMs / dayMs), used: taken.dayUsed };
    throw new DailyLimitError(dayUsed, key.principal.dailyLimit, taken.nowMs);
  }
}

/**
 * Reports what is left of the key's windows, in headers and `meta.rate_limit`, and gives the request
 * what it takes its unit of the day with.
 * @throws AppError RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED when one of them is full.
 */
export function answerQuota(
  request: Request,
  reply: Reply,
  key: QuotaKey,
  taken: QuotaTaken,
  quota: QuotaService,
): void {
  const { dailyLimit } = key.principal;
  const rateLimit: RateLimit = {
    limit: key.rateLimitPerMinute,
    remaining: taken.refusedBy === 'minute' ? 0 : minuteLeft(key, taken),
    reset_at: new Date((Math.floor(taken.nowMs / minuteMs) + 1) * minuteMs).toISOString(),
  };
  request.rateLimit = rateLimit;
  const minutePolicy = `"minute";q=${key.rateLimitPerMinute};w=60`;
  reply.header(
    'ratelimit-policy',
    key.hasNoDay ? minutePolicy : `${minutePolicy}, "day";q=${dailyLimit};w=86400`,
  );
  tellQuota(reply, key, taken);
  refuseOverQuota(key, taken);
  if (!key.hasNoDay) request.dayUnit = new KeyDayUnit(request, reply, key, taken, quota);
}
