import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import type { Reply, Request } from '../../http/request.js';
import { Refuses } from '../../http/route.decorators.js';
import { refuseIdempotencyKey } from '../../idempotency/idempotency-key.js';
import { RepeatedRequests } from '../../idempotency/repeated-requests.js';
import { EndpointsOwner } from './endpoint-owner.decorator.js';
import { endpointRoutes } from './endpoint-routes.controller.js';
import { type EndpointOwner, EndpointSettings } from './endpoint-settings.service.js';
import {
  type AddedEndpointAnswerDto,
  type EndpointSecretDto,
  NewEndpointDto,
  SecretRotationDto,
} from './endpoints.dto.js';

/** Where the events of the calling key go. */
@Controller('api/v1/external/webhooks')
@RequirePermission('manage_webhooks')
export class WebhooksController extends endpointRoutes('id') {
  constructor(
    endpoints: EndpointSettings,
    private readonly repeated: RepeatedRequests,
  ) {
    super(endpoints);
  }

  /** Adds an endpoint and shows its secret, once. A key may have ten, the one of `webhook_url` included. */
  @Post()
  @HttpCode(200)
  @Refuses('WEBHOOK_LIMIT', 'ACCOUNT_LIMIT', 'IDEMPOTENCY_KEY_REUSED', 'CONFLICT')
  async create(
    @Caller() caller: Principal,
    @EndpointsOwner() owner: EndpointOwner,
    @Body() given: NewEndpointDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<AddedEndpointAnswerDto> {
    const added = await this.repeated.once(
      { caller, request, reply, body: given, turn: null },
      { write: (manager) => this.endpoints.createIn(manager, owner, given) },
    );
    return this.endpoints.reveal(added);
  }

  /**
   * Issues a new secret. For 24 hours events are signed with both; an endpoint of the format `whatsapp` signs with the new
   * one alone, from the next attempt on.
   */
  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Refuses('VALIDATION_ERROR')
  rotateWebhookSecret(
    @EndpointsOwner() owner: EndpointOwner,
    @Param('id') id: string,
    @Body() given: SecretRotationDto,
    @Req() request: Request,
  ): Promise<EndpointSecretDto> {
    refuseIdempotencyKey(request);
    return this.endpoints.rotateSecret(owner, id, given);
  }
}
