import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { AccountChanges } from './account-changes.js';
import { AccountRecords } from './account-records.js';
import { AccountVersions } from './account-versions.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { ChecklistController } from './go-live/checklist.controller.js';
import { ChecklistService } from './go-live/checklist.service.js';
import { HealthHistoryController } from './health/health-history.controller.js';
import { PlatformNumbers } from './platform-numbers.js';

/** Accounts: their records, changes, and numbers. */
@Module({
  imports: [AuditModule, PlatformModule, QuotaModule],
  controllers: [AccountsController, ChecklistController, HealthHistoryController],
  providers: [
    AccountChanges,
    AccountRecords,
    AccountVersions,
    AccountsService,
    ChecklistService,
    PlatformNumbers,
  ],
  exports: [AccountChanges, AccountsService],
})
export class AccountsModule {}
