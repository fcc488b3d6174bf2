import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { DashboardTemplatesController } from './template-administration.controller.js';
import { TemplateAdministration } from './template-administration.service.js';
import { TemplateDirectory } from './template-directory.js';
import { TemplateLists } from './template-lists.js';
import { TemplateLookups } from './template-lookups.js';
import { TemplateMappingsController } from './template-mappings.controller.js';
import { TemplateMappingsService } from './template-mappings.service.js';
import { TemplateMessagesController } from './template-messages.controller.js';
import { TemplateMessages } from './template-messages.service.js';
import { TemplateStoreModule } from './template-store.module.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

/** The API's side of templates: sends, lists, mappings, syncs on demand. */
@Module({
  imports: [AccountsModule, ApiKeysModule, AuditModule, MessagesModule, TemplateStoreModule],
  controllers: [
    DashboardTemplatesController,
    TemplateMappingsController,
    TemplateMessagesController,
    TemplatesController,
  ],
  providers: [
    TemplateAdministration,
    TemplateDirectory,
    TemplateLists,
    TemplateLookups,
    TemplateMappingsService,
    TemplateMessages,
    TemplatesService,
  ],
  exports: [TemplateAdministration, TemplateMappingsService, TemplateMessages],
})
export class TemplatesModule {}
