import type { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequireRole } from '../access/require-permission.decorator.js';
import { exportOf, exportTypeOf } from '../http/list-export.js';
import type { Reply, Request } from '../http/request.js';
import { AlsoAsFile } from '../http/route.decorators.js';
import { AuditEntriesService } from './audit-entries.service.js';
import { auditExport } from './audit-export.js';
import { AuditEntriesDto, AuditListDto } from './audit-log.dto.js';

/** What users changed, for operators. */
@Controller('api/v1/dashboard')
export class AuditLogController {
  constructor(private readonly auditEntries: AuditEntriesService) {}

  /** Who did what, the newest first. */
  @Get('audit-log')
  @RequireRole('operator')
  @ApiOkResponse({ type: AuditEntriesDto })
  @AlsoAsFile()
  async listAuditLog(
    @Query() filter: AuditListDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<AuditEntriesDto | Readable> {
    const type = exportTypeOf(request);
    if (!type) return this.auditEntries.list(filter);
    const list = auditExport(filter, async (limit, cursor = filter.cursor) => {
      const page = await this.auditEntries.list(filter, { limit, cursor });
      return { rows: page.entries, next_cursor: page.next_cursor };
    });
    return exportOf(list, type, reply);
  }
}
