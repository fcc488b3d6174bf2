import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { minuteMs } from '#libs/durations';
import { AttemptCounters } from '../access/attempt-counters.js';
import { AppError } from '../errors/app-error.js';
import { SecondFactors } from '../users/second-factors.js';
import type { UserEntity } from '../users/user.entity.js';
import type { SignInDto } from './session.dto.js';

/** From all addresses together: who guesses six digits may have many. */
const wrongCodesMax = 20;
const wrongCodesMs = 15 * minuteMs;

/** What a sign-in needs beyond the password. */
@Injectable()
export class SecondFactorCheck {
  constructor(
    private readonly factors: SecondFactors,
    private readonly attempts: AttemptCounters,
  ) {}

  /** Whether the user has a second factor and the sign-in brings no code. */
  isMissing(user: UserEntity, given: SignInDto): boolean {
    return user.totpConfirmedAt !== null && !given.totp && !given.recovery_code;
  }

  /**
   * Counts a code of six digits, which can be guessed; recovery codes cannot, and stay open to a user whom somebody
   * with their password has locked out.
   * @throws AppError RATE_LIMIT_EXCEEDED
   */
  async countGuess(user: UserEntity, given: SignInDto): Promise<void> {
    if (user.totpConfirmedAt === null || !given.totp) return;
    const { isBlocked, timeToBlockExpire } = await this.attempts.increment(
      counterOf(user),
      wrongCodesMs,
      wrongCodesMax,
    );
    if (!isBlocked) return;
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `Too many wrong codes; try again in ${timeToBlockExpire} s, or use a recovery code.`,
      details: { retry_after: timeToBlockExpire },
      retryAfterSeconds: timeToBlockExpire,
    });
  }

  /** Takes back the count of a code that was right. */
  async giveGuessBack(user: UserEntity, given: SignInDto): Promise<void> {
    if (user.totpConfirmedAt !== null && given.totp) {
      await this.attempts.giveBack([counterOf(user)]);
    }
  }

  /**
   * Uses up the code of a sign-in; `totp` counts where both are given.
   * @returns what the audit log tells of it; null when the code is wrong.
   */
  async take(manager: EntityManager, user: UserEntity, given: SignInDto): Promise<object | null> {
    if (user.totpConfirmedAt === null) return {};
    if (given.totp) {
      const isRight = await this.factors.takeCode(manager, user.id, given.totp);
      return isRight ? { second_factor: 'code' } : null;
    }
    const left = await this.factors.takeRecoveryCode(manager, user.id, given.recovery_code ?? '');
    return left === null ? null : { second_factor: 'recovery code', recovery_codes_left: left };
  }
}

const counterOf = ({ id }: UserEntity) => `totp:${id}`;
