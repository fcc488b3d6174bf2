import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { SignedIn } from '../../access/signed-in.decorator.js';
import type { SignedInUser } from '../../access/signed-in-user.js';
import { Refuses } from '../../http/route.decorators.js';
import {
  type AddedRecipientsDto,
  type CampaignDto,
  CampaignRetryDto,
  type EstimateDto,
  NewRecipientsDto,
  recipientsMaxBytes,
} from '../campaigns.dto.js';
import { DraftChangeDto, NewDraftDto } from './campaign-drafts.dto.js';
import { CampaignDrafts } from './campaign-drafts.service.js';

const keyRefusals = [
  'NOT_FOUND',
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'REVOKED_API_KEY',
  'SUSPENDED_API_KEY',
  'PERMISSION_DENIED',
  'ACCOUNT_NOT_ACTIVE',
] as const;

/** Makes campaigns in the name of a key that has the permissions `manage_campaigns` and `send_template`. */
@Controller('api/v1/dashboard/campaigns')
@RequireRole('administrator')
export class CampaignDraftsController {
  constructor(private readonly drafts: CampaignDrafts) {}

  /** Makes a campaign, a draft without recipients. */
  @Post()
  @HttpCode(200)
  @Refuses('TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_CONFIGURED', ...keyRefusals)
  createCampaignDraft(
    @SignedIn() user: SignedInUser,
    @Body() given: NewDraftDto,
  ): Promise<CampaignDto> {
    return this.drafts.create(user, given);
  }

  /** Changes a draft: its name, its time, its pace, what its webhooks get and what pauses it. */
  @Patch(':id')
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE')
  changeCampaignDraft(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: DraftChangeDto,
  ): Promise<CampaignDto> {
    return this.drafts.change(user, id, given);
  }

  /**
   * Adds up to 1,000 recipients to a draft, 100,000 in all. The answer names those that are
   * wrong; the others are added. Nobody is added twice. At most 1 MiB.
   */
  @Post(':id/recipients')
  @HttpCode(200)
  @RouteConfig({ bodyMaxBytes: recipientsMaxBytes })
  @Refuses(
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_STATE',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_CONFIGURED',
    ...keyRefusals,
  )
  addDraftRecipients(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: NewRecipientsDto,
  ): Promise<AddedRecipientsDto> {
    return this.drafts.addRecipients(user, id, given);
  }

  /** What the campaign would do if it were started now. */
  @Get(':id/estimate')
  @Refuses('CAMPAIGN_NOT_FOUND')
  estimateCampaignDraft(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<EstimateDto> {
    return this.drafts.estimate(user, id);
  }

  /**
   * Makes a new draft of those whose message has failed, or of those who got nothing because the campaign was cancelled.
   * Nobody is in two retries of the same campaign.
   */
  @Post(':id/retry')
  @HttpCode(200)
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE', ...keyRefusals)
  retryAccountCampaign(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: CampaignRetryDto,
  ): Promise<CampaignDto> {
    return this.drafts.retry(user, id, given);
  }

  /** Starts a draft: at once, or at its `send_at`. */
  @Post(':id/start')
  @HttpCode(200)
  @Refuses(
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_STATE',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_CONFIGURED',
    ...keyRefusals,
  )
  startCampaignDraft(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<CampaignDto> {
    return this.drafts.start(user, id);
  }
}
