import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { minuteMs } from '#libs/durations';
import { AttemptCounters } from '../access/attempt-counters.js';
import { AppError } from '../errors/app-error.js';
import { emailIn, limitsSignInKey, signInCounters } from './sign-in-attempts.js';

/**
 * Limits attempts to sign in: 20 a minute from one address, 5 a minute for one user from one
 * address. Only `SignInLimitModule` may import it: `@nestjs/throttler` is CommonJS and cannot be loaded by
 * tests in the process of jest.
 */
@Injectable()
export class SignInLimitGuard extends ThrottlerGuard {
  // Named one by one: the names that the parent gives its parameters would hold here, too.
  constructor(
    @Inject(AttemptCounters) counters: AttemptCounters,
    @Inject(Reflector) reflector: Reflector,
  ) {
    super(
      {
        setHeaders: false,
        generateKey: (_, tracker) => tracker,
        throttlers: [
          {
            name: 'address',
            limit: 20,
            ttl: minuteMs,
            getTracker: ({ ip, body }) => signInCounters(ip, emailIn(body)).address,
          },
          {
            name: 'user',
            limit: 5,
            ttl: minuteMs,
            getTracker: ({ ip, body }) => signInCounters(ip, emailIn(body)).user,
          },
        ],
      },
      counters,
      reflector,
    );
  }

  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return this.reflector.get<true | undefined>(limitsSignInKey, context.getHandler()) !== true;
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED */
  protected override async throwThrottlingException(
    _: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `Too many attempts to sign in; try again in ${timeToBlockExpire} s.`,
      details: { retry_after: timeToBlockExpire },
      retryAfterSeconds: timeToBlockExpire,
    });
  }
}
