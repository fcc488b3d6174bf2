import { Injectable } from '@nestjs/common';
import { And, DataSource, type FindOptionsWhere, LessThan, MoreThanOrEqual, Raw } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { type PageDto, pageOf } from '../http/validation/page.dto.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import type { AuditEntriesDto, AuditEntryDto, AuditListDto } from './audit-log.dto.js';

/** Reads of the audit log. */
@Injectable()
export class AuditEntriesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param page which part of the list; default: as the filter says.
   * @throws AppError NOT_FOUND for another account
   */
  async list(
    user: SignedInUser,
    filter: AuditListDto,
    { limit, cursor }: PageDto = filter,
  ): Promise<AuditEntriesDto> {
    const accountId = accountScope(user, filter.account_id);
    const entries = await this.dataSource.getRepository(AuditEntryEntity).find({
      where: conditionsOf(accountId, filter, cursor),
      order: { id: 'desc' },
      take: limit + 1,
    });
    const { page, next_cursor } = pageOf(entries, limit);
    return { entries: page.map((entry) => viewFor(user, entry)), next_cursor };
  }
}

/** Each of them is enough. */
function conditionsOf(
  accountId: string | null,
  filter: AuditListDto,
  cursor: string | undefined,
): FindOptionsWhere<AuditEntryEntity>[] {
  const each: FindOptionsWhere<AuditEntryEntity> = {
    ...(accountId !== null && { accountId }),
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
  };
  if (filter.q === undefined) return [each];
  const hasPart = Raw((column) => `position(plain_name(:part) in plain_name(${column})) > 0`, {
    part: filter.q,
  });
  return [
    { ...each, subjectName: hasPart },
    { ...each, actor: hasPart },
  ];
}

function viewFor(user: SignedInUser, entry: AuditEntryEntity): AuditEntryDto {
  return {
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
    details: user.role === 'operator' ? entry.details : withoutAccount(entry.details),
  };
}

/** A user may come from another account, whose id concerns nobody in this one. */
function withoutAccount(details: object): object {
  return Object.fromEntries(Object.entries(details).filter(([name]) => name !== 'account_id'));
}
