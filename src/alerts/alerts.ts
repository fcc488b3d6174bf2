import type { EntityManager } from 'typeorm';
import { newId } from '../database/ids.js';
import type { PreparingDatabase } from '../database/statements/statement.js';
import { storableJson, storableText } from '../database/storable-text.js';
import * as sql from './alerts.statements.js';

export type AlertKind =
  | 'account_notice'
  | 'campaign_paused'
  | 'database_history'
  | 'database_restored'
  | 'endpoint_failed'
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

/** Opens an alert, or brings the open one of the same kind and subject up to date. A new one is told. */
export async function raiseAlert(queries: Queries, alert: Alert): Promise<void> {
  await sql.raiseAlert.run(queries, newRow(alert));
}

/**
 * Keeps what is over already, and told nobody while it lasted. Where the last one of the kind and subject ended a moment
 * ago, that one goes on until now.
 */
export async function keepEndedAlert(
  queries: Queries | PreparingDatabase,
  alert: Alert & {
    readonly since: Date;
    readonly details: Readonly<Record<string, unknown>> & { readonly failures: number };
  },
): Promise<void> {
  await sql.keepEndedAlert.run(queries, { ...newRow(alert), since: alert.since });
}

/**
 * Ends an alert because its cause has ended. Does nothing when there is none.
 * @param details what replaces its own, if anything does.
 */
export async function resolveAlert(
  queries: Queries,
  { accountId, kind, subject }: Pick<Alert, 'accountId' | 'kind' | 'subject'>,
  details?: object,
): Promise<void> {
  const given = { accountId, kind, subject, details: details ? storableJson(details) : null };
  await sql.resolveAlert.run(queries, given);
}

const newRow = (alert: Alert) => ({
  id: newId(),
  accountId: alert.accountId,
  kind: alert.kind,
  subject: storableText(alert.subject),
  message: storableText(alert.message),
  details: storableJson(alert.details),
});
