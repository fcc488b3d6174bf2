import { Injectable } from '@nestjs/common';
import { DataSource, LessThan } from 'typeorm';
import { pageOf } from '../http/validation/page.dto.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import type { AuditEntriesDto, AuditListDto } from './audit-log.dto.js';

/** Reads of the audit log. */
@Injectable()
export class AuditEntriesService {
  constructor(private readonly dataSource: DataSource) {}

  async list(filter: AuditListDto): Promise<AuditEntriesDto> {
    const entries = await this.dataSource.getRepository(AuditEntryEntity).find({
      where: {
        ...(filter.account_id && { accountId: filter.account_id }),
        ...(filter.user_id && { userId: filter.user_id }),
        ...(filter.subject_id && { subjectId: filter.subject_id }),
        ...(filter.action && { action: filter.action }),
        ...(filter.cursor && { id: LessThan(filter.cursor) }),
      },
      order: { id: 'desc' },
      take: filter.limit + 1,
    });
    const { page, next_cursor } = pageOf(entries, filter.limit);
    return {
      entries: page.map((entry) => ({
        id: entry.id,
        at: entry.at,
        account_id: entry.accountId,
        user_id: entry.userId,
        actor: entry.actor,
        address: entry.address,
        action: entry.action,
        subject_type: entry.subjectType,
        subject_id: entry.subjectId,
        subject_name: entry.subjectName,
        details: entry.details,
      })),
      next_cursor,
    };
  }
}
