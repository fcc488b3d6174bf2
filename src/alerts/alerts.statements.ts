import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { isoTime, storeEventsSql } from '../events/event-rows.js';
import { accountHearersSql } from '../events/hearers.js';

const alertColumns = {
  id: 'uuid',
  account_id: 'uuid',
  kind: 'text',
  subject: 'text',
  message: 'text',
  details: as<object>('jsonb'),
  created_at: 'timestamptz',
  resolved_at: 'timestamptz?',
} as const;

const selected = Object.keys(alertColumns).join(', ');

/**
 * Expressions that write an event for each row of the expression `news` (of `alerts`), for every endpoint that listens to
 * the whole account and names the event. They are part of the statement that changes the alert.
 * @param text what a chat shows of it; n is the row.
 */
const tellSql = (event: 'alert.raised' | 'alert.resolved', text: string) => `
  told as materialized (
    select uuidv7() as id, n.event_id, h.endpoint_id, n.account_id, h.mode, '${event}' as type,
      null::uuid as message_id, null::text as traceparent, h.is_off, h.is_feed, json_build_object(
        'event', '${event}',
        'timestamp', ${isoTime('clock_timestamp()')},
        'text', ${text},
        'data', json_build_object('alert_id', n.id, 'kind', n.kind, 'subject', n.subject,
          'message', n.message, 'details', n.details, 'raised_at', ${isoTime('n.created_at')},
          'resolved_at', ${isoTime('n.resolved_at')}))::text as body
    from (select news.*, uuidv7() as event_id from news) n
      cross join lateral (${accountHearersSql(event, 'n')}) h
  ), ${storeEventsSql('told')}`;

/** Ends the alerts that a condition names, as a statement that answers them. */
const resolveSql = (condition: string, columns: string) => `
  with news as (
    update alerts set resolved_at = now() where ${condition} and resolved_at is null returning *
  ), ${tellSql('alert.resolved', `'Resolved: ' || n.message`)}
  select ${columns} from news`;

/** The newest first. */
export const listAlerts = statement({
  name: 'list-alerts',
  params: { accountId: 'uuid?', state: 'text', limit: 'int8' },
  columns: alertColumns,
  text: `
  select ${selected} from alerts
  where (:accountId::uuid is null or account_id = :accountId)
    and (:state = 'all' or (resolved_at is null) = (:state = 'open'))
  order by id desc limit :limit`,
});

export const lockAlert = statement({
  name: 'lock-alert',
  params: { id: 'uuid', accountId: 'uuid?' },
  columns: alertColumns,
  text: `
  select ${selected} from alerts
  where id = :id and (:accountId::uuid is null or account_id = :accountId) for update`,
});

/** Opens an alert, or brings the open one of the same kind and subject up to date. A new one is told. */
export const raiseAlert = statement({
  name: 'raise-alert',
  params: {
    id: 'uuid',
    accountId: 'uuid',
    kind: 'text',
    subject: 'text',
    message: 'text',
    details: 'jsonb',
  },
  columns: { count: 'int8' },
  text: `
  with changed as (
    insert into alerts (id, account_id, kind, subject, message, details)
    values (:id, :accountId, :kind, :subject, :message, :details)
    on conflict (account_id, kind, subject) where resolved_at is null
    do update set message = excluded.message, details = excluded.details
    returning *, xmax = 0 as is_new
  ), news as (select * from changed where is_new), ${tellSql('alert.raised', 'n.message')}
  select count(*) from told`,
});

export const resolveAlert = statement({
  name: 'resolve-alert',
  params: { accountId: 'uuid', kind: 'text', subject: 'text' },
  columns: { id: 'uuid' },
  text: resolveSql('account_id = :accountId and kind = :kind and subject = :subject', 'id'),
});

export const resolveAlertById = statement({
  name: 'resolve-alert-by-id',
  params: { id: 'uuid' },
  columns: alertColumns,
  text: resolveSql('id = :id', selected),
});
