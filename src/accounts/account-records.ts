import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../database/ids.js';
import { SecretBox } from '../secrets/secret-box.js';
import { AccountEntity } from './account.entity.js';
import type { AccountChangeDto, NewAccountDto } from './accounts.dto.js';
import { defaultKeywords } from './default-keywords.js';
import { columnsOfLimits } from './limits/account-limits.js';

/** How much WhatsApp accepts from a number, unless it has raised the number's throughput. */
const defaultPace = 80;

/** Writes accounts, their secrets sealed. */
@Injectable()
export class AccountRecords {
  constructor(private readonly secrets: SecretBox) {}

  async addAccount(manager: EntityManager, given: NewAccountDto): Promise<AccountEntity> {
    const id = newId();
    await manager.insert(AccountEntity, {
      id,
      name: given.name,
      phoneNumberId: given.phone_number_id,
      businessAccountId: given.business_account_id,
      displayPhoneNumber: given.display_phone_number,
      accessToken: this.seal('access_token', id, given.access_token),
      appSecret: this.seal('app_secret', id, given.app_secret),
      active: given.active ?? true,
      messagesPerSecond:
        given.messages_per_second === undefined ? defaultPace : given.messages_per_second,
      keywords: given.keywords === undefined ? defaultKeywords : given.keywords,
      keywordScope: given.keyword_scope ?? 'marketing',
      ...columnsOfLimits(given.limits ?? {}),
      version: '1',
    });
    return manager.findOneByOrFail(AccountEntity, { id });
  }

  /** The caller raises the account's version. */
  async change(
    manager: EntityManager,
    { id }: AccountEntity,
    given: AccountChangeDto,
  ): Promise<AccountEntity> {
    await manager.update(
      AccountEntity,
      { id },
      {
        updatedAt: new Date(),
        ...(given.name !== undefined && { name: given.name }),
        ...(given.phone_number_id !== undefined && { phoneNumberId: given.phone_number_id }),
        ...(given.business_account_id !== undefined && {
          businessAccountId: given.business_account_id,
        }),
        ...(given.display_phone_number !== undefined && {
          displayPhoneNumber: given.display_phone_number,
        }),
        ...(given.access_token !== undefined && {
          accessToken: this.seal('access_token', id, given.access_token),
        }),
        ...(given.app_secret !== undefined && {
          appSecret: this.seal('app_secret', id, given.app_secret),
        }),
        ...(given.active !== undefined && { active: given.active }),
        ...(given.keywords !== undefined && { keywords: given.keywords }),
        ...(given.keyword_scope && { keywordScope: given.keyword_scope }),
        ...columnsOfLimits(given.limits),
        // The platform has not judged a newly set pace yet.
        ...(given.messages_per_second !== undefined && {
          messagesPerSecond: given.messages_per_second,
          learntPerSecond: null,
          learntAt: null,
        }),
      },
    );
    return manager.findOneByOrFail(AccountEntity, { id });
  }

  private seal(column: 'access_token' | 'app_secret', id: string, secret: string): string {
    return this.secrets.seal(secret, `accounts.${column}.${id}`);
  }
}
