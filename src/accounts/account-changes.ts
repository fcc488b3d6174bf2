import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { unavailable } from '../errors/app-error.js';
import { LOGGER } from '../logging/logging.module.js';
import { AccountVersions, raiseVersion } from './account-versions.js';

/** What a change leaves behind. */
export interface AccountChange<T> {
  readonly accountId: string;
  readonly result: T;
}

/** Changes accounts and their keys; every process knows of a change before its caller gets an answer. */
@Injectable()
export class AccountChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly versions: AccountVersions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Runs a change in a transaction, raises the account's version in it and publishes the version.
   * @param work returns whose account it changed; it throws to change nothing.
   * @throws AppError SERVICE_UNAVAILABLE when the change is stored and could not be published.
   */
  async apply<T>(work: (manager: EntityManager) => Promise<AccountChange<T>>): Promise<T> {
    const { result, unpublished } = await this.store(work);
    if (unpublished === null) return result;
    throw unavailable(
      'not_published',
      'The change is stored but not yet active everywhere: some processes may use the old ' +
        'state for up to a minute.',
      { retryAfterSeconds: 60, cause: unpublished },
    );
  }

  /**
   * The same for a change whose result is shown only once: a 503 must not lose that result.
   * @throws AppError SERVICE_UNAVAILABLE when it could not be published; nothing is changed then.
   */
  async applyShownOnce<T>(work: (manager: EntityManager) => Promise<AccountChange<T>>): Promise<T> {
    try {
      await this.versions.checkPublishing();
    } catch (error) {
      throw unavailable(
        'not_changed',
        'Redis cannot be reached, so the change could not take effect. Nothing was changed.',
        { cause: error },
      );
    }
    const { result } = await this.store(work);
    return result;
  }

  private async store<T>(work: (manager: EntityManager) => Promise<AccountChange<T>>) {
    const { result, accountId, version } = await this.dataSource.transaction(async (manager) => {
      const change = await work(manager);
      return { ...change, version: await raiseVersion(manager, change.accountId) };
    });
    return { result, unpublished: await this.publish(accountId, version) };
  }

  /** @returns why it could not, or null. */
  private async publish(accountId: string, version: number): Promise<unknown> {
    try {
      await this.versions.publish(accountId, version);
      return null;
    } catch (error) {
      this.logger.warn({ err: error, account_id: accountId }, 'could not publish a change');
      return error;
    }
  }
}
