import { Module } from '@nestjs/common';
import { AuditEntriesService } from './audit-entries.service.js';
import { AuditLogController } from './audit-log.controller.js';

/** The API's side of the audit log: its list. */
@Module({ controllers: [AuditLogController], providers: [AuditEntriesService] })
export class AuditLogModule {}
