import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { minuteMs } from '#libs/durations';
import { AttemptCounters } from '../../access/attempt-counters.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { AppError, validationError } from '../../errors/app-error.js';
import { UserEntity } from '../user.entity.js';
import { passwordFault } from './password-strength.js';
import { Passwords } from './passwords.js';

/** How often somebody with a user's session may guess the password, from all addresses together. */
const guessesMax = 20;
const guessesMs = 15 * minuteMs;

/** Passwords with what they depend on of their users. */
@Injectable()
export class UserPasswords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly attempts: AttemptCounters,
  ) {}

  /**
   * Checks the password again before a signed-in user changes how they sign in: a stolen session must not become a
   * stolen user.
   * @param given `current_password` of the body.
   * @throws AppError VALIDATION_ERROR when it is absent or wrong, RATE_LIMIT_EXCEEDED after too many wrong ones
   */
  async checkOwn(userId: string, given: string | null | undefined): Promise<void> {
    if (!given) {
      throw validationError({ current_password: 'is required to change how you sign in' });
    }
    const counter = `password:${userId}`;
    const { isBlocked, timeToBlockExpire } = await this.attempts.increment(
      counter,
      guessesMs,
      guessesMax,
    );
    if (isBlocked) {
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        message: `Too many wrong passwords; try again in ${timeToBlockExpire} s.`,
        details: { retry_after: timeToBlockExpire },
        retryAfterSeconds: timeToBlockExpire,
      });
    }
    const users = this.dataSource.getRepository(UserEntity);
    const { passwordHash } = await users.findOneByOrFail({ id: userId });
    if (!(await this.passwords.verify(passwordHash, given))) {
      throw validationError({ current_password: 'is not your password' });
    }
    await this.attempts.giveBack([counter]);
  }

  /**
   * Hashes a new password of a user, unless it is made of their own names.
   * @param field the name of the password in the body.
   * @throws AppError VALIDATION_ERROR
   */
  async hashNew(
    field: 'password' | 'new_password',
    password: string,
    { email, accountId }: { readonly email: string; readonly accountId: string | null },
  ): Promise<string> {
    const account =
      accountId === null
        ? null
        : await this.dataSource.getRepository(AccountEntity).findOneBy({ id: accountId });
    const fault = passwordFault(password, account ? [email, account.name] : [email]);
    if (fault !== null) throw validationError({ [field]: fault });
    return this.passwords.hash(password);
  }
}
