import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AuditLog } from '../audit/audit-log.js';
import { noSuch } from '../errors/app-error.js';
import type { AlertDto, AlertListDto } from './alerts.dto.js';
import { resolveSql } from './alerts.js';

const listMax = 100;

const columns = 'id, account_id, kind, subject, message, details, created_at, resolved_at';

/** What needs attention. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** The newest first. @throws AppError NOT_FOUND for another account */
  list(user: SignedInUser, { account_id, state }: AlertListDto): Promise<AlertDto[]> {
    return this.dataSource.query(
      `select ${columns} from alerts
       where ($1::uuid is null or account_id = $1)
         and ($2 = 'all' or (resolved_at is null) = ($2 = 'open'))
       order by id desc limit $3`,
      [accountScope(user, account_id), state, listMax],
    );
  }

  /**
   * Dismisses an alert. If its cause occurs again, so does the alert.
   * @throws AppError NOT_FOUND
   */
  async resolve(user: SignedInUser, id: string): Promise<AlertDto> {
    return this.dataSource.transaction(async (manager) => {
      const [before]: AlertDto[] = isUUID(id)
        ? await manager.query(
            `select ${columns} from alerts
             where id = $1 and ($2::uuid is null or account_id = $2) for update`,
            [id, accountScope(user)],
          )
        : [];
      if (!before) throw noSuch('alert');
      if (before.resolved_at) return before;
      const [resolved]: AlertDto[] = await manager.query(resolveSql('id = $1', columns), [id]);
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
