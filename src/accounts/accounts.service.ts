import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../access/signed-in-user.js';
import { AuditLog, changesBetween } from '../audit/audit-log.js';
import { isDuplicate } from '../database/store-errors.js';
import { AppError, noSuch } from '../errors/app-error.js';
import { AccountEntity } from './account.entity.js';
import { AccountChanges } from './account-changes.js';
import { AccountRecords } from './account-records.js';
import { accountView, checkView } from './account-views.js';
import type {
  AccountChangeDto,
  AccountDto,
  NewAccountDto,
  NumberCheckDto,
} from './accounts.dto.js';
import { factsOf } from './health/health-facts.js';
import { storeHealth } from './health/number-health.js';
import { limitsOf } from './limits/account-limits.js';
import { endHold } from './number-hold.js';
import { PlatformNumbers } from './platform-numbers.js';

/** Accounts, for operators. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly records: AccountRecords,
    private readonly changes: AccountChanges,
    private readonly numbers: PlatformNumbers,
    private readonly audit: AuditLog,
  ) {}

  /** All accounts, the oldest first. */
  async list(): Promise<AccountDto[]> {
    const all = await this.dataSource.getRepository(AccountEntity).find({ order: { id: 'asc' } });
    return all.map(accountView);
  }

  /** @throws AppError NOT_FOUND */
  async get(id: string): Promise<AccountDto> {
    return accountView(await find(this.dataSource.manager, id));
  }

  /** @throws AppError NAME_TAKEN */
  async create(given: NewAccountDto, actor: Actor): Promise<AccountDto> {
    const account = await nameOnce(() =>
      // Nobody can have cached a version of a new account, so nothing is raised or published.
      this.dataSource.transaction(async (manager) => {
        const created = await this.records.addAccount(manager, given);
        await this.record(manager, actor, 'account.created', created, {
          phone_number_id: created.phoneNumberId,
          ...(given.limits && { limits: limitsOf(created) }),
        });
        return created;
      }),
    );
    await this.numbers.introduce(account);
    return accountView(account);
  }

  /** @throws AppError NOT_FOUND, NAME_TAKEN, SERVICE_UNAVAILABLE */
  async update(id: string, given: AccountChangeDto, actor: Actor): Promise<AccountDto> {
    const account = await nameOnce(() =>
      this.changes.apply(async (manager) => {
        const before = await find(manager, id);
        const after = await this.records.change(manager, before, given);
        await this.record(manager, actor, 'account.updated', after, {
          ...changesBetween(stable(before), stable(after)),
          ...(given.access_token && { access_token: 'changed' }),
          ...(given.app_secret && { app_secret: 'changed' }),
        });
        return { accountId: before.id, result: after };
      }),
    );
    await this.numbers.introduce(account);
    return accountView(account);
  }

  /**
   * Asks the platform for the health of the account's number, and stores what it says.
   * @throws AppError NOT_FOUND
   */
  async check(id: string): Promise<NumberCheckDto> {
    const account = await find(this.dataSource.manager, id);
    const { number, token } = await this.numbers.check(account.id);
    await this.dataSource.transaction((manager) =>
      storeHealth(manager, account.id, factsOf(number, token)),
    );
    return checkView(number);
  }

  /**
   * Ends the hold on the account's number; the next refusal of that kind begins another.
   * @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE
   */
  async resume(id: string, actor: Actor): Promise<AccountDto> {
    return this.changes.apply(async (manager) => {
      const before = await find(manager, id);
      const isEnded = await endHold(manager, before.id);
      const after = await find(manager, id);
      if (isEnded) {
        await this.record(manager, actor, 'account.resumed', after, {
          hold_kind: before.holdKind,
          hold_code: before.holdCode,
        });
      }
      return { accountId: before.id, result: accountView(after) };
    });
  }

  private record(
    manager: EntityManager,
    actor: Actor,
    action: `account.${string}`,
    account: AccountEntity,
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(manager, actor, {
      action,
      accountId: account.id,
      subjectId: account.id,
      subjectName: account.name,
      details,
    });
  }
}

async function find(manager: EntityManager, id: string): Promise<AccountEntity> {
  const account = isUUID(id) ? await manager.findOneBy(AccountEntity, { id }) : null;
  if (!account) throw noSuch('account');
  return account;
}

async function nameOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDuplicate(error, 'accounts_name_key')) throw error;
    throw new AppError('NAME_TAKEN', { message: 'There is an account with this name.' });
  }
}

/** What an administrator changes of an account; holds and times change by themselves. */
function stable(account: AccountEntity): Record<string, unknown> {
  const view = accountView(account);
  return {
    name: view.name,
    phone_number_id: view.phone_number_id,
    business_account_id: view.business_account_id,
    display_phone_number: view.display_phone_number,
    active: view.active,
    messages_per_second: view.messages_per_second,
    keywords: view.keywords,
    keyword_scope: view.keyword_scope,
    limits: view.limits,
  };
}
