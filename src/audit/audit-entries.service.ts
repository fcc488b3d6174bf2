import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import {
  And,
  DataSource,
  type FindOptionsWhere,
  In,
  LessThan,
  MoreThanOrEqual,
  Raw,
} from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { type PageDto, pageOf } from '../http/validation/page.dto.js';
import { auditActions } from './action-words.js';
import * as sql from './audit-entries.statements.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import type {
  AuditEndpointDto,
  AuditEntriesDto,
  AuditEntryDto,
  AuditListDto,
} from './audit-log.dto.js';
import { fieldLabels } from './field-labels.js';
import { jobNames, messageNames } from './subject-words.js';

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
    const endpoints = await this.endpointsOf(page);
    return {
      entries: page.map((entry) => viewFor(user, entry, endpoints.get(endpointIdOf(entry) ?? ''))),
      next_cursor,
    };
  }

  /** The endpoints that entries name by their ids, as they are called now. */
  private async endpointsOf(
    entries: readonly AuditEntryEntity[],
  ): Promise<ReadonlyMap<string, AuditEndpointDto>> {
    const ids = [...new Set(entries.flatMap((entry) => endpointIdOf(entry) ?? []))];
    if (ids.length === 0) return new Map();
    const rows = await sql.listNamedEndpoints.rows(this.dataSource, { ids });
    return new Map(rows.map(({ id, name, url }) => [id, { id, name, url }]));
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
  return searchConditions(filter.q).map((condition) => ({ ...each, ...condition }));
}

/** Where a text is sought: in all that the console shows of an entry. Each of them is enough. */
function searchConditions(part: string): FindOptionsWhere<AuditEntryEntity>[] {
  const raw = (condition: (column: string) => string, more: object = {}) =>
    Raw(condition, { part, ...more });
  const fields = keysWith(fieldLabels, part);
  const namedSo = (subjectType: string, names: Readonly<Record<string, string>>) => ({
    subjectType,
    subjectName: In(keysWith(names, part)),
  });
  return [
    { subjectName: raw((column) => sql.hasPart(`replace(${column}, '_', ' ')`)) },
    { subjectName: raw(sql.hasPart) },
    { actor: raw(sql.hasPart) },
    { address: raw(sql.hasPart) },
    { action: In(keysWith(auditActions, part)) },
    namedSo('job', jobNames),
    namedSo('message', messageNames),
    { details: raw(sql.hasDetail) },
    { details: raw(sql.changesField, { fields }) },
    { details: raw(sql.namesOther) },
  ];
}

/** What has words with this part in them. */
function keysWith(words: Readonly<Record<string, string>>, part: string): string[] {
  const sought = plain(part);
  return Object.keys(words).filter((key) => plain(words[key] ?? '').includes(sought));
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The endpoint that an entry is about, or that a job was narrowed to. */
function endpointIdOf({ action, details }: AuditEntryEntity): string | undefined {
  if (!isObject(details)) return undefined;
  const { endpoint_id: named, id: own, filter } = details;
  const id = [
    named,
    isObject(filter) ? filter.endpoint_id : undefined,
    action.startsWith('api_key.endpoint_') ? own : undefined,
  ].find((each) => each !== undefined);
  return typeof id === 'string' && isUUID(id) ? id : undefined;
}

function viewFor(
  user: SignedInUser,
  entry: AuditEntryEntity,
  endpoint: AuditEndpointDto | undefined,
): AuditEntryDto {
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
    endpoint: endpoint ?? null,
    details: user.role === 'operator' ? entry.details : withoutAccount(entry.details),
  };
}

/** A user may come from another account, whose id concerns nobody in this one. */
function withoutAccount(details: object): object {
  return Object.fromEntries(Object.entries(details).filter(([name]) => name !== 'account_id'));
}
