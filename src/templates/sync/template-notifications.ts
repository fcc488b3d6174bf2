import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TemplateChanged } from '#libs/whatsapp';
import type { Mode } from '../../access/mode.js';
import { raiseVersion } from '../../accounts/account-versions.js';
import * as sql from './template-notifications.statements.js';

/** What a notification says of an account's templates. */
export interface TemplateNotice {
  readonly accountId: string;
  /** Whose templates; null: live and test ones. */
  readonly mode: Mode | null;
  /**
   * Null: the same was reported before. It may still be news, for these notifications have no id
   * and tell the time in seconds, so two changes can read as one.
   */
  readonly change: TemplateChanged | null;
}

/** The status that each event stands for; other events (FLAGGED …) leave it as it is. */
const statusByEvent = new Map([
  ...[
    'APPROVED',
    'PENDING',
    'REJECTED',
    'PAUSED',
    'DISABLED',
    'IN_APPEAL',
    'PENDING_DELETION',
    'DELETED',
    'LIMIT_EXCEEDED',
    'LOCKED',
    'ARCHIVED',
  ].map((status): [string, string] => [status, status]),
  ['REINSTATED', 'APPROVED'],
  ['UNARCHIVED', 'APPROVED'],
]);

/**
 * Applies the platform's notifications about templates to their rows, so that a paused template is refused
 * at once. Notifications come in any order and tell only a part, so each of them also requests a sync,
 * whose result is final.
 */
@Injectable()
export class TemplateNotifications {
  /**
   * Applies changes in the transaction of their notifications.
   * @returns the accounts whose version was raised, of which every process is notified after the commit.
   */
  async apply(
    manager: EntityManager,
    notices: readonly TemplateNotice[],
  ): Promise<ReadonlyMap<string, number>> {
    const changed = new Set<string>();
    for (const { accountId, mode, change } of notices) {
      if (change && (await this.store(manager, accountId, mode, change))) changed.add(accountId);
    }
    // Templates, then syncs, then accounts: the order in which a sync locks them.
    for (const { accountId, mode } of notices)
      await sql.askForTemplateSync.run(manager, { accountId, mode });
    const versions = new Map<string, number>();
    for (const accountId of [...changed].toSorted()) {
      versions.set(accountId, await raiseVersion(manager, accountId));
    }
    return versions;
  }

  private async store(
    manager: EntityManager,
    accountId: string,
    mode: Mode | null,
    change: TemplateChanged,
  ): Promise<boolean> {
    const set = columnOf(change);
    if (!set) return false;
    const changed = await sql.changeTemplate.of(set.column).changed(manager, {
      accountId,
      mode,
      value: set.value,
      isStatus: set.column === 'status',
      reason: change.reason,
      templateId: change.templateId,
      name: change.templateName,
      language: change.templateLanguage,
    });
    return changed > 0;
  }
}

function columnOf({
  kind,
  value,
}: TemplateChanged): { column: sql.ToldColumn; value: string } | null {
  if (value === null) return null;
  switch (kind) {
    case 'template_status': {
      const status = statusByEvent.get(value);
      return status ? { column: 'status', value: status } : null;
    }
    case 'template_category':
      return { column: 'category', value };
    case 'template_quality':
      return { column: 'quality_score', value };
    case 'template_components':
      return null;
  }
}
