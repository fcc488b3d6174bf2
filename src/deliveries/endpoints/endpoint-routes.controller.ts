import { Body, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { Refuses } from '../../http/route.decorators.js';
import { PageDto } from '../../http/validation/page.dto.js';
import { type RecoveredDto, RecoveryDto } from '../deliveries.dto.js';
import { EndpointsOwner } from './endpoint-owner.decorator.js';
import { type EndpointOwner, EndpointSettings } from './endpoint-settings.service.js';
import {
  type EndpointAnswerDto,
  EndpointChangeDto,
  type EndpointsDto,
  type EndpointTestDto,
} from './endpoints.dto.js';

/**
 * The routes of a key's endpoints that the key and people share.
 * @param id the parameter of the path that holds the endpoint's id.
 */
export function endpointRoutes(id: 'id' | 'endpoint_id') {
  abstract class EndpointRoutes {
    constructor(@Inject(EndpointSettings) protected readonly endpoints: EndpointSettings) {}

    /** The endpoints of the key, the oldest first. */
    @Get()
    list(@EndpointsOwner() owner: EndpointOwner, @Query() page: PageDto): Promise<EndpointsDto> {
      return this.endpoints.list(owner, page);
    }

    /** One endpoint. */
    @Get(`:${id}`)
    async get(
      @EndpointsOwner() owner: EndpointOwner,
      @Param(id) endpointId: string,
    ): Promise<EndpointAnswerDto> {
      return { webhook: await this.endpoints.get(owner, endpointId) };
    }

    /** Changes an endpoint. Events that wait for it go to the new address. */
    @Patch(`:${id}`)
    @Refuses('PERMISSION_DENIED', 'CONFLICT')
    async update(
      @EndpointsOwner() owner: EndpointOwner,
      @Param(id) endpointId: string,
      @Body() given: EndpointChangeDto,
    ): Promise<EndpointAnswerDto> {
      return { webhook: await this.endpoints.update(owner, endpointId, given) };
    }

    /** Deletes an endpoint. What waits for it is not delivered any more. */
    @Delete(`:${id}`)
    @Refuses('CONFLICT')
    delete(@EndpointsOwner() owner: EndpointOwner, @Param(id) endpointId: string): Promise<object> {
      return this.endpoints.delete(owner, endpointId);
    }

    /** Sends a test event to an endpoint. */
    @Post(`:${id}/test`)
    @HttpCode(200)
    @Refuses('CONFLICT')
    async test(
      @EndpointsOwner() owner: EndpointOwner,
      @Param(id) endpointId: string,
    ): Promise<EndpointTestDto> {
      return { delivery_id: await this.endpoints.test(owner, endpointId) };
    }

    /** Switches an endpoint on again that Parley has switched off. */
    @Post(`:${id}/enable`)
    @HttpCode(200)
    @Refuses('CONFLICT')
    async enable(
      @EndpointsOwner() owner: EndpointOwner,
      @Param(id) endpointId: string,
    ): Promise<EndpointAnswerDto> {
      return { webhook: await this.endpoints.enable(owner, endpointId) };
    }

    /** Delivers again what an endpoint has missed since a given time. */
    @Post(`:${id}/recover`)
    @HttpCode(200)
    @Refuses('CONFLICT')
    recover(
      @EndpointsOwner() owner: EndpointOwner,
      @Param(id) endpointId: string,
      @Body() { since }: RecoveryDto,
    ): Promise<RecoveredDto> {
      return this.endpoints.recover(owner, endpointId, since);
    }
  }
  return EndpointRoutes;
}
