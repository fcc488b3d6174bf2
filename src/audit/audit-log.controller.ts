import { Controller, Get, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { AuditEntriesService } from './audit-entries.service.js';
import { type AuditEntriesDto, AuditListDto } from './audit-log.dto.js';

/** What users changed, for operators. */
@Controller('api/v1/dashboard')
export class AuditLogController {
  constructor(private readonly auditEntries: AuditEntriesService) {}

  /** Who did what, the newest first. */
  @Get('audit-log')
  @RequireRole('operator')
  listAuditLog(@Query() filter: AuditListDto): Promise<AuditEntriesDto> {
    return this.auditEntries.list(filter);
  }
}
