import type { EntityManager } from 'typeorm';
import { newId } from '../database/ids.js';
import { storableJson, storableText } from '../database/storable-text.js';
import { isoTime, storeEventsSql } from '../events/event-rows.js';
import { accountHearersSql } from '../events/hearers.js';

export type AlertKind =
  | 'account_notice'
  | 'campaign_paused'
  | 'database_history'
  | 'database_restored'
  | 'events_withheld'
  | 'number_paused'
  | 'number_quality'
  | 'platform_error'
  | 'token_expiring'
  | 'token_refused'
  | 'unconfirmed_messages'
  | 'webhook_disabled';

/** Something that needs the attention of an account's administrators. */
export interface Alert {
  readonly accountId: string;
  readonly kind: AlertKind;
  /** What it is about: `number`, the id of a key, … One alert is open for each kind and subject. */
  readonly subject: string;
  readonly message: string;
  readonly details: object;
}

type Queries = Pick<EntityManager, 'query'>;

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

/** Opens an alert, or brings the open one of the same kind and subject up to date. A new one is told. */
export async function raiseAlert(queries: Queries, alert: Alert): Promise<void> {
  await queries.query(
    `with changed as (
       insert into alerts (id, account_id, kind, subject, message, details)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (account_id, kind, subject) where resolved_at is null
       do update set message = excluded.message, details = excluded.details
       returning *, xmax = 0 as is_new
     ), news as (select * from changed where is_new), ${tellSql('alert.raised', 'n.message')}
     select count(*) from told`,
    [
      newId(),
      alert.accountId,
      alert.kind,
      storableText(alert.subject),
      storableText(alert.message),
      storableJson(alert.details),
    ],
  );
}

/** Ends the alerts that a condition names, as a statement that answers them. */
export const resolveSql = (condition: string, columns = 'id') => `
  with news as (
    update alerts set resolved_at = now() where ${condition} and resolved_at is null returning *
  ), ${tellSql('alert.resolved', `'Resolved: ' || n.message`)}
  select ${columns} from news`;

/** Ends an alert because its cause has ended. Does nothing when there is none. */
export async function resolveAlert(
  queries: Queries,
  { accountId, kind, subject }: Pick<Alert, 'accountId' | 'kind' | 'subject'>,
): Promise<void> {
  await queries.query(resolveSql('account_id = $1 and kind = $2 and subject = $3'), [
    accountId,
    kind,
    subject,
  ]);
}
