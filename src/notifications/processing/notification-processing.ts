import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ParsedEvent } from '#libs/whatsapp';
import { isDeadlock, isStoreUnavailable } from '../../database/store-errors.js';
import { LOGGER } from '../../logging/logging.module.js';
import { Timers } from '../../timers/timers.js';
import { LastNotifications } from '../last-notifications.js';
import {
  accountsOf,
  eventKey,
  eventsOf,
  type PendingEvent,
  type RoutedAccount,
  type RoutedEvent,
  type StoredNotification,
} from '../routed-event.js';
import { EventProcessing } from './event-processing.js';
import { NotificationRelay } from './notification-relay.js';
import { type ClaimedRows, NotificationRows, type WaitingEvent } from './notification-rows.js';

/** Notifications in one batch; their bodies are in memory meanwhile. */
const batchMax = 50;

/** Ids from hints that are kept in memory; beyond them the due rows help. */
const hintsMax = 10_000;

/** How often rows without a hint are looked for. */
const dueEveryMs = 1_000;

/** Claims last for five seconds; what is under way keeps them. */
const renewEveryMs = 1_000;

/** A notification that has crashed this many workers is not tried again. */
const attemptsMax = 5;

interface Unrouted {
  readonly notification: StoredNotification;
  readonly events: readonly ParsedEvent[];
  readonly pending: PendingEvent | null;
}

/** Processes stored notifications in batches: those that hints tell of, and those that are due. */
@Injectable()
export class NotificationProcessing implements OnApplicationBootstrap {
  private readonly ids: string[] = [];
  private readonly timers: Timers;
  private running: Promise<void> | null = null;
  private isDueTime = false;
  /** Claims that failed because of the store, to be undone when it is back. */
  private toGiveBack: ClaimedRows[] = [];
  private isStopping = false;

