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

const columns = `id, notification_id, account_id,
  (select p.mode from platform_notifications p where p.id = notification_id) as mode,
  kind, state, error, attempts, received_at, next_attempt_at`;

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
    const rows: PlatformNotificationDto[] = await this.dataSource.query(
      `select ${columns} from notification_events
       where state = $1 and ($2::uuid is null or account_id = $2) and ($3::uuid is null or id < $3)
         and ($5::text is null or not exists (
           select from platform_notifications p where p.id = notification_id and p.mode <> $5))
       order by id desc limit $4`,
      [
        filter.state,
        accountScope(user, filter.account_id),
        filter.cursor ?? null,
        pageSize + 1,
        filter.mode ?? null,
      ],
    );
    const { page, next_cursor } = pageOf(rows, pageSize);
    return { notifications: page, next_cursor };
  }

  /** @throws AppError NOT_FOUND */
  async get(user: SignedInUser, id: string): Promise<PlatformNotificationDetailDto> {
    const [notification]: PlatformNotificationDto[] = isUUID(id)
      ? await this.dataSource.query(
          `select ${columns} from notification_events
           where id = $1 and ($2::uuid is null or account_id = $2)`,
          [id, accountScope(user)],
        )
      : [];
    if (!notification) throw noSuch('notification');
    if (user.role !== 'operator') return { notification, body: null };
    const [request]: { body: Buffer }[] = await this.dataSource.query(
      'select body from platform_notifications where id = $1',
      [notification.notification_id],
    );
    return { notification, body: request?.body.toString('utf8') ?? null };
  }

  /**
   * Tries an event again, within a second. A request that could not be read is read again as a whole.
   * @throws AppError NOT_FOUND, CONFLICT for one that is not set aside
   */
  async retry(user: SignedInUser, id: string): Promise<PlatformNotificationDto> {
    return this.dataSource.transaction(async (manager) => {
      const [before]: PlatformNotificationDto[] = isUUID(id)
        ? await manager.query(
            `select ${columns} from notification_events
             where id = $1 and ($2::uuid is null or account_id = $2) for update`,
            [id, accountScope(user)],
          )
        : [];
      if (!before) throw noSuch('notification');
      if (before.state !== 'set_aside') {
        throw new AppError('CONFLICT', { message: 'The event is not set aside.' });
      }
      const isWhole = before.kind === 'notification';
      const [[after]]: [PlatformNotificationDto[], number] = await manager.query(
        `update notification_events set state = $2, error = case when $2 = 'done' then error end,
           next_attempt_at = case when $2 = 'waiting' then now() end
         where id = $1 returning ${columns}`,
        [id, isWhole ? 'done' : 'waiting'],
      );
      if (isWhole) {
        await manager.query(
          `update platform_notifications set processed_at = null, attempts = 0,
             next_attempt_at = now() - interval '2 seconds' where id = $1`,
          [before.notification_id],
        );
      }
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
