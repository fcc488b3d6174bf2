import { Body, Controller, Param, Post } from '@nestjs/common';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { Refuses } from '../../http/route.decorators.js';
import { EndpointsOwner } from './endpoint-owner.decorator.js';
import { endpointRoutes } from './endpoint-routes.controller.js';
import type { EndpointOwner } from './endpoint-settings.service.js';
import {
  type AddedEndpointAnswerDto,
  type EndpointSecretDto,
  NewEndpointDto,
  SecretRotationDto,
} from './endpoints.dto.js';

/** The same for people, who manage the endpoints of any key of theirs. */
@Controller('api/v1/dashboard/api-keys/:id/webhooks')
@RequireRole('administrator')
export class EndpointsOfKeyController extends endpointRoutes('endpoint_id') {
  /** Adds an endpoint and shows its secret, once. A key may have ten, the one of `webhook_url` included. */
  @Post()
  @Refuses('WEBHOOK_LIMIT', 'ACCOUNT_LIMIT', 'PERMISSION_DENIED', 'CONFLICT')
  create(
    @EndpointsOwner() owner: EndpointOwner,
    @Body() given: NewEndpointDto,
  ): Promise<AddedEndpointAnswerDto> {
    return this.endpoints.create(owner, given);
  }

  /**
   * Issues a new secret. For 24 hours events are signed with both; an endpoint of the format `whatsapp` signs with the new
   * one alone, from the next attempt on.
   */
  @Post(':endpoint_id/rotate-secret')
  @Refuses('CONFLICT')
  rotateSecretOfEndpoint(
    @EndpointsOwner() owner: EndpointOwner,
    @Param('endpoint_id') id: string,
    @Body() given: SecretRotationDto,
  ): Promise<EndpointSecretDto> {
    return this.endpoints.rotateSecret(owner, id, given);
  }
}
