import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { SignedIn } from '../../access/signed-in.decorator.js';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { Refuses } from '../../http/route.decorators.js';
import { PageDto } from '../../http/validation/page.dto.js';
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

/** The same for those who manage keys. */
@Controller('api/v1/dashboard/api-keys/:id/webhooks')
@RequireRole('administrator')
export class EndpointAdministrationController {
  constructor(private readonly endpoints: EndpointSettings) {}

  /** The endpoints of the key, the oldest first. */
  @Get()
  listEndpointsOfKey(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Query() page: PageDto,
  ): Promise<EndpointsDto> {
    return this.endpoints.list(ownerOf(user, keyId), page);
  }

  /** Adds an endpoint and shows its secret, once. A key may have ten, the one of `webhook_url` included. */
  @Post()
  @Refuses('WEBHOOK_LIMIT', 'ACCOUNT_LIMIT', 'PERMISSION_DENIED', 'CONFLICT')
  createEndpointOfKey(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Body() given: NewEndpointDto,
  ): Promise<AddedEndpointAnswerDto> {
    return this.endpoints.create(ownerOf(user, keyId), given);
  }

  /** One endpoint. */
  @Get(':endpoint_id')
  async getEndpointOfKey(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Param('endpoint_id') id: string,
  ): Promise<EndpointAnswerDto> {
    return { webhook: await this.endpoints.get(ownerOf(user, keyId), id) };
  }

  /** Changes an endpoint. Events that wait for it go to the new address. */
  @Patch(':endpoint_id')
  @Refuses('PERMISSION_DENIED', 'CONFLICT')
  async updateEndpointOfKey(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Param('endpoint_id') id: string,
    @Body() given: EndpointChangeDto,
  ): Promise<EndpointAnswerDto> {
    return { webhook: await this.endpoints.update(ownerOf(user, keyId), id, given) };
  }

  /** Deletes an endpoint. What waits for it is not delivered any more. */
  @Delete(':endpoint_id')
  @Refuses('CONFLICT')
  deleteEndpointOfKey(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Param('endpoint_id') id: string,
  ): Promise<object> {
    return this.endpoints.delete(ownerOf(user, keyId), id);
  }

  /** Sends a test event to an endpoint. */
  @Post(':endpoint_id/test')
  @Refuses('CONFLICT')
  async testEndpointOfKey(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Param('endpoint_id') id: string,
  ): Promise<EndpointTestDto> {
    return { delivery_id: await this.endpoints.test(ownerOf(user, keyId), id) };
  }

  /** Switches an endpoint on again that Parley has switched off. */
  @Post(':endpoint_id/enable')
  @Refuses('CONFLICT')
  async enableEndpointOfKey(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Param('endpoint_id') id: string,
  ): Promise<EndpointAnswerDto> {
    return { webhook: await this.endpoints.enable(ownerOf(user, keyId), id) };
  }

  /** Delivers again what an endpoint has missed since a given time. */
  @Post(':endpoint_id/recover')
  @Refuses('CONFLICT')
  recoverEndpointOfKey(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Param('endpoint_id') id: string,
    @Body() { since }: RecoveryDto,
  ): Promise<RecoveredDto> {
    return this.endpoints.recover(ownerOf(user, keyId), id, since);
  }

  /**
   * Issues a new secret. For 24 hours events are signed with both; an endpoint of the format `whatsapp` signs with the new
   * one alone, from the next attempt on.
   */
  @Post(':endpoint_id/rotate-secret')
  @Refuses('CONFLICT')
  rotateSecretOfEndpoint(
    @SignedIn() user: SignedInUser,
    @Param('id') keyId: string,
    @Param('endpoint_id') id: string,
    @Body() given: SecretRotationDto,
  ): Promise<EndpointSecretDto> {
    return this.endpoints.rotateSecret(ownerOf(user, keyId), id, given);
  }
}

const ownerOf = (user: SignedInUser, apiKeyId: string): EndpointOwner => ({
  apiKeyId,
  accountId: accountScope(user),
  actor: user.actor,
});
