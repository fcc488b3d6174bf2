import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { QuotaStore } from '../quota/quota-store.js';
import * as sql from './account-versions.statements.js';

/** Raises the version of an account inside the transaction of the change. */
export async function raiseVersion(manager: EntityManager, accountId: string): Promise<number> {
  const row = await sql.raiseVersion.row(manager, { accountId });
  return Number(row?.version ?? 0);
}

/**
 * The version of an account: one number, raised with every change to the account, its keys,
 * mappings or templates, under which every process caches them.
 */
@Injectable()
export class AccountVersions {
  constructor(private readonly store: QuotaStore) {}

  /** @throws when a raised version could not be made known now. */
  checkPublishing(): Promise<void> {
    return this.store.checkPublishing();
  }

  /**
   * Lets every process know a raised version, after the commit.
   * @throws when the copy cannot be reached; it expires by itself within a minute.
   */
  publish(accountId: string, version: number): Promise<void> {
    return this.store.publishVersion(accountId, version);
  }
}
