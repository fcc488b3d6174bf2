import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import type { SignedInUser } from '../access/signed-in-user.js';
import { AuditLog } from '../audit/audit-log.js';
import { Config } from '../config/config.js';
import { AppError, noSuch } from '../errors/app-error.js';
import { pageOf } from '../http/validation/page.dto.js';
import { UserPasswords } from './passwords/user-passwords.js';
import { makeResetLink, resetAddress } from './reset-links.js';
import { SecondFactors } from './second-factors.js';
import { Sessions } from './sessions.js';
import { UserEntity } from './user.entity.js';
import type {
  EndedSessionsDto,
  ResetLinkDto,
  SessionsPageDto,
  UserSessionsDto,
} from './users.dto.js';

/** How users get in: their sessions, links to a new password, and second factors that were lost. */
@Injectable()
export class UserAccessService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly factors: SecondFactors,
    private readonly userPasswords: UserPasswords,
    private readonly audit: AuditLog,
    private readonly config: Config,
  ) {}

  /** @throws AppError NOT_FOUND */
  async listSessions(
    caller: SignedInUser,
    id: string,
    { limit, cursor }: SessionsPageDto,
  ): Promise<UserSessionsDto> {
    const user = await this.find(caller, id);
    const all = await this.sessions.list(user.id, caller.sessionDigest);
    const start = all.findIndex((session) => session.id === cursor?.toLowerCase()) + 1;
    const { page, next_cursor } = pageOf(all.slice(start), limit);
    return { sessions: page, next_cursor };
  }

  /** Ends the sessions of a user; the one that asks goes on. @throws AppError NOT_FOUND */
  async endSessions(caller: SignedInUser, id: string): Promise<EndedSessionsDto> {
    const user = await this.find(caller, id);
    return this.dataSource.transaction(async (manager) => {
      const ended = await this.sessions.endOthersOf(manager, user.id, caller.sessionDigest);
      await this.record(manager, caller, 'user.sessions_ended', user, { sessions: ended });
      return { sessions_ended: ended };
    });
  }

  /** @throws AppError NOT_FOUND */
  async endSession(caller: SignedInUser, id: string, sessionId: string): Promise<EndedSessionsDto> {
    const user = await this.find(caller, id);
    if (!isUUID(sessionId)) throw noSuch('session');
    return this.dataSource.transaction(async (manager) => {
      const isEnded = await this.sessions.endOneOf(manager, user.id, sessionId);
      if (!isEnded) throw noSuch('session');
      await this.record(manager, caller, 'user.session_ended', user);
      return { sessions_ended: 1 };
    });
  }

  /**
   * Makes the link of a user. One's own takes the current password.
   * @throws AppError NOT_FOUND, VALIDATION_ERROR, CONFLICT for a user who is switched off
   */
  async makeResetLink(
    caller: SignedInUser,
    id: string,
    currentPassword: string | null | undefined,
  ): Promise<ResetLinkDto> {
    const user = await this.find(caller, id);
    if (user.id === caller.id) await this.userPasswords.checkOwn(caller.id, currentPassword);
    if (!user.active) {
      throw new AppError('CONFLICT', {
        message: 'The user is switched off: switch them on first.',
      });
    }
    const { token, expiresAt } = await this.dataSource.transaction(async (manager) => {
      await this.record(manager, caller, 'user.reset_link_made', user);
      return makeResetLink(manager, user.id);
    });
    return { url: resetAddress(this.config.apiUrl, token), expires_at: expiresAt };
  }

  /**
   * Removes the second factor of a user who has lost authenticator and recovery codes.
   * @throws AppError NOT_FOUND, CONFLICT without one, and for one's own: that takes the password.
   */
  async removeSecondFactor(caller: SignedInUser, id: string): Promise<object> {
    const user = await this.find(caller, id);
    if (user.id === caller.id) {
      throw new AppError('CONFLICT', {
        message: 'Remove your own second factor under “Your account”, with your password.',
      });
    }
    await this.dataSource.transaction(async (manager) => {
      await this.factors.remove(manager, user.id);
      await this.record(manager, caller, 'user.second_factor_removed', user);
    });
    return {};
  }

  /** The user, if it is the caller or the caller is an operator. */
  private async find(caller: SignedInUser, id: string): Promise<UserEntity> {
    const isAllowed = caller.role === 'operator' || caller.id === id.toLowerCase();
    const user =
      isAllowed && isUUID(id)
        ? await this.dataSource.getRepository(UserEntity).findOneBy({ id })
        : null;
    if (!user) throw noSuch('user');
    return user;
  }

  private record(
    manager: EntityManager,
    caller: SignedInUser,
    action: `user.${string}`,
    user: UserEntity,
    details: object = {},
  ): Promise<void> {
    return this.audit.record(manager, caller.actor, {
      action,
      accountId: user.accountId,
      subjectId: user.id,
      subjectName: user.email,
      details,
    });
  }
}
