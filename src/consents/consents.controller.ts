import { Body, Controller, Get, HttpCode, Post, Put, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { Caller } from '../access/caller.decorator.js';
import type { Principal } from '../access/principal.js';
import {
  RequirePermission,
  RequirePermissionBeyondDay,
} from '../access/require-permission.decorator.js';
import { UserIdsDto } from '../contacts/contacts.dto.js';
import type { Reply, Request } from '../http/request.js';
import { Refuses } from '../http/route.decorators.js';
import { RepeatedRequests } from '../idempotency/repeated-requests.js';
import {
  ConsentImportDto,
  type ConsentImportedDto,
  type ConsentsDto,
  NewConsentDto,
} from './consents.dto.js';
import { ConsentsService, consentsTurn } from './consents.service.js';

/** Of an import. */
export const importMaxBytes = 1024 * 1024;

/** What users want to get. Recording it takes no unit of the day, and works on a day that is used up. */
@Controller('api/v1/external/contacts/consent')
export class ConsentsController {
  constructor(
    private readonly consents: ConsentsService,
    private readonly repeated: RepeatedRequests,
  ) {}

  /** Whether a user has opted in or out, and everything that was said. */
  @Get()
  @RequirePermission('manage_contacts')
  get(@Caller() caller: Principal, @Query() user: UserIdsDto): Promise<ConsentsDto> {
    return this.consents.get(user, caller);
  }

  /**
   * Records that a user has opted in or out. Once an opt-out is answered, no template that it covers is sent; those
   * that were queued have failed with the reason `opted_out`. One that was being sent at that moment is not stopped.
   */
  @Put()
  @RequirePermissionBeyondDay('manage_contacts')
  setConsent(@Caller() caller: Principal, @Body() consent: NewConsentDto): Promise<ConsentsDto> {
    return this.consents.put(consent, caller);
  }

  /** Records up to 1,000 consents. Invalid ones are named in the answer and prevent no others. At most 1 MiB. */
  @Post('import')
  @HttpCode(200)
  @RequirePermissionBeyondDay('manage_contacts')
  @RouteConfig({ bodyMaxBytes: importMaxBytes })
  @Refuses('IDEMPOTENCY_KEY_REUSED')
  import(
    @Caller() caller: Principal,
    @Body() consents: ConsentImportDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<ConsentImportedDto> {
    return this.repeated.once(
      { caller, request, reply, body: consents, turn: consentsTurn(caller) },
      { write: (manager) => this.consents.importIn(manager, consents, caller) },
    );
  }
}
