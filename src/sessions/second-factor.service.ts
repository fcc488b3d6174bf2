import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AttemptCounters } from '../access/attempt-counters.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { AuditLog } from '../audit/audit-log.js';
import { validationError } from '../errors/app-error.js';
import { UserPasswords } from '../users/passwords/user-passwords.js';
import { SecondFactors } from '../users/second-factors.js';
import { totpUri } from '../users/totp.js';
import type { RecoveryCodesDto, TotpSetupDto } from './session.dto.js';
import { signInCounters } from './sign-in-attempts.js';

/** One's own second factor. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly factors: SecondFactors,
    private readonly userPasswords: UserPasswords,
    private readonly attempts: AttemptCounters,
    private readonly audit: AuditLog,
  ) {}

  /** @throws AppError VALIDATION_ERROR when the password is wrong, CONFLICT when the second factor is on */
  async begin(user: SignedInUser, password: string): Promise<TotpSetupDto> {
    await this.checkPassword(user, password);
    const secret = await this.dataSource.transaction(async (manager) => {
      await this.record(manager, user, 'user.second_factor_begun');
      return this.factors.begin(manager, user.id);
    });
    return { secret, uri: totpUri(secret, user.email) };
  }

  /** @throws AppError VALIDATION_ERROR when the code is wrong, CONFLICT when nothing waits for one */
  async confirm(user: SignedInUser, code: string): Promise<RecoveryCodesDto> {
    const codes = await this.dataSource.transaction(async (manager) => {
      const made = await this.factors.confirm(manager, user.id, code);
      if (made) await this.record(manager, user, 'user.second_factor_on');
      return made;
    });
    if (!codes) throw validationError({ totp: 'is not the code that counts now' });
    await this.giveBack(user);
    return { recovery_codes: codes };
  }

  /** @throws AppError VALIDATION_ERROR when the password is wrong, CONFLICT when there is no second factor */
  async remove(user: SignedInUser, password: string): Promise<object> {
    await this.checkPassword(user, password);
    await this.dataSource.transaction(async (manager) => {
      await this.factors.remove(manager, user.id);
      await this.record(manager, user, 'user.second_factor_off');
    });
    return {};
  }

  private async checkPassword(user: SignedInUser, password: string): Promise<void> {
    await this.userPasswords.checkOwn(user.id, password);
    await this.giveBack(user);
  }

  /** The attempt was legitimate. */
  private async giveBack(user: SignedInUser): Promise<void> {
    const counters = signInCounters(user.actor.address ?? '', '');
    await this.attempts.giveBack([counters.address, counters.user]);
  }

  private record(
    manager: EntityManager,
    user: SignedInUser,
    action: `user.second_factor_${'begun' | 'on' | 'off'}`,
  ): Promise<void> {
    return this.audit.record(manager, user.actor, {
      action,
      accountId: user.accountId,
      subjectId: user.id,
      subjectName: user.email,
    });
  }
}
