import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AuditLog } from '../audit/audit-log.js';
import { noSuch } from '../errors/app-error.js';
import type { AlertDto, AlertListDto } from './alerts.dto.js';
import * as sql from './alerts.statements.js';

const listMax = 100;

/** What needs attention. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** The newest first. @throws AppError NOT_FOUND for another account */
  list(user: SignedInUser, { account_id, state }: AlertListDto): Promise<AlertDto[]> {
    return sql.listAlerts.rows(this.dataSource, {
      accountId: accountScope(user, account_id),
      state,
      limit: listMax,
    });
  }

  /**
   * Dismisses an alert. If its cause occurs again, so does the alert.
   * @throws AppError NOT_FOUND
   */
  async resolve(user: SignedInUser, id: string): Promise<AlertDto> {
    return this.dataSource.transaction(async (manager) => {
      const before = isUUID(id)
        ? await sql.lockAlert.row(manager, { id, accountId: accountScope(user) })
        : null;
      if (!before) throw noSuch('alert');
      if (before.resolved_at) return before;
      const resolved = await sql.resolveAlertById.row(manager, { id });
      await this.audit.record(manager, user.actor, {
        action: 'alert.resolved',
        accountId: before.account_id,
        subjectId: before.id,
        subjectName: before.kind,
      });
      return resolved ?? before;
    });
  }
}
