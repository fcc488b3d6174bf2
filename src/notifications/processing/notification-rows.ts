import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { HotStatements } from '../../database/hot-statements.js';
import { newId } from '../../database/ids.js';
import { storableText } from '../../database/storable-text.js';
import { isRelayedSql } from '../../events/hearers.js';
import {
  eventKey,
  type RoutedAccount,
  type RoutedEvent,
  type StoredNotification,
  seenKey,
} from '../routed-event.js';

/** How long a claim lasts. It is renewed each second, so that only what a dead worker held is claimed again. */
const leaseSeconds = 5;

/** An early event is tried again for this long before it counts as foreign. */
export const earlyMaxSeconds = 15 * 60;

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

const claimStatement = {
  name: 'claim-notifications',
  text: claim(`n.id = any ($1::uuid[]) and n.next_attempt_at <= now()`),
};

const claimDueStatement = {
  name: 'claim-due-notifications',
  text: claim(`n.id = any (array(select id from platform_notifications
      where next_attempt_at < now() - interval '1 second' order by next_attempt_at limit $1))
      and n.next_attempt_at < now() - interval '1 second'`),
};

/** An event that waits for another try, with where it came from. */
export interface WaitingEvent {
  readonly id: string;
  readonly attempts: number;
  readonly eventKey: string;
  readonly accountId: string;
  readonly notification: StoredNotification;
}

/** What a worker has claimed and not finished. */
export interface ClaimedRows {
  readonly notifications: readonly StoredNotification[];
  readonly waiting: readonly WaitingEvent[];
}

interface WaitingRow extends Omit<WaitingEvent, 'notification'>, Omit<StoredNotification, 'id'> {
  readonly notificationId: string;
}

const claimWaitingSql = `
  with due as materialized (
    select e.id from notification_events e where e.next_attempt_at <= now()
    order by e.next_attempt_at limit $1 for update skip locked
  ), claimed as (
    update notification_events e set attempts = e.attempts + 1,
      next_attempt_at = clock_timestamp() + interval '${leaseSeconds} seconds'
    from due where e.id = due.id and e.id = any (array(select id from due))
    returning e.id, e.attempts, e.event_key, e.account_id, e.notification_id
  )
  select c.id, c.attempts, c.event_key as "eventKey", c.account_id as "accountId",
    c.notification_id as "notificationId", n.mode, n.account_ids as "accountIds", n.body,
    n.received_at as "receivedAt"
  from claimed c join platform_notifications n on n.id = c.notification_id`;

/** The state of an event that was not done at once. */
export type EventState = 'waiting' | 'set_aside' | 'foreign' | 'done';

