import type { Mode } from '../../access/mode.js';
import type { AccountKeywords } from '../../accounts/account.entity.js';
import type { ConsentScope } from '../../contacts/consent.js';
import { as } from '../../database/statements/sql-types.js';
import { family, statement } from '../../database/statements/statement.js';
import { isRelayedSql } from '../../events/hearers.js';

/** How long a claim lasts. It is renewed each second, so that only what a dead worker held is claimed again. */
const leaseSeconds = 5;

const claim = (condition: string) => `
  with due as materialized (
    select n.id from platform_notifications n
    where ${condition}
    order by n.id for update skip locked
  )
  update platform_notifications n set attempts = n.attempts + 1,
    next_attempt_at = clock_timestamp() + interval '${leaseSeconds} seconds'
  from due where n.id = due.id and n.id = any (array(select id from due))
  returning n.id, n.mode, n.account_ids as "accountIds", n.body, n.received_at as "receivedAt",
    n.attempts`;

const claimedColumns = {
  id: 'uuid',
  mode: as<Mode | null>('text'),
  accountIds: 'uuid[]?',
  body: 'bytea',
  receivedAt: 'timestamptz',
  attempts: 'int2',
} as const;

export const claimNotifications = statement({
  name: 'claim-notifications',
  params: { ids: 'uuid[]' },
  columns: claimedColumns,
  text: claim('n.id = any (:ids::uuid[]) and n.next_attempt_at <= now()'),
});

export const claimDueNotifications = statement({
  name: 'claim-due-notifications',
  params: { limit: 'int8' },
  columns: claimedColumns,
  text: claim(`n.id = any (array(select id from platform_notifications
      where next_attempt_at < now() - interval '1 second' order by next_attempt_at limit :limit))
      and n.next_attempt_at < now() - interval '1 second'`),
});

export const claimWaitingEvents = statement({
  name: 'claim-waiting-events',
  params: { limit: 'int8' },
  columns: {
    id: 'uuid',
    attempts: 'int2',
    eventKey: 'text',
    accountId: 'uuid',
    notificationId: 'uuid',
    mode: as<Mode | null>('text'),
    accountIds: 'uuid[]?',
    body: 'bytea',
    receivedAt: 'timestamptz',
  },
  text: `
  with due as materialized (
    select e.id from notification_events e where e.next_attempt_at <= now()
    order by e.next_attempt_at limit :limit for update skip locked
  ), claimed as (
    update notification_events e set attempts = e.attempts + 1,
      next_attempt_at = clock_timestamp() + interval '${leaseSeconds} seconds'
    from due where e.id = due.id and e.id = any (array(select id from due))
    returning e.id, e.attempts, e.event_key, e.account_id, e.notification_id
  )
  select c.id, c.attempts, c.event_key as "eventKey", c.account_id as "accountId",
    c.notification_id as "notificationId", n.mode, n.account_ids as "accountIds", n.body,
    n.received_at as "receivedAt"
  from claimed c join platform_notifications n on n.id = c.notification_id`,
});

/** Changes of claims. */
const claimChanges = {
  renew: `next_attempt_at = clock_timestamp() + interval '${leaseSeconds} seconds'`,
  /** A claim that failed because of the store does not count as an attempt. */
  giveBack: 'attempts = r.attempts - 1, next_attempt_at = clock_timestamp()',
};

export type ClaimChange = keyof typeof claimChanges;

/** Changes rows that are still under their claim: each claim has its own number of attempts. */
export const changeClaimed = family({
  name: 'change-claimed',
  params: { ids: 'uuid[]', attempts: 'int2[]' },
  text: (of: {
    readonly table: 'platform_notifications' | 'notification_events';
    readonly change: ClaimChange;
  }) => `
  update ${of.table} r set ${claimChanges[of.change]}
  from unnest(:ids::uuid[], :attempts::smallint[]) as t (id, attempts)
  where r.id = t.id and r.id = any (:ids::uuid[]) and r.attempts = t.attempts
    and r.next_attempt_at is not null`,
  examples: [
    { table: 'platform_notifications', change: 'renew' },
    { table: 'notification_events', change: 'renew' },
    { table: 'platform_notifications', change: 'giveBack' },
    { table: 'notification_events', change: 'giveBack' },
  ],
});

export const finishNotifications = statement({
  name: 'finish-notifications',
  params: { ids: 'uuid[]' },
  text: `
  update platform_notifications set processed_at = now(), next_attempt_at = null
  where id = any (:ids::uuid[])`,
});

export const findAccountsOfEvents = statement({
  name: 'find-accounts-of-events',
  params: { phoneNumberIds: 'text[]', businessAccountIds: 'text[]' },
  columns: {
    id: 'uuid',
    phoneNumberId: 'text',
    businessAccountId: 'text',
    displayPhoneNumber: 'text',
    keywords: as<AccountKeywords | null>('jsonb'),
    keywordScope: as<ConsentScope>('text'),
    isRelayed: 'bool',
  },
  text: `
  select a.id, a.phone_number_id as "phoneNumberId", a.business_account_id as "businessAccountId",
    a.display_phone_number as "displayPhoneNumber", a.keywords, a.keyword_scope as "keywordScope",
    ${isRelayedSql} as "isRelayed"
  from accounts a where a.phone_number_id = any (:phoneNumberIds) or a.business_account_id = any (:businessAccountIds)
  order by a.id`,
});

export const takeNotificationKeys = statement({
  name: 'take-notification-keys',
  params: { keys: 'bytea[]' },
  columns: { key: 'bytea' },
  text: `
  insert into notification_keys (key) select unnest(:keys::bytea[])
  on conflict do nothing returning key`,
});

export const keepWaitingEvent = statement({
  name: 'keep-waiting-event',
  params: { id: 'uuid', state: 'text', error: 'text?', retryInSeconds: 'float8?' },
  text: `
  update notification_events set state = :state, error = :error,
    next_attempt_at = clock_timestamp() + make_interval(secs => :retryInSeconds),
    done_at = case when :state = 'done' then now() end
  where id = :id`,
});

export const addNotificationEvent = statement({
  name: 'add-notification-event',
  params: {
    id: 'uuid',
    notificationId: 'uuid',
    eventKey: 'text',
    accountId: 'uuid',
    mode: 'text?',
    kind: 'text',
    state: 'text',
    error: 'text?',
    receivedAt: 'timestamptz',
    retryInSeconds: 'float8?',
  },
  text: `
  insert into notification_events (id, notification_id, event_key, account_id, mode, kind, state,
    error, received_at, next_attempt_at)
  values (:id, :notificationId, :eventKey, :accountId, :mode, :kind, :state, :error, :receivedAt,
    clock_timestamp() + make_interval(secs => :retryInSeconds))`,
});

export const giveUpEvents = statement({
  name: 'give-up-notification-events',
  params: { ids: 'uuid[]' },
  text: `
  update notification_events set state = 'foreign', next_attempt_at = null
  where id = any (:ids::uuid[])`,
});

export const setNotificationAside = statement({
  name: 'set-notification-aside',
  params: {
    id: 'uuid',
    notificationId: 'uuid',
    mode: 'text?',
    error: 'text',
    receivedAt: 'timestamptz',
  },
  text: `
  insert into notification_events (id, notification_id, event_key, mode, kind, state, error,
    received_at)
  values (:id, :notificationId, '', :mode, 'notification', 'set_aside', :error, :receivedAt)`,
});
