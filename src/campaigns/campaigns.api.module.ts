import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TemplatesModule } from '../templates/templates.api.module.js';
import { UploadsModule } from '../uploads/uploads.api.module.js';
import { CampaignAdministrationController } from './campaign-administration.controller.js';
import { CampaignAdministration } from './campaign-administration.service.js';
import { CampaignReads } from './campaign-reads.js';
import { CampaignRecipients } from './campaign-recipients.service.js';
import { CampaignReplays } from './campaign-replays.js';
import { CampaignFiles } from './campaign-template.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';

/** The API's side of campaigns: made, filled, steered, read. */
@Module({
  imports: [AuditModule, MessagesModule, TemplatesModule, UploadsModule],
  controllers: [CampaignAdministrationController, CampaignsController],
  providers: [
    CampaignAdministration,
    CampaignFiles,
    CampaignReads,
    CampaignRecipients,
    CampaignReplays,
    CampaignsService,
  ],
})
export class CampaignsModule {}
