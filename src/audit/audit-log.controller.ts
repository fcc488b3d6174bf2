import type { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { exportOf, exportTypeOf } from '../http/list-export.js';
import type { Reply, Request } from '../http/request.js';
import { AlsoAsFile } from '../http/route.decorators.js';
import { AuditEntriesService } from './audit-entries.service.js';
import { auditExport } from './audit-export.js';
import { AuditEntriesDto, AuditListDto } from './audit-log.dto.js';

/** What users changed. */
@Controller('api/v1/dashboard')
@RequireRole('administrator')
export class AuditLogController {
  constructor(private readonly auditEntries: AuditEntriesService) {}

  /** Who did what, the newest first; for administrators, what concerns their account. */
  @Get('audit-log')
  @ApiOkResponse({ type: AuditEntriesDto })
  @AlsoAsFile()
  async listAuditLog(
    @SignedIn() user: SignedInUser,
    @Query() filter: AuditListDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<AuditEntriesDto | Readable> {
    const type = exportTypeOf(request);
    if (!type) return this.auditEntries.list(user, filter);
    const list = auditExport(filter, async (limit, cursor = filter.cursor) => {
      const page = await this.auditEntries.list(user, filter, { limit, cursor });
      return { rows: page.entries, next_cursor: page.next_cursor };
    });
    return exportOf(list, type, reply);
  }
}
