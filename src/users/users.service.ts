import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor, SignedInUser } from '../access/signed-in-user.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { AuditLog, changesBetween } from '../audit/audit-log.js';
import { newId } from '../database/ids.js';
import { isDuplicate } from '../database/store-errors.js';
import { AppError, noSuch, validationError } from '../errors/app-error.js';
import { isGiven } from '../http/validation/rules.js';
import { Passwords } from './passwords/passwords.js';
import { UserPasswords } from './passwords/user-passwords.js';
import { endResetLink, makeResetLink } from './reset-links.js';
import { Sessions } from './sessions.js';
import { UserEntity } from './user.entity.js';
import { isPlainAddress } from './user-rules.js';
import {
  accountOwnerRule,
  type NewUserDto,
  type UserChangeDto,
  type UserDto,
} from './users.dto.js';
import * as sql from './users.service.statements.js';

/** A user who was just made, and the link of an invitation. */
interface NewUser {
  readonly user: UserDto;
  readonly link: { readonly token: string; readonly expiresAt: Date } | null;
}

/** Who may sign in to the dashboard. */
@Injectable()
export class UsersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly userPasswords: UserPasswords,
    private readonly sessions: Sessions,
    private readonly audit: AuditLog,
  ) {}

  /** All users, the oldest first. */
  async list(): Promise<UserDto[]> {
    const users = await this.dataSource.getRepository(UserEntity).find({ order: { id: 'asc' } });
    return users.map(userView);
  }

  /**
   * Makes a user; without a password, with a link to set one.
   * @throws AppError NAME_TAKEN, VALIDATION_ERROR
   */
  async create(given: NewUserDto, actor: Actor): Promise<NewUser> {
    checkNewAddress(given.email);
    const accountId = given.account_id?.toLowerCase() ?? null;
    if (!isGiven(given.password)) {
      if (given.active === false) {
        throw validationError({ active: 'must be true without a password: the link needs it' });
      }
      return this.insert(given, null, actor);
    }
    const passwordHash = await this.userPasswords.hashNew('password', given.password, {
      email: given.email,
      accountId,
    });
    return this.insert(given, passwordHash, actor);
  }

  /** @param passwordHash null: the user is invited by a link. */
  private insert(
    given: Omit<NewUserDto, 'password'>,
    passwordHash: string | null,
    actor: Actor,
  ): Promise<NewUser> {
    const accountId = given.account_id?.toLowerCase() ?? null;
    return this.change(async (manager) => {
      await checkAccount(manager, given.role, accountId);
      const user = manager.create(UserEntity, {
        id: newId(),
        email: given.email,
        passwordHash,
        role: given.role,
        accountId,
        active: given.active ?? true,
      });
      await manager.insert(UserEntity, user);
      const created = await manager.findOneByOrFail(UserEntity, { id: user.id });
      await this.record(manager, actor, 'user.created', created, {
        role: created.role,
        account_id: created.accountId,
        ...(passwordHash === null && { invited: true }),
      });
      const link = passwordHash === null ? await makeResetLink(manager, user.id) : null;
      return { user: userView(created), link };
    });
  }

  /**
   * Changes a user. One's own address and password take the current password.
   * @throws AppError NOT_FOUND, NAME_TAKEN, VALIDATION_ERROR, CONFLICT for the last operator
   */
  async update(
    id: string,
    given: UserChangeDto,
    { id: callerId, actor }: SignedInUser,
  ): Promise<UserDto> {
    const known = await this.get(this.dataSource.manager, id);
    const { email = known.email, password } = given;
    if (email !== known.email) checkNewAddress(email);
    if (known.id === callerId && (email !== known.email || password !== undefined)) {
      await this.userPasswords.checkOwn(callerId, given.current_password);
    }
    const passwordHash =
      password === undefined
        ? null
        : await this.userPasswords.hashNew('password', password, {
            email,
            accountId: given.account_id?.toLowerCase() ?? known.accountId,
          });
    return this.change(async (manager) => {
      const before = await this.get(manager, id);
      const role = given.role ?? before.role;
      const asked = given.account_id?.toLowerCase() ?? null;
      const accountId =
        given.account_id === undefined ? (role === 'operator' ? null : before.accountId) : asked;
      await checkAccount(manager, role, accountId);
      const active = given.active ?? before.active;
      if (role !== 'operator' || !active) await keepAnOperator(manager, before);
      const changed = { email: given.email ?? before.email, role, accountId, active };
      await manager.update(UserEntity, { id: before.id }, changed);
      if (passwordHash) await this.passwords.store(manager, before.id, passwordHash);
      if (!active) await endResetLink(manager, before.id);
      const after = await manager.findOneByOrFail(UserEntity, { id: before.id });
      if (passwordHash || !active) await this.sessions.endAllOf(manager, before.id);
      await this.record(manager, actor, 'user.updated', after, {
        ...changesBetween(userView(before), userView(after)),
        ...(passwordHash && { password: 'changed' }),
      });
      return userView(after);
    });
  }

  /** @throws AppError NOT_FOUND, CONFLICT for the last operator */
  async delete(id: string, actor: Actor): Promise<object> {
    return this.change(async (manager) => {
      const user = await this.get(manager, id);
      await keepAnOperator(manager, user);
      await manager.delete(UserEntity, { id: user.id });
      await this.record(manager, actor, 'user.deleted', user, {});
      return { deleted: true };
    });
  }

  /** Makes the first operator, with any password; an existing one is not changed. */
  async ensureOperator(email: string, password: string, actor: Actor): Promise<void> {
    const isThere = await this.dataSource.getRepository(UserEntity).existsBy({ role: 'operator' });
    if (isThere) return;
    await this.insert({ email, role: 'operator' }, await this.passwords.hash(password), actor);
  }

  private async get(manager: EntityManager, id: string): Promise<UserEntity> {
    const user = isUUID(id) ? await manager.findOneBy(UserEntity, { id }) : null;
    if (!user) throw noSuch('user');
    return user;
  }

  private async change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.dataSource.transaction(work);
    } catch (error) {
      if (!isDuplicate(error, 'users_email')) throw error;
      throw new AppError('NAME_TAKEN', { message: 'There is a user with this email address.' });
    }
  }

  private record(
    manager: EntityManager,
    actor: Actor,
    action: `user.${string}`,
    user: UserEntity,
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(manager, actor, {
      action,
      accountId: user.accountId,
      subjectId: user.id,
      subjectName: user.email,
      details,
    });
  }
}

