import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AttemptCounters } from '../access/attempt-counters.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { limitsOf } from '../accounts/limits/account-limits.js';
import { AuditLog } from '../audit/audit-log.js';
import { Config } from '../config/config.js';
import { version } from '../config/version.js';
import { AppError } from '../errors/app-error.js';
import type { Reply, Request } from '../http/request.js';
import { Passwords } from '../users/passwords/passwords.js';
import { UserPasswords } from '../users/passwords/user-passwords.js';
import { digestOf, Sessions } from '../users/sessions.js';
import { UserEntity } from '../users/user.entity.js';
import { comparedAddress } from '../users/user-rules.js';
import { SecondFactorCheck } from './second-factor-check.js';
import type { ChangePasswordDto, SessionAccountDto, SessionDto, SignInDto } from './session.dto.js';
import { SessionCookies } from './session-cookies.js';
import { signInCounters } from './sign-in-attempts.js';
import { placeOf } from './sign-in-place.js';

type DescribedUser = Pick<SignedInUser, 'id' | 'email' | 'role' | 'accountId' | 'hasSecondFactor'>;

/** Signing in and out. */
@Injectable()
export class SessionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly cookies: SessionCookies,
    private readonly passwords: Passwords,
    private readonly userPasswords: UserPasswords,
    private readonly secondFactor: SecondFactorCheck,
    private readonly audit: AuditLog,
    private readonly attempts: AttemptCounters,
    private readonly config: Config,
  ) {}

  /**
   * Begins a session, always under a new id, and gives its cookie.
   * @throws AppError UNAUTHENTICATED, the same for a wrong password, an unknown user and a user who
   * is switched off; TOTP_REQUIRED when a code must come with the right password; RATE_LIMIT_EXCEEDED
   * after too many wrong codes.
   */
  async signIn(given: SignInDto, request: Request, reply: Reply): Promise<SessionDto> {
    const user = await this.dataSource
      .getRepository(UserEntity)
      .createQueryBuilder('u')
      // The first half is the index, the second the rule.
      .where('lower(u.email) = lower(:email)', { email: given.email })
      .andWhere('lower(u.email collate "C") = :compared', {
        compared: comparedAddress(given.email),
      })
      .getOne();
    const isRight = await this.passwords.verify(user?.passwordHash ?? null, given.password);
    if (!user || !isRight || !user.active) {
      await this.refuse(given, request, user);
      throw new AppError('UNAUTHENTICATED', {
        message: 'The email address or the password is wrong.',
      });
    }
    const counters = signInCounters(request.ip, given.email);
    if (this.secondFactor.isMissing(user, given)) {
      // The attempt guessed nothing, and the next one brings the code.
      await this.attempts.giveBack([counters.address, counters.user]);
      throw new AppError('TOTP_REQUIRED');
    }
    await this.secondFactor.countGuess(user, given);
    const before = await this.cookies.read(request);
    const id = await this.dataSource.transaction(async (manager) => {
      const details = await this.secondFactor.take(manager, user, given);
      if (!details) return null;
      if (before) await this.sessions.end(manager, digestOf(before));
      await this.audit.record(
        manager,
        { userId: user.id, name: user.email, address: request.ip },
        {
          action: 'session.started',
          accountId: user.accountId,
          subjectId: user.id,
          subjectName: user.email,
          details,
        },
      );
      return this.sessions.signIn(manager, user.id, placeOf(request));
    });
    if (id === null) {
      await this.refuse(given, request, user, { second_factor: 'wrong code' });
      throw new AppError('UNAUTHENTICATED', {
        message: 'The code is wrong, or it was used before.',
      });
    }
    await this.attempts.giveBack([counters.address, counters.user]);
    await this.secondFactor.giveGuessBack(user, given);
    await this.cookies.write(reply, id);
    const { email, role, accountId, totpConfirmedAt } = user;
    const hasSecondFactor = totpConfirmedAt !== null;
    return this.describe({ id: user.id, email, role, accountId, hasSecondFactor });
  }

  /** Who is signed in, and where. */
  async describe({
    id,
    email,
    role,
    accountId,
    hasSecondFactor,
  }: DescribedUser): Promise<SessionDto> {
    return {
      user: { id, email, role, account_id: accountId, has_second_factor: hasSecondFactor },
      account: accountId === null ? null : await this.account(accountId),
      public_url: this.config.apiUrl,
      simulator: this.config.simulatorUrl !== null,
      whatsapp_simulated: this.config.isPlatformSimulated,
      second_factor_required: this.config.requireTotp,
      version,
    };
  }

  async signOut(user: SignedInUser, reply: Reply): Promise<object> {
    await this.dataSource.transaction(async (manager) => {
      await this.sessions.end(manager, user.sessionDigest);
      await this.recordEnd(user, manager, 'session.ended');
    });
    await this.cookies.write(reply, null);
    return {};
  }

  async signOutEverywhere(user: SignedInUser, reply: Reply): Promise<object> {
    const ended = await this.dataSource.transaction(async (manager) => {
      await this.recordEnd(user, manager, 'session.ended_everywhere');
      return this.sessions.endAllOf(manager, user.id);
    });
    await this.cookies.write(reply, null);
    return { sessions_ended: ended };
  }

  /**
   * Ends all other sessions of the user, and gives this one a new id.
   * @throws AppError VALIDATION_ERROR when the current password is wrong.
   */
  async changePassword(
    user: SignedInUser,
    given: ChangePasswordDto,
    request: Request,
    reply: Reply,
  ): Promise<SessionDto> {
    await this.userPasswords.checkOwn(user.id, given.current_password);
    const { address, user: counter } = signInCounters(user.actor.address ?? '', '');
    await this.attempts.giveBack([address, counter]);
    const changed = await this.userPasswords.hashNew('new_password', given.new_password, user);
    const id = await this.dataSource.transaction(async (manager) => {
      await this.passwords.store(manager, user.id, changed);
      await this.sessions.endAllOf(manager, user.id);
      await this.recordEnd(user, manager, 'user.password_changed');
      return this.sessions.begin(manager, user.id, placeOf(request));
    });
    await this.cookies.write(reply, id);
    return this.describe(user);
  }

  private refuse(
    given: SignInDto,
    request: Request,
    user: UserEntity | null,
    details?: object,
  ): Promise<void> {
    const actor = { userId: null, name: given.email, address: request.ip };
    return this.audit.record(this.dataSource.manager, actor, {
      action: 'session.refused',
      accountId: user?.accountId ?? null,
      subjectId: user?.id ?? null,
      subjectName: given.email,
      details,
    });
  }

  private async account(id: string): Promise<SessionAccountDto> {
    const account = await this.dataSource.getRepository(AccountEntity).findOneByOrFail({ id });
    return {
      id: account.id,
      name: account.name,
      display_phone_number: account.displayPhoneNumber,
      active: account.active,
      hold_kind: account.holdKind,
      limits: limitsOf(account),
    };
  }

  private async recordEnd(
    user: SignedInUser,
    manager: DataSource['manager'],
    action: 'session.ended' | 'session.ended_everywhere' | 'user.password_changed',
  ): Promise<void> {
    await this.audit.record(manager, user.actor, {
      action,
      accountId: user.accountId,
      subjectId: user.id,
      subjectName: user.email,
    });
  }
}