/** Rows of notifications and of their events that are not done. */
@Injectable()
export class NotificationRows {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
  ) {}

  claim(ids: readonly string[]): Promise<StoredNotification[]> {
    return this.statements.run(claimStatement, [ids]);
  }

  /** Claims rows that have been due for a second: their hint or their worker was lost. */
  claimDue(limit: number): Promise<StoredNotification[]> {
    return this.statements.run(claimDueStatement, [limit]);
  }

  /** Claims early events, and those that an operator asked to try again. */
  async claimWaiting(limit: number): Promise<WaitingEvent[]> {
    const rows: WaitingRow[] = await this.dataSource.query(claimWaitingSql, [limit]);
    return rows.map(({ id, attempts, eventKey: key, accountId, ...notification }) => ({
      id,
      attempts,
      eventKey: key,
      accountId,
      notification: { ...notification, id: notification.notificationId, attempts: 1 },
    }));
  }

  /** Renews claims, so that other workers leave the rows alone. */
  renew(claimed: ClaimedRows): Promise<void> {
    const until = `next_attempt_at = clock_timestamp() + interval '${leaseSeconds} seconds'`;
    return this.changeClaimed(claimed, until);
  }

  /** Undoes claims that failed because of the store: they do not count as attempts. */
  giveBack(claimed: ClaimedRows): Promise<void> {
    return this.changeClaimed(
      claimed,
      'attempts = r.attempts - 1, next_attempt_at = clock_timestamp()',
    );
  }

  /** Changes rows that are still under this claim: each claim has its own number of attempts. */
  private async changeClaimed(
    { notifications, waiting }: ClaimedRows,
    change: string,
  ): Promise<void> {
    for (const [table, rows] of [
      ['platform_notifications', notifications],
      ['notification_events', waiting],
    ] as const) {
      if (rows.length === 0) continue;
      await this.dataSource.query(
        `update ${table} r set ${change}
         from unnest($1::uuid[], $2::smallint[]) as t (id, attempts)
         where r.id = t.id and r.id = any ($1::uuid[]) and r.attempts = t.attempts
           and r.next_attempt_at is not null`,
        [rows.map(({ id }) => id), rows.map(({ attempts }) => attempts)],
      );
    }
  }

  async finish(notifications: readonly StoredNotification[]): Promise<void> {
    await this.dataSource.query(
      `update platform_notifications set processed_at = now(), next_attempt_at = null
       where id = any ($1::uuid[])`,
      [notifications.map(({ id }) => id)],
    );
  }

  /** The accounts that events may be for. */
  accounts(
    phoneNumberIds: readonly string[],
    businessAccountIds: readonly string[],
  ): Promise<RoutedAccount[]> {
    return this.dataSource.query(
      `select a.id, a.phone_number_id as "phoneNumberId", a.business_account_id as "businessAccountId",
         a.display_phone_number as "displayPhoneNumber", a.keywords, a.keyword_scope as "keywordScope",
         ${isRelayedSql} as "isRelayed"
       from accounts a where a.phone_number_id = any ($1) or a.business_account_id = any ($2) order by a.id`,
      [phoneNumberIds, businessAccountIds],
    );
  }

  /** Notes events as seen. @returns those that are new; events tried before always are. */
  async takeUnseen<Event extends RoutedEvent>(
    manager: EntityManager,
    events: readonly Event[],
  ): Promise<Event[]> {
    const byKey = new Map<string, Event>();
    for (const event of events) {
      if (!event.pending) byKey.set(seenKey(event).toString('hex'), event);
    }
    const unseenKeys = await this.takeKeys(manager, [...byKey.keys()]);
    const unseen = new Set(
      [...byKey].flatMap(([key, event]) => (unseenKeys.has(key) ? [event] : [])),
    );
    return events.filter((event) => event.pending !== null || unseen.has(event));
  }

  /** Notes keys, in hex, as seen for eight days. @returns those that are new. */
  async takeKeys(manager: EntityManager, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const rows: { key: Buffer }[] = await manager.query(
      `insert into notification_keys (key) select unnest($1::bytea[])
       on conflict do nothing returning key`,
      // Sorted: two groups that wait for each other's keys would deadlock.
      [keys.toSorted().map((key) => Buffer.from(key, 'hex'))],
    );
    return new Set(rows.map(({ key }) => key.toString('hex')));
  }

  /** Writes the state of an event, with when it is tried again; the first time as a new row. */
  async keep(
    manager: EntityManager,
    { event, account, mode, notificationId, receivedAt, pending }: RoutedEvent,
    state: EventState,
    options: { error?: string; retryInSeconds?: number } = {},
  ): Promise<void> {
    const error = options.error ?? null;
    const retryInSeconds = options.retryInSeconds ?? null;
    if (pending) {
      await manager.query(
        `update notification_events set state = $2, error = $3,
           next_attempt_at = clock_timestamp() + make_interval(secs => $4),
           done_at = case when $2 = 'done' then now() end
         where id = $1`,
        [pending.id, state, error, retryInSeconds],
      );
      return;
    }
    await manager.query(
      `insert into notification_events (id, notification_id, event_key, account_id, mode, kind, state,
         error, received_at, next_attempt_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + make_interval(secs => $10))`,
      [
        newId(),
        notificationId,
        eventKey(event),
        account.id,
        mode,
        event.kind,
        state,
        error,
        receivedAt,
        retryInSeconds,
      ],
    );
  }

  /** Stops trying events that belong to no account of ours any more. */
  async giveUp(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dataSource.query(
      `update notification_events set state = 'foreign', next_attempt_at = null
       where id = any ($1::uuid[])`,
      [ids],
    );
  }

  /** Sets a whole notification aside: it could not even be read. */
  async setAside(notification: StoredNotification, error: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(
        `insert into notification_events (id, notification_id, event_key, mode, kind, state, error,
           received_at)
         values ($1, $2, '', $3, 'notification', 'set_aside', $4, $5)`,
        [
          newId(),
          notification.id,
          notification.mode,
          // It may quote the body.
          storableText(error),
          notification.receivedAt,
        ],
      );
      await manager.query(
        `update platform_notifications set processed_at = now(), next_attempt_at = null
         where id = $1`,
        [notification.id],
      );
    });
  }
}
