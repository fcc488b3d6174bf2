import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { AccountChanges } from './account-changes.js';
import { AccountRecords } from './account-records.js';
import { AccountVersions } from './account-versions.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { PlatformNumbers } from './platform-numbers.js';

/** Accounts: their records, changes, and numbers. */
@Module({
  imports: [AuditModule, PlatformModule, QuotaModule],
  controllers: [AccountsController],
  providers: [AccountChanges, AccountRecords, AccountVersions, AccountsService, PlatformNumbers],
  exports: [AccountChanges, AccountsService],
})
export class AccountsModule {}
