import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import {
  type KeyRouteAccess,
  permissionsOf,
  type RouteAccess,
  routeAccessKey,
} from '../access/require-permission.decorator.js';
import { ApiKeyDirectory, type KnownKey } from '../api-keys/api-key-directory.js';
import { isWellFormedApiKey } from '../api-keys/api-key-token.js';
import { AppError } from '../errors/app-error.js';
import type { Reply, Request } from '../http/request.js';
import { bearerOf } from '../http/server/address-tokens.js';
import { IdempotentReplays } from '../idempotency/idempotent-replays.js';
import { feedQuotaOf } from '../quota/feed-quota.js';
import { type QuotaKey, QuotaService, type QuotaTaken } from '../quota/quota.service.js';
import { addressBlock } from './address-block.js';
import {
  answerQuota,
  checkPermissions,
  missingKey,
  missingToken,
  noGraphAccess,
  stateRefusalOf,
  unknownKey,
} from './admission.js';
import { SignatureCheck } from './signature-check.js';
import { UnknownKeyLimits, unknownKeysMax } from './unknown-key-limits.js';

/**
 * Lets in who may call. The first check that fails answers: key known, its state and expiry →
 * address → signature → rate limits → permission → account active.
 *
 * Only an admission may rely on what this process has cached. A key that would be refused is read
 * from PostgreSQL first, and every admission asks for the account's version in the same round trip
 * as the quota, so a change applies from the next request on, in every process.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly directory: ApiKeyDirectory,
    private readonly quota: QuotaService,
    private readonly signature: SignatureCheck,
    private readonly unknownKeys: UnknownKeyLimits,
    private readonly repetitions: IdempotentReplays,
  ) {}

  /** @throws AppError with the code of the check that failed. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(routeAccessKey, [
      context.getHandler(),
      context.getClass(),
    ]);
    // A route outside Nest's controllers (unknown ones) has no rule and answers 404 by itself.
    if (!access || !('permission' in access)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const reply = http.getResponse<Reply>();
    const key = await this.admit(request, reply, access).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 401) {
        reply.header('www-authenticate', `${access.isGraph ? 'Bearer' : 'ApiKey'} realm="parley"`);
      }
      throw error;
    });
    checkPermissions(key, permissionsOf(access));
    if (access.isFeed) {
      request.admitAgain = () => this.admitAgain(request, permissionsOf(access));
    }
    return true;
  }

  private async admitAgain(
    request: Request,
    permissions: readonly Permission[] | null,
  ): Promise<Principal> {
    const token = request.headers['x-api-key'];
    const key = typeof token === 'string' ? await this.directory.load(token) : null;
    refuse(key, request.ip);
    checkPermissions(key, permissions);
    return key.principal;
  }

  private async admit(
    request: Request,
    reply: Reply,
    { isBeyondDay, isFeed, isGraph }: KeyRouteAccess,
  ): Promise<KnownKey> {
    const quotaOf = (of: KnownKey): QuotaKey => (isFeed ? feedQuotaOf(of) : of);
    const token = isGraph ? bearerOf(request.raw) : request.headers['x-api-key'];
    if (typeof token !== 'string' || token === '') {
      throw isGraph ? missingToken() : missingKey(request.headers.authorization);
    }
    let key = this.directory.findCached(token);
    request.knownKey = key?.principal ?? null;
    if (!key && !isWellFormedApiKey(token)) throw unknownKey();
    if (!key || this.wouldRefuse(request, key)) {
      key = await this.unknownKeys.inTurn(addressBlock(request.ip), () =>
        this.directory.load(token),
      );
      request.knownKey = key?.principal ?? null;
      if (!key) this.limitUnknownKeys(request);
      refuse(key, request.ip);
    }
    const signature = this.signature.verify(request, key);
    if (signature) {
      await this.signature.useUp(key, signature);
      request.signedWith = signature.signedWith;
    }
    let taken = await this.quota.takeUnit(quotaOf(key));
    if (taken.accountVersion !== key.accountVersion) {
      const before = quotaOf(key);
      key = await this.reload(token, request, before, taken);
      const after = quotaOf(key);
      const isRaised =
        after.rateLimitPerMinute > before.rateLimitPerMinute ||
        after.principal.dailyLimit > before.principal.dailyLimit;
      request.knownKey = key.principal;
      if (!taken.refusedBy) taken = this.heldTo(after, taken);
      else if (isRaised) taken = await this.quota.takeUnit(after);
    }
    if (
      taken.refusedBy === 'day' &&
      (isBeyondDay || (await this.repetitions.has(request, key.principal.apiKeyId)))
    ) {
      taken = await this.quota.takeBeyondDay(key);
    }
    // From here on the request counts as a call of the key, even if it is refused.
    request.principal = key.principal;
    answerQuota(request, reply, quotaOf(key), taken, this.quota);
    if (isGraph && !key.hasGraphAccess) throw noGraphAccess();
    return key;
  }

  /** The unit was taken under the former limits; lower ones apply from this request on. */
  private heldTo(key: QuotaKey, taken: QuotaTaken): QuotaTaken {
    const isMinuteOver = taken.minuteUsed > key.rateLimitPerMinute;
    if (!isMinuteOver && taken.dayUsed < key.principal.dailyLimit) return taken;
    this.quota.giveBackMinute(key.principal.apiKeyId, taken.nowMs);
    return {
      ...taken,
      minuteUsed: taken.minuteUsed - 1,
      refusedBy: isMinuteOver ? 'minute' : 'day',
    };
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED for an address that tries too many unknown keys. */
  private limitUnknownKeys(request: Request): void {
    const seconds = this.unknownKeys.note(addressBlock(request.ip));
    if (seconds === null) return;
    request.rateLimit = {
      limit: unknownKeysMax,
      remaining: 0,
      reset_at: new Date(Date.now() + seconds * 1_000).toISOString(),
    };
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `At most ${unknownKeysMax} unknown API keys a minute from one address.`,
      details: { retry_after: seconds },
      retryAfterSeconds: seconds,
    });
  }

  /** Whether the key, as it is cached, would not let the request in. */
  private wouldRefuse(request: Request, key: KnownKey): boolean {
    if (refusalOf(key, request.ip)) return true;
    try {
      this.signature.verify(request, key);
      return false;
    } catch {
      return true;
    }
  }

  /** Reads the key again and repeats its checks, because the cached one has changed. */
  private async reload(
    token: string,
    request: Request,
    cached: QuotaKey,
    taken: QuotaTaken,
  ): Promise<KnownKey> {
    try {
      const fresh = await this.directory.load(token);
      refuse(fresh, request.ip);
      this.signature.verify(request, fresh);
      return fresh;
    } catch (error) {
      if (!taken.refusedBy) {
        this.quota.giveBackMinute(cached.principal.apiKeyId, taken.nowMs);
      }
      throw error;
    }
  }
}

function refuse(key: KnownKey | null, address: string): asserts key is KnownKey {
  if (!key) throw unknownKey();
  const refusal = refusalOf(key, address);
  if (refusal) throw refusal;
}

/** Why a known key is not let in from an address, or null. */
function refusalOf(key: KnownKey, address: string): AppError | null {
  const refusal = stateRefusalOf(key);
  if (refusal) return refusal;
  if (key.allowedAddresses && !key.allowedAddresses.allows(address)) {
    return new AppError('IP_NOT_ALLOWED');
  }
  return null;
}
