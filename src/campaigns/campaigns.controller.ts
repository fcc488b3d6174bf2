import type { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOkResponse } from '@nestjs/swagger';
import { Caller } from '../access/caller.decorator.js';
import type { Principal } from '../access/principal.js';
import {
  RequirePermission,
  RequirePermissionBeyondDay,
} from '../access/require-permission.decorator.js';
import type { Reply, Request } from '../http/request.js';
import { AlsoAsFile, Refuses } from '../http/route.decorators.js';
import { PageDto, pageOf } from '../http/validation/page.dto.js';
import { RepeatedRequests } from '../idempotency/repeated-requests.js';
import { campaignTurn } from './campaign.js';
import { answerRecipients } from './campaign-export.js';
import { CampaignReads } from './campaign-reads.js';
import { CampaignRecipients, type RecipientPage } from './campaign-recipients.service.js';
import {
  type AddedRecipientsDto,
  type CampaignAnswerDto,
  CampaignRecipientsDto,
  CampaignRetryDto,
  type CampaignsDto,
  type EstimateDto,
  NewCampaignDto,
  NewRecipientsDto,
  RecipientListDto,
  recipientsMaxBytes,
} from './campaigns.dto.js';
import { CampaignsService } from './campaigns.service.js';

/** Campaigns: one template to many recipients. A campaign belongs to the key that made it. */
@Controller('api/v1/external/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly recipients: CampaignRecipients,
    private readonly reads: CampaignReads,
    private readonly repeated: RepeatedRequests,
  ) {}

  /** Makes a campaign, a draft without recipients. The key needs `send_template`, too. */
  @Post()
  @HttpCode(200)
  @RequirePermission('manage_campaigns', 'send_template')
  @Refuses('TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_CONFIGURED', 'IDEMPOTENCY_KEY_REUSED')
  async create(
    @Caller() caller: Principal,
    @Body() given: NewCampaignDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<CampaignAnswerDto> {
    return this.repeated.once(
      { caller, request, reply, body: given, turn: null },
      {
        prepare: () => this.campaigns.check(caller, given),
        write: async (manager, sendAt) => ({
          answer: { campaign: await this.campaigns.create(caller, given, sendAt, manager) },
        }),
      },
    );
  }

  /** The campaigns of the key, newest first. */
  @Get()
  @RequirePermissionBeyondDay('manage_campaigns')
  async list(
    @Caller() caller: Principal,
    @Query() { limit, cursor }: PageDto,
  ): Promise<CampaignsDto> {
    const found = await this.reads.list(caller, { beforeId: cursor, limit: limit + 1 });
    const { page, next_cursor } = pageOf(found, limit);
    return { campaigns: page, next_cursor };
  }

  /** One campaign, with how many of its recipients are in which state. */
  @Get(':id')
  @RequirePermissionBeyondDay('manage_campaigns')
  @Refuses('CAMPAIGN_NOT_FOUND')
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<CampaignAnswerDto> {
    return { campaign: await this.campaigns.get(id, caller) };
  }

  /**
   * Adds up to 1,000 recipients to a draft, 100,000 in all. The answer names those that are
   * wrong; the others are added. Nobody is added twice. At most 1 MiB.
   */
  @Post(':id/recipients')
  @HttpCode(200)
  @RequirePermission('manage_campaigns', 'send_template')
  @RouteConfig({ bodyMaxBytes: recipientsMaxBytes })
  @Refuses(
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_STATE',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_CONFIGURED',
    'IDEMPOTENCY_KEY_REUSED',
  )
  async addCampaignRecipients(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() given: NewRecipientsDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<AddedRecipientsDto> {
    return this.repeated.once(
      { caller, request, reply, body: given, turn: campaignTurn(id) },
      {
        prepare: () => this.recipients.check(id, caller, given),
        write: async (manager, checked) => ({
          answer: await this.recipients.add(checked, caller, manager),
        }),
      },
    );
  }

  /** The recipients and what became of their messages, in the order in which they were added. */
  @Get(':id/recipients')
  @RequirePermissionBeyondDay('manage_campaigns')
  @ApiOkResponse({ type: CampaignRecipientsDto })
  @AlsoAsFile()
  @Refuses('CAMPAIGN_NOT_FOUND')
  listCampaignRecipients(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() filter: RecipientListDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<CampaignRecipientsDto | Readable> {
    const list = (page: RecipientPage) => this.recipients.list(id, caller, page);
    return answerRecipients(list, filter, request, reply);
  }

  /** What the campaign would do if it were started now. */
  @Get(':id/estimate')
  @RequirePermissionBeyondDay('manage_campaigns')
  @Refuses('CAMPAIGN_NOT_FOUND')
  estimate(@Caller() caller: Principal, @Param('id') id: string): Promise<EstimateDto> {
    return this.campaigns.estimate(id, caller);
  }

  /** Starts a draft: at once, or at its `send_at`. */
  @Post(':id/start')
  @HttpCode(200)
  @RequirePermission('manage_campaigns', 'send_template')
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_CONFIGURED')
  async start(@Caller() caller: Principal, @Param('id') id: string): Promise<CampaignAnswerDto> {
    return { campaign: await this.campaigns.start(id, caller) };
  }

  /** Pauses a campaign. What is released already, at most two seconds of pace, is still sent. */
  @Post(':id/pause')
  @HttpCode(200)
  @RequirePermissionBeyondDay('manage_campaigns')
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE')
  async pause(@Caller() caller: Principal, @Param('id') id: string): Promise<CampaignAnswerDto> {
    return { campaign: await this.campaigns.pause(id, caller) };
  }

  /** Goes on with a paused campaign. */
  @Post(':id/resume')
  @HttpCode(200)
  @RequirePermission('manage_campaigns', 'send_template')
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_CONFIGURED')
  async resume(@Caller() caller: Principal, @Param('id') id: string): Promise<CampaignAnswerDto> {
    return { campaign: await this.campaigns.resume(id, caller) };
  }

  /** Cancels a campaign. Once it is answered, nothing goes out but what a worker has in hand. */
  @Post(':id/cancel')
  @HttpCode(200)
  @RequirePermissionBeyondDay('manage_campaigns')
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE')
  async cancel(@Caller() caller: Principal, @Param('id') id: string): Promise<CampaignAnswerDto> {
    return { campaign: await this.campaigns.cancel(id, caller) };
  }

  /**
   * Makes a new draft of those whose message has failed, or of those who got nothing because the campaign was cancelled.
   * Nobody is in two retries of the same campaign.
   */
  @Post(':id/retry')
  @HttpCode(200)
  @RequirePermission('manage_campaigns', 'send_template')
  @Refuses('CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE', 'IDEMPOTENCY_KEY_REUSED')
  async retry(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() given: CampaignRetryDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<CampaignAnswerDto> {
    return this.repeated.once(
      { caller, request, reply, body: given, turn: campaignTurn(id) },
      {
        prepare: () => this.campaigns.get(id, caller),
        write: async (manager, campaign) => ({
          answer: { campaign: await this.campaigns.retry(campaign, caller, given, manager) },
        }),
      },
    );
  }
}
