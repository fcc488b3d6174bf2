import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AttemptCounters } from '../access/attempt-counters.js';
import { AuditLog } from '../audit/audit-log.js';
import { validationError } from '../errors/app-error.js';
import { Passwords } from '../users/passwords/passwords.js';
import { UserPasswords } from '../users/passwords/user-passwords.js';
import { findLinkOwner, takeResetLink } from '../users/reset-links.js';
import { Sessions } from '../users/sessions.js';
import type { PasswordResetAnswerDto, PasswordResetDto } from './session.dto.js';
import { signInCounters } from './sign-in-attempts.js';

/** New passwords under links that operators hand over. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly userPasswords: UserPasswords,
    private readonly sessions: Sessions,
    private readonly attempts: AttemptCounters,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Sets the password, uses up the link and ends the user's sessions. A second factor stays on.
   * @throws AppError VALIDATION_ERROR when the link is used, replaced or too old.
   */
  async reset(given: PasswordResetDto, address: string): Promise<PasswordResetAnswerDto> {
    const owner = await findLinkOwner(this.dataSource.manager, given.token);
    if (!owner) throw noSuchLink();
    const passwordHash = await this.userPasswords.hashNew(
      'new_password',
      given.new_password,
      owner,
    );
    await this.dataSource.transaction(async (manager) => {
      if (!(await takeResetLink(manager, given.token))) throw noSuchLink();
      await this.passwords.store(manager, owner.id, passwordHash);
      await this.sessions.endAllOf(manager, owner.id);
      await this.audit.record(
        manager,
        { userId: owner.id, name: owner.email, address },
        {
          action: 'user.password_reset',
          accountId: owner.accountId,
          subjectId: owner.id,
          subjectName: owner.email,
        },
      );
    });
    const counters = signInCounters(address, '');
    await this.attempts.giveBack([counters.address, counters.user]);
    return { email: owner.email };
  }
}

const noSuchLink = () =>
  validationError(
    { token: 'is not good any more' },
    'The link was used before, or is too old, or there is a newer one. Ask an operator for another one.',
  );
