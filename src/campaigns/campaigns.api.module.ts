import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { RepeatedRequests } from '../idempotency/repeated-requests.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TemplatesModule } from '../templates/templates.api.module.js';
import { UploadsModule } from '../uploads/uploads.api.module.js';
import { CampaignAdministrationController } from './administration/campaign-administration.controller.js';
import { CampaignAdministration } from './administration/campaign-administration.service.js';
import { CampaignDraftsController } from './administration/campaign-drafts.controller.js';
import { CampaignDrafts } from './administration/campaign-drafts.service.js';
import { CampaignReads } from './campaign-reads.js';
import { CampaignRecipients } from './campaign-recipients.service.js';
import { CampaignFiles } from './campaign-template.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';

/** The API's side of campaigns: made, filled, steered, read. */
@Module({
  imports: [ApiKeysModule, AuditModule, MessagesModule, TemplatesModule, UploadsModule],
  controllers: [CampaignAdministrationController, CampaignDraftsController, CampaignsController],
  providers: [
    CampaignAdministration,
    CampaignDrafts,
    CampaignFiles,
    CampaignReads,
    CampaignRecipients,
    CampaignsService,
    RepeatedRequests,
  ],
})
export class CampaignsModule {}
