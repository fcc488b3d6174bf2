import type { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { callerOf } from '../access/caller.js';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import type { Reply, Request } from '../http/request.js';
import { AlsoAsFile, Refuses } from '../http/route.decorators.js';
import { pageOf } from '../http/validation/page.dto.js';
import { answerRecipients } from './campaign-export.js';
import { CampaignReads } from './campaign-reads.js';
import { CampaignRecipients, type RecipientPage } from './campaign-recipients.service.js';
import {
  type CampaignDto,
  CampaignRecipientsDto,
  type CampaignRetriesDto,
  type CampaignsDto,
  type DashboardCampaignDto,
  DashboardCampaignListDto,
  DashboardRecipientListDto,
} from './campaigns.dto.js';
import { CampaignsService } from './campaigns.service.js';

/** The campaigns of the user's account, of all keys; operators see all. */
@Controller('api/v1/dashboard/campaigns')
@RequireRole('administrator')
export class AccountCampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly recipients: CampaignRecipients,
    private readonly reads: CampaignReads,
  ) {}

  /** Lists campaigns, the newest first. */
  @Get()
  async listAccountCampaigns(
    @SignedIn() user: SignedInUser,
    @Query() { account_id: accountId, limit, cursor, ...filter }: DashboardCampaignListDto,
  ): Promise<CampaignsDto> {
    const found = await this.reads.list(callerOf(user, accountId), {
      ...filter,
      beforeId: cursor,
      limit: limit + 1,
    });
    const { page, next_cursor } = pageOf(found, limit);
    return { campaigns: page, next_cursor };
  }

  /** One campaign, with how many of its recipients are in which state. */
  @Get(':id')
  @Refuses('CAMPAIGN_NOT_FOUND')
  async getAccountCampaign(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<DashboardCampaignDto> {
    return this.reads.withDetails(await this.campaigns.get(id, callerOf(user)));
  }

  /** How many of its recipients can be tried again, and the campaigns that try them again. */
  @Get(':id/retries')
  @Refuses('CAMPAIGN_NOT_FOUND')
  async listAccountCampaignRetries(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<CampaignRetriesDto> {
    return this.campaigns.retries(await this.campaigns.get(id, callerOf(user)));
  }

  /** Its recipients and what became of their messages, in the order in which they were added. */
  @Get(':id/recipients')
  @ApiOkResponse({ type: CampaignRecipientsDto })
  @AlsoAsFile()
  @Refuses('CAMPAIGN_NOT_FOUND')
  listAccountCampaignRecipients(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Query() filter: DashboardRecipientListDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<CampaignRecipientsDto | Readable> {
    const caller = callerOf(user);
    const list = (page: RecipientPage) => this.recipients.list(id, caller, page);
    return answerRecipients(list, filter, request, reply);
  }

  /** Pauses a campaign. What is released already, at most two seconds of pace, is still sent. */
  @Post(':id/pause')
  @HttpCode(200)
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE')
  pauseAccountCampaign(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<CampaignDto> {
    return this.campaigns.steer(id, user, 'pause');
  }

  /** Goes on with a paused campaign. */
  @Post(':id/resume')
  @HttpCode(200)
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE')
  resumeAccountCampaign(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<CampaignDto> {
    return this.campaigns.steer(id, user, 'resume');
  }

  /** Cancels a campaign. Once it is answered, nothing goes out but what a worker has in hand. */
  @Post(':id/cancel')
  @HttpCode(200)
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE')
  cancelAccountCampaign(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<CampaignDto> {
    return this.campaigns.steer(id, user, 'cancel');
  }
}
