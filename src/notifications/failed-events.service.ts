import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AuditLog } from '../audit/audit-log.js';
import { AppError, noSuch } from '../errors/app-error.js';
import { pageOf } from '../http/validation/page.dto.js';
import type {
  NotificationListDto,
  PlatformNotificationDetailDto,
  PlatformNotificationDto,
  PlatformNotificationsDto,
} from './failed-events.dto.js';
import * as sql from './failed-events.statements.js';

const pageSize = 100;

/** Events of the platform that were set aside, for those who manage them. */
@Injectable()
export class FailedEventsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** The newest first. @throws AppError NOT_FOUND for another account */
  async list(user: SignedInUser, filter: NotificationListDto): Promise<PlatformNotificationsDto> {
    const rows = await sql.listFailedEvents.rows(this.dataSource, {
      state: filter.state,
      accountId: accountScope(user, filter.account_id),
      beforeId: filter.cursor,
      limit: pageSize + 1,
      mode: filter.mode,
    });
    const { page, next_cursor } = pageOf(rows, pageSize);
    return { notifications: page, next_cursor };
  }

  /** @throws AppError NOT_FOUND */
  async get(user: SignedInUser, id: string): Promise<PlatformNotificationDetailDto> {
    const accountId = accountScope(user);
    const notification = isUUID(id)
      ? await sql.findFailedEvent.row(this.dataSource, { id, accountId })
      : null;
    if (!notification) throw noSuch('notification');
    if (user.role !== 'operator') return { notification, body: null };
    const request = await sql.findNotificationBody.row(this.dataSource, {
      id: notification.notification_id,
    });
    return { notification, body: request?.body.toString('utf8') ?? null };
  }

  /**
   * Tries an event again, within a second. A request that could not be read is read again as a whole.
   * @throws AppError NOT_FOUND, CONFLICT for one that is not set aside
   */
  async retry(user: SignedInUser, id: string): Promise<PlatformNotificationDto> {
    return this.dataSource.transaction(async (manager) => {
      const accountId = accountScope(user);
      const before = isUUID(id) ? await sql.lockFailedEvent.row(manager, { id, accountId }) : null;
      if (!before) throw noSuch('notification');
      if (before.state !== 'set_aside') {
        throw new AppError('CONFLICT', { message: 'The event is not set aside.' });
      }
      const isWhole = before.kind === 'notification';
      const state = isWhole ? 'done' : 'waiting';
      const after = await sql.retryFailedEvent.row(manager, { id, state });
      if (isWhole) await sql.retryNotification.run(manager, { id: before.notification_id });
      await this.audit.record(manager, user.actor, {
        action: 'notification.retried',
        accountId: before.account_id,
        subjectId: before.id,
        subjectName: before.kind,
      });
      return after ?? before;
    });
  }
}
