import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { UploadsModule } from '../uploads/uploads.api.module.js';
import { DashboardTemplatesController } from './account-templates.controller.js';
import { TemplateDirectory } from './sends/template-directory.js';
import { TemplateMappingsController } from './sends/template-mappings.controller.js';
import { TemplateMappingsService } from './sends/template-mappings.service.js';
import { TemplateMessagesController } from './sends/template-messages.controller.js';
import { TemplateMessages } from './sends/template-messages.service.js';
import { TemplateLookups } from './sync/template-lookups.js';
import { TemplateStoreModule } from './sync/template-store.module.js';
import { TemplateLists } from './template-lists.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

/** The API's side of templates: sends, lists, mappings, syncs on demand. */
@Module({
  imports: [
    AccountsModule,
    ApiKeysModule,
    AuditModule,
    MessagesModule,
    TemplateStoreModule,
    UploadsModule,
  ],
  controllers: [
    DashboardTemplatesController,
    TemplateMappingsController,
    TemplateMessagesController,
    TemplatesController,
  ],
  providers: [
    TemplateDirectory,
    TemplateLists,
    TemplateLookups,
    TemplateMappingsService,
    TemplateMessages,
    TemplatesService,
  ],
  exports: [TemplateLists, TemplateMappingsService, TemplateMessages, TemplatesService],
})
export class TemplatesModule {}
