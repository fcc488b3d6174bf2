import type { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Config } from '../config/config.js';
import { WithMeta } from '../http/envelope.js';
import { exportOf, exportTypeOf } from '../http/list-export.js';
import type { Reply, Request } from '../http/request.js';
import { AlsoAsFile } from '../http/route.decorators.js';
import { requestExport } from './request-export.js';
import { type LoggedBodyDto, LoggedRequestsDto, RequestListDto } from './request-log.dto.js';
import { RequestLogService } from './request-log.service.js';

/** The requests of the keys of the user's account; operators see all, also those without a known key. */
@Controller('api/v1/dashboard/requests')
@RequireRole('administrator')
export class RequestLogController {
  constructor(
    private readonly requests: RequestLogService,
    private readonly config: Config,
  ) {}

  /**
   * Lists requests of the external API, accepted and refused, the newest first. `meta.kept_days` says for how many days
   * they are kept; with 0, none are.
   */
  @Get()
  @ApiOkResponse({ type: LoggedRequestsDto })
  @AlsoAsFile()
  async listRequests(
    @SignedIn() user: SignedInUser,
    @Query() filter: RequestListDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<WithMeta | Readable> {
    const type = exportTypeOf(request);
    if (type) {
      const list = requestExport(filter, async (limit, cursor = filter.cursor) => {
        const page = await this.requests.list(user, filter, { limit, cursor });
        return { rows: page.requests, next_cursor: page.next_cursor };
      });
      return exportOf(list, type, reply);
    }
    const [page, total] = await Promise.all([
      this.requests.list(user, filter),
      filter.count === 'true' ? this.requests.count(user, filter) : undefined,
    ]);
    return new WithMeta(page, { ...total, kept_days: this.config.requestLogDays });
  }

  /** The body of a request whose key has its bodies kept; it is redacted. */
  @Get(':request_id/body')
  getRequestBody(
    @SignedIn() user: SignedInUser,
    @Param('request_id') requestId: string,
  ): Promise<LoggedBodyDto> {
    return this.requests.body(user, requestId);
  }
}
