import { Controller, Get, Query } from '@nestjs/common';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { SignedIn } from '../../access/signed-in.decorator.js';
import type { SignedInUser } from '../../access/signed-in-user.js';
import { AccountModeQueryDto } from '../../api-keys/api-keys.dto.js';
import type { EndpointStandingsDto } from './endpoint-health.dto.js';
import { EndpointHealthList } from './endpoint-health.service.js';

/** The endpoints of all keys at once. */
@Controller('api/v1/dashboard')
@RequireRole('administrator')
export class EndpointHealthController {
  constructor(private readonly endpoints: EndpointHealthList) {}

  /** How every endpoint does: those that need attention first. */
  @Get('webhook-endpoints')
  async listWebhookEndpoints(
    @SignedIn() user: SignedInUser,
    @Query() query: AccountModeQueryDto,
  ): Promise<EndpointStandingsDto> {
    return { endpoints: await this.endpoints.list(user, query) };
  }
}
