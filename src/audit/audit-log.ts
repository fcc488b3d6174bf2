import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../access/signed-in-user.js';
import { newId } from '../database/ids.js';
import { AuditEntryEntity } from './audit-entry.entity.js';

/** What the audit log has entries about. */
export type AuditSubject =
  | 'account'
  | 'alert'
  | 'campaign'
  | 'api_key'
  | 'contact'
  | 'installation'
  | 'job'
  | 'message'
  | 'notification'
  | 'session'
  | 'template_mapping'
  | 'user';

/** An entry before it is written. */
export interface AuditRecord {
  /** Subject and past participle: `api_key.revoked`. */
  readonly action: `${AuditSubject}.${string}`;
  readonly accountId: string | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  /** What changed. Never a secret. */
  readonly details?: object;
}

/** Who did what and when, for good. */
@Injectable()
export class AuditLog {
  /** Adds an entry in the transaction of what it records: there is no change without its entry. */
  async record(manager: EntityManager, actor: Actor, record: AuditRecord): Promise<void> {
    await manager.insert(AuditEntryEntity, {
      id: newId(),
      accountId: record.accountId,
      userId: actor.userId,
      actor: actor.name,
      address: actor.address,
      action: record.action,
      subjectType: record.action.split('.')[0],
      subjectId: record.subjectId,
      subjectName: record.subjectName,
      details: record.details ?? {},
    });
  }
}

/**
 * The fields whose values a change has altered.
 * @returns for each of them what it was and what it became.
 */
export function changesBetween(
  before: object,
  after: object,
): Record<string, { from: unknown; to: unknown }> {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  const former = new Map<string, unknown>(Object.entries(before));
  for (const [name, to] of Object.entries<unknown>({ ...after })) {
    const from = former.get(name);
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[name] = { from, to };
  }
  return changes;
}
