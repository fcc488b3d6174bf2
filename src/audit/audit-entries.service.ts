import { Injectable } from '@nestjs/common';
import { And, DataSource, LessThan, MoreThanOrEqual } from 'typeorm';
import { type PageDto, pageOf } from '../http/validation/page.dto.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import type { AuditEntriesDto, AuditListDto } from './audit-log.dto.js';

/** Reads of the audit log. */
@Injectable()
export class AuditEntriesService {
  constructor(private readonly dataSource: DataSource) {}

  /** @param page which part of the list; default: as the filter says. */
  async list(filter: AuditListDto, { limit, cursor }: PageDto = filter): Promise<AuditEntriesDto> {
    const entries = await this.dataSource.getRepository(AuditEntryEntity).find({
      where: {
        ...(filter.account_id && { accountId: filter.account_id }),
        ...(filter.user_id && { userId: filter.user_id }),
        ...(filter.subject_id && { subjectId: filter.subject_id }),
        ...(filter.action && { action: filter.action }),
        ...(cursor && { id: LessThan(cursor) }),
        ...((filter.from || filter.to) && {
          at: And(
            ...(filter.from ? [MoreThanOrEqual(filter.from)] : []),
            ...(filter.to ? [LessThan(filter.to)] : []),
          ),
        }),
      },
      order: { id: 'desc' },
      take: limit + 1,
    });
    const { page, next_cursor } = pageOf(entries, limit);
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
