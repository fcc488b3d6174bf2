import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { HotStatements } from '../../database/hot-statements.js';
import { newId } from '../../database/ids.js';
import { storableText } from '../../database/storable-text.js';
import {
  eventKey,
  type RoutedAccount,
  type RoutedEvent,
  type StoredNotification,
  seenKey,
} from '../routed-event.js';
import * as sql from './notification-rows.statements.js';

/** An early event is tried again for this long before it counts as foreign. */
export const earlyMaxSeconds = 15 * 60;

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
    return sql.claimNotifications.rows(this.statements, { ids });
  }

  /** Claims rows that have been due for a second: their hint or their worker was lost. */
  claimDue(limit: number): Promise<StoredNotification[]> {
    return sql.claimDueNotifications.rows(this.statements, { limit });
  }

  /** Claims early events, and those that an operator asked to try again. */
  async claimWaiting(limit: number): Promise<WaitingEvent[]> {
    const rows = await sql.claimWaitingEvents.rows(this.dataSource, { limit });
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
    return this.changeClaimed(claimed, 'renew');
  }

  /** Undoes claims that failed because of the store: they do not count as attempts. */
  giveBack(claimed: ClaimedRows): Promise<void> {
    return this.changeClaimed(claimed, 'giveBack');
  }

  /** Changes rows that are still under this claim: each claim has its own number of attempts. */
  private async changeClaimed(
    { notifications, waiting }: ClaimedRows,
    change: sql.ClaimChange,
  ): Promise<void> {
    for (const [table, rows] of [
      ['platform_notifications', notifications],
      ['notification_events', waiting],
    ] as const) {
      if (rows.length === 0) continue;
      await sql.changeClaimed.of({ table, change }).run(this.dataSource, {
        ids: rows.map(({ id }) => id),
        attempts: rows.map(({ attempts }) => attempts),
      });
    }
  }

  async finish(notifications: readonly StoredNotification[]): Promise<void> {
    const ids = notifications.map(({ id }) => id);
    await sql.finishNotifications.run(this.dataSource, { ids });
  }

  /** The accounts that events may be for. */
  accounts(
    phoneNumberIds: readonly string[],
    businessAccountIds: readonly string[],
  ): Promise<RoutedAccount[]> {
    return sql.findAccountsOfEvents.rows(this.dataSource, { phoneNumberIds, businessAccountIds });
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
    const rows = await sql.takeNotificationKeys.rows(manager, {
      // Sorted: two groups that wait for each other's keys would deadlock.
      keys: keys.toSorted().map((key) => Buffer.from(key, 'hex')),
    });
    return new Set(rows.map(({ key }) => key.toString('hex')));
  }

  /** Writes the state of an event, with when it is tried again; the first time as a new row. */
  async keep(
    manager: EntityManager,
    { event, account, mode, notificationId, receivedAt, pending }: RoutedEvent,
    state: EventState,
    options: { error?: string; retryInSeconds?: number } = {},
  ): Promise<void> {
    const { error, retryInSeconds } = options;
    if (pending) {
      await sql.keepWaitingEvent.run(manager, { id: pending.id, state, error, retryInSeconds });
      return;
    }
    await sql.addNotificationEvent.run(manager, {
      id: newId(),
      notificationId,
      eventKey: eventKey(event),
      accountId: account.id,
      mode,
      kind: event.kind,
      state,
      error,
      receivedAt,
      retryInSeconds,
    });
  }

  /** Stops trying events that belong to no account of ours any more. */
  async giveUp(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await sql.giveUpEvents.run(this.dataSource, { ids });
  }

  /** Sets a whole notification aside: it could not even be read. */
  async setAside(notification: StoredNotification, error: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await sql.setNotificationAside.run(manager, {
        id: newId(),
        notificationId: notification.id,
        mode: notification.mode,
        // It may quote the body.
        error: storableText(error),
        receivedAt: notification.receivedAt,
      });
      await sql.finishNotifications.run(manager, { ids: [notification.id] });
    });
  }
}
