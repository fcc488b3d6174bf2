import type { EntityManager } from 'typeorm';
import { newId } from '../database/ids.js';
import { storableJson, storableText } from '../database/storable-text.js';

export type AlertKind =
  | 'account_notice'
  | 'database_history'
  | 'number_paused'
  | 'number_quality'
  | 'platform_error'
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

/** Opens an alert, or brings the open one of the same kind and subject up to date. */
export async function raiseAlert(queries: Queries, alert: Alert): Promise<void> {
  await queries.query(
    `insert into alerts (id, account_id, kind, subject, message, details)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, kind, subject) where resolved_at is null
     do update set message = excluded.message, details = excluded.details`,
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

/** Ends an alert because its cause has ended. Does nothing when there is none. */
export async function resolveAlert(
  queries: Queries,
  { accountId, kind, subject }: Pick<Alert, 'accountId' | 'kind' | 'subject'>,
): Promise<void> {
  await queries.query(
    `update alerts set resolved_at = now()
     where account_id = $1 and kind = $2 and subject = $3 and resolved_at is null`,
    [accountId, kind, subject],
  );
}
