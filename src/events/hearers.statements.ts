import { inUseSql } from '../access/key-state.js';
import type { Mode } from '../access/mode.js';
import { as } from '../database/statements/sql-types.js';
import { family, statement } from '../database/statements/statement.js';
import { defaultWebhookEvents, eventPermissions, type WebhookEvent } from './event-types.js';

/** Whether the key of the endpoint may read events of a type. */
export const mayRead = (event: WebhookEvent) => {
  const needed = eventPermissions[event];
  return needed === undefined ? 'true' : `(e.id = k.id or '${needed}' = any (k.permissions))`;
};

/** Whether the endpoint hears of more than what belongs to its key. */
export const accountWideSql = `e.scope = 'account' and 'view_messages' = any (k.permissions)`;

/** Whether the endpoint has asked for events of a type. */
export const wants = (event: WebhookEvent) => {
  const isDefault = defaultWebhookEvents.some((each) => each === event);
  return isDefault
    ? `(e.events is null or '${event}' = any (e.events))`
    : `coalesce('${event}' = any (e.events), false)`;
};

export const endpoints = 'webhook_endpoints e join api_keys k on k.id = e.api_key_id';

export const listListeners = family({
  name: 'list-listeners',
  params: { accountIds: 'uuid[]' },
  columns: {
    id: 'uuid',
    isFeed: 'bool',
    apiKeyId: 'uuid',
    accountId: 'uuid',
    mode: as<Mode>('text'),
    isAccountWide: 'bool',
    wants: 'bool',
    /** The types of received messages that it has asked for; null: all. */
    messageTypes: 'text[]?',
  },
  text: (event: WebhookEvent) => `
  select e.id, false as "isFeed", k.id as "apiKeyId", e.account_id as "accountId", e.mode,
    ${accountWideSql} as "isAccountWide", ${wants(event)} as wants, e.message_types as "messageTypes"
  from ${endpoints}
  where e.account_id = any (:accountIds::uuid[]) and e.url is not null and e.format = 'parley'
    and ${inUseSql} and ${mayRead(event)}
  union all
  select k.id, true, k.id, k.account_id, k.mode, false, true, null
  from api_keys k
  where k.account_id = any (:accountIds::uuid[]) and k.event_feed and ${inUseSql}`,
  examples: ['message.received', 'contact.changed', 'message.echo'],
});

export const listWhatsappListeners = statement({
  name: 'list-whatsapp-listeners',
  params: { accountIds: 'uuid[]' },
  columns: {
    id: 'uuid',
    isFeed: 'bool',
    accountId: 'uuid',
    mode: as<Mode>('text'),
    fields: 'text[]?',
  },
  text: `
  select e.id, false as "isFeed", e.account_id as "accountId", e.mode, e.fields
  from ${endpoints}
  where e.account_id = any (:accountIds::uuid[]) and e.url is not null and e.format = 'whatsapp'
    and ${inUseSql} and 'view_messages' = any (k.permissions)
  order by e.id`,
});
