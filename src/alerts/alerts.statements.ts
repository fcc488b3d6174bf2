import type { Role } from '../access/signed-in-user.js';
import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { isoTime, storeEventsSql } from '../events/event-rows.js';
import { accountHearersSql } from '../events/hearers.js';
import type { AlertOwnerDto } from './alerts.dto.js';

const alertColumns = {
  id: 'uuid',
  account_id: 'uuid',
  kind: 'text',
  subject: 'text',
  message: 'text',
  details: as<object>('jsonb'),
  created_at: 'timestamptz',
  resolved_at: 'timestamptz?',
  owner: as<AlertOwnerDto | null>('json'),
  muted_until: 'timestamptz?',
} as const;

/** Reads alerts as people see them. @param rows the table, or an expression with its columns. */
const selectSql = (rows: string) => `
  select a.id, a.account_id, a.kind, a.subject, a.message, a.details, a.created_at, a.resolved_at,
    case when u.id is not null then json_build_object('id', u.id, 'email', u.email) end as owner,
    case when a.muted_until > now() then a.muted_until end as muted_until
  from ${rows} a left join users u on u.id = a.owner_id`;

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

/**
 * Ends the alerts that a condition names. Who was not told that one was raised is not told that it is over.
 * @param select reads the ones that have ended, which are `ended`.
 * @param also what else changes.
 */
const resolveSql = (condition: string, select: string, also = '') => `
  with ended as (
    update alerts set resolved_at = now()${also} where ${condition} and resolved_at is null returning *
  ), news as (select * from ended where was_told), ${tellSql('alert.resolved', `'Resolved: ' || n.message`)}
  ${select}`;

/** The newest first. */
export const listAlerts = statement({
  name: 'list-alerts',
  params: { accountId: 'uuid?', state: 'text', limit: 'int8' },
  columns: alertColumns,
  text: `${selectSql('alerts')}
  where (:accountId::uuid is null or a.account_id = :accountId)
    and (:state = 'all' or (a.resolved_at is null) = (:state = 'open'))
  order by a.id desc limit :limit`,
});

export const lockAlert = statement({
  name: 'lock-alert',
  params: { id: 'uuid', accountId: 'uuid?' },
  columns: alertColumns,
  text: `${selectSql('alerts')}
  where a.id = :id and (:accountId::uuid is null or a.account_id = :accountId) for update of a`,
});

/** Locked before the alert, as when a user is deleted, so that neither waits for the other. */
export const lockOwner = statement({
  name: 'lock-alert-owner',
  params: { id: 'uuid' },
  columns: { account_id: 'uuid?', role: as<Role>('text'), active: 'bool' },
  text: `select account_id, role, active from users where id = :id for key share`,
});

export const updateAlert = statement({
  name: 'update-alert',
  params: { id: 'uuid', ownerId: 'uuid?', mutedUntil: 'timestamptz?' },
  columns: alertColumns,
  text: `
  with changed as (
    update alerts set owner_id = :ownerId, muted_until = :mutedUntil where id = :id returning *
  ) ${selectSql('changed')}`,
});

const newRow = {
  id: 'uuid',
  accountId: 'uuid',
  kind: 'text',
  subject: 'text',
  message: 'text',
  details: 'jsonb',
} as const;

/**
 * Opens an alert, or brings the open one of the same kind and subject up to date. It is told once: when it is new, or,
 * if the one before it was muted, when it is raised again after that time.
 */
export const raiseAlert = statement({
  name: 'raise-alert',
  params: newRow,
  columns: { count: 'int8' },
  text: `
  with mute as (
    select last.muted_until from (
      select muted_until from alerts
      where account_id = :accountId and kind = :kind and subject = :subject
      order by id desc limit 1
    ) last where last.muted_until > now()
  ), changed as (
    insert into alerts as a (id, account_id, kind, subject, message, details, muted_until, was_told)
    values (:id, :accountId, :kind, :subject, :message, :details,
      (select muted_until from mute), not exists (select from mute))
    on conflict (account_id, kind, subject) where resolved_at is null
    do update set message = excluded.message, details = excluded.details,
      was_told = a.was_told or coalesce(a.muted_until <= now(), true)
    returning new.*, new.was_told and old.was_told is not true as is_news
  ), news as (select * from changed where is_news), ${tellSql('alert.raised', 'n.message')}
  select count(*) from told`,
});

/** The failures of what goes on are added up. */
export const keepEndedAlert = statement({
  name: 'keep-ended-alert',
  params: { ...newRow, since: 'timestamptz' },
  text: `
  with extended as (
    update alerts a set resolved_at = now(), message = :message, details = :details::jsonb || jsonb_build_object(
      'failures', (a.details->>'failures')::int8 + (:details::jsonb->>'failures')::int8)
    where a.id = (select last.id from alerts last
        where last.account_id = :accountId and last.kind = :kind and last.subject = :subject
        order by last.id desc limit 1)
      and a.resolved_at > :since::timestamptz - interval '10 minutes'
    returning a.id
  )
  insert into alerts (id, account_id, kind, subject, message, details, created_at, resolved_at, was_told)
  select :id, :accountId, :kind, :subject, :message, :details, :since, now(), false
  where not exists (select from extended)`,
});

export const resolveAlert = statement({
  name: 'resolve-alert',
  params: { accountId: 'uuid', kind: 'text', subject: 'text', details: 'jsonb?' },
  columns: { id: 'uuid' },
  text: resolveSql(
    'account_id = :accountId and kind = :kind and subject = :subject',
    'select id from ended',
    ', details = coalesce(:details, details)',
  ),
});

/** By hand: then the next one is not muted. */
export const resolveAlertById = statement({
  name: 'resolve-alert-by-id',
  params: { id: 'uuid' },
  columns: alertColumns,
  text: resolveSql('id = :id', selectSql('ended'), ', muted_until = null'),
});