  constructor(
    private readonly rows: NotificationRows,
    private readonly relay: NotificationRelay,
    private readonly processing: EventProcessing,
    private readonly last: LastNotifications,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger);
  }

  onApplicationBootstrap(): void {
    this.timers.every(dueEveryMs, 'look for due notifications', () => {
      this.isDueTime = true;
      this.pump();
    });
  }

  /** Takes a hint. */
  offer(ids: readonly string[]): void {
    const room = hintsMax - this.ids.length;
    if (room > 0) this.ids.push(...ids.slice(0, room));
    this.pump();
  }

  /** Finishes the running batch and begins no other. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.timers.stop();
    await this.running;
  }

  private pump(): void {
    if (this.running || this.isStopping) return;
    this.running = this.work()
      .catch((error: unknown) => {
        // Everything that was claimed is due again when it is given back, or its lease ends.
        this.logger.warn({ err: error }, 'could not process notifications');
      })
      .finally(() => {
        this.running = null;
        if (this.ids.length > 0 && !this.isStopping) this.pump();
      });
  }

  private async work(): Promise<void> {
    for (let claimed = this.toGiveBack[0]; claimed; claimed = this.toGiveBack[0]) {
      await this.rows.giveBack(claimed);
      this.toGiveBack.shift();
    }
    while (this.ids.length > 0 && !this.isStopping) {
      await this.processClaimed(await this.rows.claim(this.ids.splice(0, batchMax)));
    }
    if (!this.isDueTime) return;
    this.isDueTime = false;
    while (!this.isStopping) {
      const due = await this.rows.claimDue(batchMax);
      await this.processClaimed(due);
      if (due.length < batchMax) break;
    }
    while (!this.isStopping) {
      const waiting = await this.rows.claimWaiting(batchMax);
      await this.hold({ notifications: [], waiting }, () => this.processWaiting(waiting));
      if (waiting.length < batchMax) break;
    }
  }

  private processClaimed(notifications: readonly StoredNotification[]): Promise<void> {
    return this.hold({ notifications, waiting: [] }, () => this.processBatch(notifications));
  }

  /** Keeps a claim while the work on it goes on, however slow the store is. */
  private async hold(claimed: ClaimedRows, work: () => Promise<void>): Promise<void> {
    const timers = new Timers(this.logger);
    timers.every(renewEveryMs, 'renew claims of notifications', () => this.rows.renew(claimed));
    try {
      await work();
    } catch (error) {
      this.toGiveBack.push(claimed);
      throw error;
    } finally {
      timers.stop();
    }
  }

  /** Tries a failed group one by one; a notification that still fails is set aside and does not stop the others. */
  private async processBatch(notifications: readonly StoredNotification[]): Promise<void> {
    try {
      await this.processTogether(notifications);
    } catch (error) {
      if (isStoreUnavailable(error) || isDeadlock(error)) throw error;
      const [only] = notifications;
      if (notifications.length > 1) {
        for (const notification of notifications) await this.processBatch([notification]);
      } else if (only) {
        this.logger.error({ err: error, notification_id: only.id }, 'a notification is set aside');
        await this.rows.setAside(only, error instanceof Error ? error.message : String(error));
      }
    }
  }

  private async processTogether(notifications: readonly StoredNotification[]): Promise<void> {
    if (notifications.length === 0) return;
    const readable: Unrouted[] = [];
    for (const notification of notifications) {
      const read = this.read(notification);
      if (typeof read === 'string') await this.rows.setAside(notification, read);
      else readable.push({ notification, events: read, pending: null });
    }
    const accounts = await this.accountsFor(readable);
    // First: it goes out whatever becomes of our own processing.
    await this.relay.passOn(
      readable.map(({ notification }) => notification),
      accounts,
    );
    const routed = route(readable, accounts);
    await this.processing.process(routed);
    this.last.note(
      routed.map(({ event, account, mode, receivedAt }) => ({
        accountId: account.id,
        mode,
        at: 'occurredAt' in event && event.occurredAt ? event.occurredAt : receivedAt,
      })),
    );
    await this.rows.finish(readable.map(({ notification }) => notification));
  }

  private async processWaiting(waiting: readonly WaitingEvent[]): Promise<void> {
    if (waiting.length === 0) return;
    const found = waiting.flatMap(({ notification, eventKey: key, ...pending }): Unrouted[] => {
      const read = this.read(notification);
      if (typeof read === 'string') return [];
      const event = read.find((candidate) => eventKey(candidate) === key);
      return event ? [{ notification, events: [event], pending }] : [];
    });
    const routed = route(found, await this.accountsFor(found));
    const accountByEvent = new Map(waiting.map(({ id, accountId }) => [id, accountId]));
    const events = routed.filter(
      ({ account, pending }) => pending && account.id === accountByEvent.get(pending.id),
    );
    const routedIds = new Set(events.map(({ pending }) => pending?.id));
    await this.processing.process(events);
    // Their account is gone by now, or has another number.
    await this.rows.giveUp(waiting.flatMap(({ id }) => (routedIds.has(id) ? [] : [id])));
  }

  /** The events of a notification, or why they cannot be read. */
  private read(notification: StoredNotification): ParsedEvent[] | string {
    if (notification.attempts > attemptsMax) return 'its processing never finished';
    try {
      return eventsOf(notification);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  private accountsFor(unrouted: readonly Unrouted[]): Promise<RoutedAccount[]> {
    const all = unrouted.flatMap(({ events }) => events);
    const idsOf = (pick: (event: ParsedEvent) => string | null) =>
      // No account has such an id, and PostgreSQL takes no NUL.
      [...new Set(all.map(pick))].filter((id) => id !== null).filter((id) => !id.includes('\0'));
    return this.rows.accounts(
      idsOf((event) => event.phoneNumberId),
      idsOf((event) => event.businessAccountId),
    );
  }
}

function route(unrouted: readonly Unrouted[], accounts: readonly RoutedAccount[]): RoutedEvent[] {
  return unrouted.flatMap(({ notification, events, pending }) =>
    events.flatMap((event) =>
      accountsOf(event, notification, accounts).map((account) => ({
        event,
        account,
        mode: notification.mode,
        notificationId: notification.id,
        receivedAt: notification.receivedAt,
        pending,
      })),
    ),
  );
}