/** @throws AppError CONFLICT when this user is the last operator who can sign in. */
async function keepAnOperator(manager: EntityManager, user: UserEntity): Promise<void> {
  const operators = await sql.lockOperators.rows(manager);
  if (operators.length === 1 && operators[0]?.id === user.id) {
    throw new AppError('CONFLICT', {
      message: 'This is the last operator who can sign in; create another one first.',
    });
  }
}

/** Addresses that look like others let nobody in, but they deceive who reads the list of users. */
function checkNewAddress(email: string): void {
  if (!isPlainAddress(email)) {
    throw validationError({ email: 'must have ASCII characters only, without accents and such' });
  }
}

async function checkAccount(
  manager: EntityManager,
  role: UserEntity['role'],
  accountId: string | null,
): Promise<void> {
  if (role === 'operator') {
    if (accountId === null) return;
    throw validationError({ account_id: accountOwnerRule });
  }
  if (accountId === null) throw validationError({ account_id: 'is required' });
  if (!(await manager.existsBy(AccountEntity, { id: accountId }))) {
    throw validationError({ account_id: 'is not the id of an account' });
  }
}

function userView(user: UserEntity): UserDto {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    account_id: user.accountId,
    active: user.active,
    has_second_factor: user.totpConfirmedAt !== null,
    has_password: user.passwordHash !== null,
    last_sign_in_at: user.lastSignInAt,
    created_at: user.createdAt,
  };
}
