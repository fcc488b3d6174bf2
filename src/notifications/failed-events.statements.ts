import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import type { PlatformNotificationDto } from './failed-events.dto.js';

const eventSql = `id, notification_id, account_id,
  (select p.mode from platform_notifications p where p.id = notification_id) as mode,
  kind, state, error, attempts, received_at, next_attempt_at`;

const eventColumns = {
  id: 'uuid',
  notification_id: 'uuid',
  account_id: 'uuid?',
  mode: as<PlatformNotificationDto['mode']>('text'),
  kind: 'text',
  state: as<PlatformNotificationDto['state']>('text'),
  error: 'text?',
  attempts: 'int2',
  received_at: 'timestamptz',
  next_attempt_at: 'timestamptz?',
} as const;

/** The newest first. */
export const listFailedEvents = statement({
  name: 'list-failed-events',
  params: { state: 'text', accountId: 'uuid?', beforeId: 'uuid?', limit: 'int8', mode: 'text?' },
  columns: eventColumns,
  text: `
  select ${eventSql} from notification_events
  where state = :state and (:accountId::uuid is null or account_id = :accountId)
    and (:beforeId::uuid is null or id < :beforeId)
    and (:mode::text is null or not exists (
      select from platform_notifications p where p.id = notification_id and p.mode <> :mode))
  order by id desc limit :limit`,
});

export const findFailedEvent = statement({
  name: 'find-failed-event',
  params: { id: 'uuid', accountId: 'uuid?' },
  columns: eventColumns,
  text: `
  select ${eventSql} from notification_events
  where id = :id and (:accountId::uuid is null or account_id = :accountId)`,
});

export const lockFailedEvent = statement({
  name: 'lock-failed-event',
  params: { id: 'uuid', accountId: 'uuid?' },
  columns: eventColumns,
  text: `
  select ${eventSql} from notification_events
  where id = :id and (:accountId::uuid is null or account_id = :accountId) for update`,
});

export const retryFailedEvent = statement({
  name: 'retry-failed-event',
  params: { id: 'uuid', state: 'text' },
  columns: eventColumns,
  text: `
  update notification_events set state = :state, error = case when :state = 'done' then error end,
    next_attempt_at = case when :state = 'waiting' then now() end
  where id = :id returning ${eventSql}`,
});

export const findNotificationBody = statement({
  name: 'find-notification-body',
  params: { id: 'uuid' },
  columns: { body: 'bytea' },
  text: 'select body from platform_notifications where id = :id',
});

export const retryNotification = statement({
  name: 'retry-notification',
  params: { id: 'uuid' },
  text: `
  update platform_notifications set processed_at = null, attempts = 0,
    next_attempt_at = now() - interval '2 seconds' where id = :id`,
});
