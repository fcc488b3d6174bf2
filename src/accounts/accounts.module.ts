import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { AccountChanges } from './account-changes.js';
import { AccountRecords } from './account-records.js';
import { AccountsService } from './accounts.service.js';
import { PlatformNumbers } from './platform-numbers.js';

/** Accounts: their records, changes, and numbers. */
@Module({
  imports: [AuditModule, QuotaModule],
  providers: [AccountChanges, AccountRecords, AccountsService, PlatformNumbers],
  exports: [AccountChanges, AccountsService],
})
export class AccountsModule {}
