import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { RepeatedRequests } from '../idempotency/repeated-requests.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TemplatesModule } from '../templates/templates.api.module.js';
import { UploadsModule } from '../uploads/uploads.api.module.js';
import { AccountCampaignsController } from './account-campaigns.controller.js';
import { CampaignReads } from './campaign-reads.js';
import { CampaignRecipients } from './campaign-recipients.service.js';
import { CampaignFiles } from './campaign-template.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignDraftsController } from './drafts/campaign-drafts.controller.js';
import { CampaignDrafts } from './drafts/campaign-drafts.service.js';

/** The API's side of campaigns: made, filled, steered, read. */
@Module({
  imports: [
    ApiKeysModule,
    AuditModule,
    ContactsModule,
    MessagesModule,
    TemplatesModule,
    UploadsModule,
  ],
  controllers: [AccountCampaignsController, CampaignDraftsController, CampaignsController],
  providers: [
    CampaignDrafts,
    CampaignFiles,
    CampaignReads,
    CampaignRecipients,
    CampaignsService,
    RepeatedRequests,
  ],
})
export class CampaignsModule {}
