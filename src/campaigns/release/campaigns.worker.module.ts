import { Module } from '@nestjs/common';
import { TemplateDirectory } from '../../templates/sends/template-directory.js';
import { UploadedFiles } from '../../uploads/uploaded-files.js';
import { CampaignFiles } from '../campaign-template.js';
import { CampaignFeeder } from './campaign-feeder.js';

/** The worker's side of campaigns: what is pending becomes messages. */
@Module({
  providers: [CampaignFeeder, CampaignFiles, TemplateDirectory, UploadedFiles],
  exports: [CampaignFeeder],
})
export class CampaignFeedingModule {}
