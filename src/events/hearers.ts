import type { EntityManager } from 'typeorm';
import { hearsOwnSql } from '../access/key-state.js';
import type { Mode } from '../access/mode.js';
import type { Row } from '../database/statements/statement.js';
import { eventPermissions, type WebhookEvent } from './event-types.js';
import * as sql from './hearers.statements.js';
import { accountWideSql, endpoints, mayRead, wants } from './hearers.statements.js';

/*
 * Who hears of an event. An endpoint `e` with the key `k` hears
 * - of what belongs to its own key, if the key may read events of that type,
 * - of everything else in its account and mode, if it is of scope `account` and its key has `view_messages`, too.
 * The endpoint `default` is exempt from the first condition, since a person has set its address. A feed hears of what
 * belongs to its key, whatever the permissions: each read of it checks them.
 */

const heardBy = (event: WebhookEvent) =>
  `e.url is not null and ${hearsOwnSql} and ${wants(event)} and ${mayRead(event)}`;

const columns =
  'e.id as endpoint_id, e.mode, e.disabled_at is not null as is_off, false as is_feed';

/**
 * Who hears of an event about the row `row`, which belongs to a key: a query for the statement that makes the change.
 * Each part looks into a small index, since most keys have no endpoint.
 * @param also what else the endpoint `e` must have asked for.
 */
export const hearersSql = (event: WebhookEvent, row: string, also = 'true') => `
  (select ${columns} from ${endpoints}
  where e.api_key_id = ${row}.api_key_id and ${heardBy(event)} and ${also})
  union all
  select ${columns} from ${endpoints}
  where e.account_id = ${row}.account_id and e.mode = ${row}.mode and e.api_key_id <> ${row}.api_key_id
    and ${accountWideSql} and ${heardBy(event)} and ${also}
  union all
  select k.id, k.mode, false, true from api_keys k
  where k.id = ${row}.api_key_id and k.event_feed and ${hearsOwnSql}`;

/** The same for a row of an account that belongs to no key and no mode. */
export const accountHearersSql = (event: WebhookEvent, row: string) => `
  (select ${columns} from ${endpoints}
  where e.account_id = ${row}.account_id and ${accountWideSql} and ${heardBy(event)})`;

/** The types of events that the endpoint `e` does not get because its key `k` may not read them; `k` may be missing. */
export const withheldSql = `array(select n.event from (values ${Object.entries(eventPermissions)
  .map(([event, permission]) => `('${event}', '${permission}')`)
  .join(', ')}) as n (event, permission)
    where e.id <> k.id and n.permission <> all (k.permissions))`;

/** Who gets an event: an endpoint, or the feed of a key. */
export interface EventTarget {
  /** Of the endpoint, or of the key whose feed it is. */
  readonly id: string;
  readonly isFeed: boolean;
}

/** An endpoint or a feed of a key in use. */
export type Listener = Readonly<Row<ReturnType<typeof sql.listListeners.of>>>;

/**
 * Everyone who listens in some accounts and may read events of a type, for events that no key has caused. Keys that
 * are not in use hear of none.
 */
export function listenersOf(
  manager: EntityManager,
  accountIds: readonly string[],
  event: WebhookEvent,
): Promise<Listener[]> {
  return sql.listListeners.of(event).rows(manager, { accountIds: [...new Set(accountIds)] });
}

/** For the database: whether the account `a` has an endpoint that may get WhatsApp's own form. */
export const isRelayedSql = `exists (select from ${endpoints}
  where e.account_id = a.id and e.format = 'whatsapp' and e.url is not null and ${hearsOwnSql})`;

/** An endpoint that gets what WhatsApp notifies of in WhatsApp's own form. */
export type WhatsappListener = Row<typeof sql.listWhatsappListeners>;

/** The endpoints of WhatsApp's own form in some accounts whose keys are in use and may read messages. */
export function whatsappListenersOf(
  manager: EntityManager,
  accountIds: readonly string[],
): Promise<WhatsappListener[]> {
  return sql.listWhatsappListeners.rows(manager, { accountIds: [...new Set(accountIds)] });
}

/** Where something happened that no key has caused. */
interface Place {
  readonly accountId: string;
  readonly mode: Mode;
}

/** All who listen in an account and mode and have asked for the event, such as the change of a contact. */
export function listenersIn(
  { accountId, mode }: Place,
  listeners: readonly Listener[],
): Listener[] {
  return listeners.filter(
    (each) => each.wants && each.accountId === accountId && each.mode === mode,
  );
}

/**
 * Who gets a message from a user. An answer to a message goes to those who listen to its key; anything else, and
 * an answer of which nobody hears so, to every listener of the account and mode.
 * @param senderId the key that sent the message of ours, or null.
 */
export function listenersToMessage(
  { senderId, messageType, ...place }: Place & { senderId: string | null; messageType: string },
  listeners: readonly Listener[],
): Listener[] {
  const isHeard = listeners.some(({ apiKeyId }) => apiKeyId === senderId);
  return listenersIn(place, listeners).filter(
    ({ apiKeyId, isAccountWide, messageTypes }) =>
      (!isHeard || apiKeyId === senderId || isAccountWide) &&
      (messageTypes?.includes(messageType) ?? true),
  );
}
