import type { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { WithMeta } from '../http/envelope.js';
import { FairShares } from '../http/fair-shares.js';
import { exportOf, exportTypeOf } from '../http/list-export.js';
import type { Reply, Request } from '../http/request.js';
import { AlsoAsFile, Refuses } from '../http/route.decorators.js';
import {
  DeliveriesDto,
  type DeliveryAnswerDto,
  DeliveryListDto,
  type RecoveredDto,
  RecoveryDto,
  type WebhookReportDto,
} from './deliveries.dto.js';
import { DeliveriesService, isSearch } from './deliveries.service.js';
import { deliveryExport } from './delivery-export.js';
import { EndpointDeliveries, type KnownEndpoint } from './endpoint-deliveries.js';

/** Searches at once in this process; each keeps PostgreSQL busy for as long as it runs. */
const searchShares = {
  own: 1,
  free: 0,
  waitMs: 5_000,
  waitingMax: 20,
  reason: 'too_many_requests',
  message: 'Too many searches of yours are running; try again.',
};

/** Deliveries to callers, and their results. */
@Controller('api/v1/dashboard')
@RequireRole('administrator')
export class WebhookDeliveriesController {
  private readonly searches = new FairShares(searchShares);

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly endpoints: EndpointDeliveries,
  ) {}

  /** Lists deliveries, the newest first. */
  @Get('webhook-deliveries')
  @ApiOkResponse({ type: DeliveriesDto })
  @AlsoAsFile()
  async listWebhookDeliveries(
    @SignedIn() user: SignedInUser,
    @Query() filter: DeliveryListDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<DeliveriesDto | WithMeta | Readable> {
    if (isSearch(filter)) await this.searches.take(user.id, reply);
    const type = exportTypeOf(request);
    if (!type) {
      const page = await this.deliveries.list(user, filter);
      if (filter.count !== 'true') return page;
      return new WithMeta(page, { ...(await this.deliveries.count(user, filter)) });
    }
    const list = deliveryExport(filter, async (limit, cursor = filter.cursor) => {
      const page = await this.deliveries.list(user, filter, { limit, cursor });
      return { rows: page.deliveries, next_cursor: page.next_cursor };
    });
    return exportOf(list, type, reply);
  }

  /** One delivery with its attempts and the body that they send. */
  @Get('webhook-deliveries/:id')
  getWebhookDelivery(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<DeliveryAnswerDto> {
    return this.deliveries.get(user, id);
  }

  /** Delivers an event once more, with the same id and bytes. */
  @Post('webhook-deliveries/:id/redeliver')
  @Refuses('CONFLICT')
  redeliverEvent(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<DeliveryAnswerDto> {
    return this.deliveries.redeliver(user, id);
  }

  /** The health of the key's webhook in the last 24 hours. */
  @Get('api-keys/:id/webhook')
  async getWebhookReport(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<WebhookReportDto> {
    return this.endpoints.report(await this.defaultOf(user, id));
  }

  /** Sends a test event to the key's webhook. */
  @Post('api-keys/:id/webhook/test')
  @Refuses('CONFLICT')
  async testWebhook(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<DeliveryAnswerDto> {
    const tested = await this.endpoints.test(await this.defaultOf(user, id), user.actor);
    return this.deliveries.get(user, tested);
  }

  /** Delivers again what the key's webhook has missed since a given time. */
  @Post('api-keys/:id/webhook/recover')
  @Refuses('CONFLICT')
  async recoverWebhook(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() { since }: RecoveryDto,
  ): Promise<RecoveredDto> {
    const endpoint = await this.defaultOf(user, id);
    return { recovered: await this.endpoints.recover(endpoint, since, user.actor) };
  }

  /** What `webhook_url` of a key sets. @throws AppError NOT_FOUND */
  private defaultOf(user: SignedInUser, keyId: string): Promise<KnownEndpoint> {
    return this.endpoints.find(keyId, { accountId: accountScope(user), apiKeyId: keyId });
  }
}
