import type { EntityManager } from 'typeorm';
import type { Mode } from '../../access/mode.js';
import {
  defaultWebhookEvents,
  eventPermissions,
  type WebhookEvent,
} from '../../endpoints/endpoint-events.js';

/** Who gets an event: an endpoint, or the feed of a key. */
export interface EventTarget {
  /** Of the endpoint, or of the key whose feed it is. */
  readonly id: string;
  readonly isFeed: boolean;
}

/** An endpoint or a feed of a key in use. */
export interface Listener extends EventTarget {
  readonly apiKeyId: string;
  readonly accountId: string;
  readonly mode: Mode;
  /** Whether it also gets the events of other keys of the account and mode. */
  readonly isAccountWide: boolean;
  /** Whether it has asked for the event. */
  readonly wants: boolean;
  /** The types of received messages that it has asked for; null: all. */
  readonly messageTypes: readonly string[] | null;
}

const inUse = `k.active and k.revoked_at is null and k.suspended_at is null
  and (k.expires_at is null or k.expires_at > now())`;

/*
 * An endpoint does not get what its key may not read. The default one gets it all the same: a person has set its address.
 * Feeds get everything, since each read of one checks the permissions again.
 */
const mayGet = `(e.id = k.id or ($4::text is null or $4 = any (k.permissions))
  and (e.scope = 'key' or 'view_messages' = any (k.permissions)))`;

/** Everyone who listens in some accounts and may get an event, and whether they want it. */
export function listenersOf(
  manager: EntityManager,
  accountIds: readonly string[],
  event: WebhookEvent,
): Promise<Listener[]> {
  return manager.query(
    `select e.id, false as "isFeed", k.id as "apiKeyId", e.account_id as "accountId", e.mode,
       e.scope = 'account' and 'view_messages' = any (k.permissions) as "isAccountWide", $2 = any (coalesce(e.events, $3::text[])) as wants,
       e.message_types as "messageTypes"
     from webhook_endpoints e join api_keys k on k.id = e.api_key_id
     where e.account_id = any ($1::uuid[]) and e.url is not null and ${inUse} and ${mayGet}
     union all
     select k.id, true, k.id, k.account_id, k.mode, false, true, null
     from api_keys k
     where k.account_id = any ($1::uuid[]) and k.event_feed and ${inUse}`,
    [[...new Set(accountIds)], event, defaultWebhookEvents, eventPermissions[event] ?? null],
  );
}

/**
 * Who gets a message from a user. An answer to a message goes to those who listen to its key; anything else, and
 * an answer of which nobody hears so, to every listener of the account and mode.
 * @param senderId the key that sent the message of ours, or null.
 */
export function listenersTo(
  {
    senderId,
    accountId,
    mode,
    messageType,
  }: {
    readonly senderId: string | null;
    readonly accountId: string;
    readonly mode: Mode;
    readonly messageType: string;
  },
  listeners: readonly Listener[],
): EventTarget[] {
  const near = listeners.filter((each) => each.accountId === accountId && each.mode === mode);
  const isHeard = listeners.some(({ apiKeyId }) => apiKeyId === senderId);
  return near.filter(
    ({ apiKeyId, isAccountWide, wants, messageTypes }) =>
      (!isHeard || apiKeyId === senderId || isAccountWide) &&
      wants &&
      (messageTypes?.includes(messageType) ?? true),
  );
}
