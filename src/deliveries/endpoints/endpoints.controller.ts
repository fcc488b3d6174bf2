import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import type { Reply, Request } from '../../http/request.js';
import { Refuses } from '../../http/route.decorators.js';
import { PageDto } from '../../http/validation/page.dto.js';
import { refuseIdempotencyKey } from '../../idempotency/idempotency-key.js';
import { RepeatedRequests } from '../../idempotency/repeated-requests.js';
import { type RecoveredDto, RecoveryDto } from '../deliveries.dto.js';
import { type EndpointOwner, EndpointSettings } from './endpoint-settings.service.js';
import {
  type AddedEndpointAnswerDto,
  type EndpointAnswerDto,
  EndpointChangeDto,
  type EndpointSecretDto,
  type EndpointsDto,
  type EndpointTestDto,
  NewEndpointDto,
  SecretRotationDto,
} from './endpoints.dto.js';

/** Where the events of the calling key go. */
@Controller('api/v1/external/webhooks')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointSettings,
    private readonly repeated: RepeatedRequests,
  ) {}

  /** The endpoints of the key, the oldest first. */
  @Get()
  @RequirePermission('manage_webhooks')
  listWebhooks(@Caller() caller: Principal, @Query() page: PageDto): Promise<EndpointsDto> {
    return this.endpoints.list(ownerOf(caller), page);
  }

  /** Adds an endpoint and shows its secret, once. A key may have ten, the one of `webhook_url` included. */
  @Post()
  @HttpCode(200)
  @RequirePermission('manage_webhooks')
  @Refuses('WEBHOOK_LIMIT', 'ACCOUNT_LIMIT', 'IDEMPOTENCY_KEY_REUSED', 'CONFLICT')
  async createWebhook(
    @Caller() caller: Principal,
    @Body() given: NewEndpointDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<AddedEndpointAnswerDto> {
    const added = await this.repeated.once(
      { caller, request, reply, body: given, turn: null },
      { write: (manager) => this.endpoints.createIn(manager, ownerOf(caller), given) },
    );
    return this.endpoints.reveal(added);
  }

  /** One endpoint. */
  @Get(':id')
  @RequirePermission('manage_webhooks')
  async getWebhook(
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<EndpointAnswerDto> {
    return { webhook: await this.endpoints.get(ownerOf(caller), id) };
  }

  /** Changes an endpoint. Events that wait for it go to the new address. */
  @Patch(':id')
  @RequirePermission('manage_webhooks')
  async updateWebhook(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() given: EndpointChangeDto,
  ): Promise<EndpointAnswerDto> {
    return { webhook: await this.endpoints.update(ownerOf(caller), id, given) };
  }

  /** Deletes an endpoint. What waits for it is not delivered any more. */
  @Delete(':id')
  @RequirePermission('manage_webhooks')
  deleteWebhook(@Caller() caller: Principal, @Param('id') id: string): Promise<object> {
    return this.endpoints.delete(ownerOf(caller), id);
  }

  /** Sends a test event to an endpoint. */
  @Post(':id/test')
  @HttpCode(200)
  @RequirePermission('manage_webhooks')
  @Refuses('CONFLICT')
  async testWebhook(
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<EndpointTestDto> {
    return { delivery_id: await this.endpoints.test(ownerOf(caller), id) };
  }

  /** Switches an endpoint on again that Parley has switched off. */
  @Post(':id/enable')
  @HttpCode(200)
  @RequirePermission('manage_webhooks')
  async enableWebhook(
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<EndpointAnswerDto> {
    return { webhook: await this.endpoints.enable(ownerOf(caller), id) };
  }

  /** Delivers again what an endpoint has missed since a given time. */
  @Post(':id/recover')
  @HttpCode(200)
  @RequirePermission('manage_webhooks')
  @Refuses('CONFLICT')
  recoverWebhook(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { since }: RecoveryDto,
  ): Promise<RecoveredDto> {
    return this.endpoints.recover(ownerOf(caller), id, since);
  }

  /**
   * Issues a new secret. For 24 hours events are signed with both; an endpoint of the format `whatsapp` signs with the new
   * one alone, from the next attempt on.
   */
  @Post(':id/rotate-secret')
  @HttpCode(200)
  @RequirePermission('manage_webhooks')
  @Refuses('VALIDATION_ERROR')
  rotateWebhookSecret(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() given: SecretRotationDto,
    @Req() request: Request,
  ): Promise<EndpointSecretDto> {
    refuseIdempotencyKey(request);
    return this.endpoints.rotateSecret(ownerOf(caller), id, given);
  }
}

const ownerOf = ({ apiKeyId, accountId }: Principal): EndpointOwner => ({
  apiKeyId,
  accountId,
  actor: null,
});
