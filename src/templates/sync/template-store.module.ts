import { Module } from '@nestjs/common';
import { AccountVersions } from '../../accounts/account-versions.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { QuotaModule } from '../../quota/quota.module.js';
import { PlatformTemplates } from './platform-templates.js';
import { TemplateRecords } from './template-records.js';
import { TemplateSync } from './template-sync.service.js';

/** Templates as they are synced, in both processes. */
@Module({
  imports: [PlatformModule, QuotaModule],
  providers: [AccountVersions, PlatformTemplates, TemplateRecords, TemplateSync],
  exports: [PlatformTemplates, TemplateSync],
})
export class TemplateStoreModule {}
