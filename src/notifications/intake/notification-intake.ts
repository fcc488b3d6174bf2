import { Injectable } from '@nestjs/common';
import { parseNotification, type StatusChanged } from '#libs/whatsapp';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';
import { newId } from '../../database/ids.js';
import { answeredBy, isLockTimeout, isStoreUnavailable } from '../../database/store-errors.js';
import { unavailable } from '../../errors/app-error.js';
import { NotificationsQueue } from '../../hints/notifications-queue.js';
import {
  type NamedReport,
  type StatusReport,
  StatusReports,
} from '../../messages/rows/status-reports.js';
import { ContactSightings } from '../contact-sightings.js';
import { type Heard, LastNotifications } from '../last-notifications.js';
import { accountsOf, isUnreadable, type RoutedEvent } from '../routed-event.js';
import { reportOf } from '../status-changes.js';
import { AccountRoutes } from './account-routes.js';
import { AppSecrets, type Signer } from './app-secrets.js';
import * as sql from './notification-intake.statements.js';

/** A notification that only reports statuses, as they came and as they are applied. */
interface DirectReports {
  readonly reports: NamedReport[];
  readonly statuses: Pick<RoutedEvent<StatusChanged>, 'event' | 'account' | 'mode'>[];
}

interface NewNotification {
  readonly id: string;
  readonly signer: Signer;
  readonly body: Buffer;
}

/** Bodies are up to 4 MiB each, so groups stay small. */
const groupMaxSize = 64;

/** Larger notifications are left to workers: they would delay the callers of this process. */
const direct = { maxBytes: 128 * 1024, maxStatuses: 500 };

/** How much of unanswered notifications this process holds at a time. */
const held = { maxBytes: 64 * 1024 * 1024, maxStatuses: 10_000 };

/** The platform gives up on an answer after some seconds, and sends the notification again. */
const answerMaxMs = 5_000;

/**
 * Takes notifications. One that only reports statuses of our messages is applied at once, in a
 * group with others, and leaves no row. Every other one is taken when its bytes are committed, and
 * processed by a worker: those that may take more than changing a row, or are not certain.
 */
@Injectable()
export class NotificationIntake {
  private readonly group: GroupCommit<NewNotification, void>;
  private heldBytes = 0;
  private heldStatuses = 0;

  constructor(
    private readonly statements: HotStatements,
    private readonly secrets: AppSecrets,
    private readonly routes: AccountRoutes,
    private readonly reports: StatusReports,
    private readonly contacts: ContactSightings,
    private readonly last: LastNotifications,
    private readonly queue: NotificationsQueue,
  ) {
    this.group = new GroupCommit({
      commit: (notifications) => this.store(notifications),
      maxSize: groupMaxSize,
    });
  }

  /**
   * Takes a notification for good: either its reports or its bytes are committed.
   * @throws AppError SERVICE_UNAVAILABLE when too much is in hand; the store's error, also when it is
   * silent for too long. The platform repeats the notification then, and nothing is done twice.
   */
  async takeNotification(body: Buffer, signer: Signer): Promise<void> {
    if (this.heldBytes + body.length > held.maxBytes) throw tooMuch();
    this.heldBytes += body.length;
    const taking = this.takeHeld(body, signer).finally(() => {
      this.heldBytes -= body.length;
    });
    await answeredBy(performance.now() + answerMaxMs, taking);
  }

  private async takeHeld(body: Buffer, signer: Signer): Promise<void> {
    const read = await this.readReports(body, signer);
    if (read) {
      await this.contacts.learnFromStatuses(read.statuses);
      if (await this.apply(read.reports)) {
        this.last.note(read.statuses.map(heardOf));
        return;
      }
    }
    await this.group.enqueue({ id: newId(), signer, body });
  }

  /** Its reports if it certainly contains only statuses of our messages; else null. */
  private async readReports(body: Buffer, signer: Signer): Promise<DirectReports | null> {
    if (body.length > direct.maxBytes) return null;
    const events = statusesIn(body);
    if (!events) return null;
    const reports: NamedReport[] = [];
    const statuses: DirectReports['statuses'] = [];
    for (const event of events) {
      const found = await this.routes.findAccounts(event.phoneNumberId ?? '');
      const [account, another] = accountsOf(event, signer, found);
      if (!account || another) return null;
      // Its bytes are passed on, which a worker does. Such an endpoint raised the version of its account.
      if (account.isRelayed) return null;
      const status = { event, account, mode: signer.mode };
      const report = reportOf(status);
      // A failure may lead to another message, or no longer: a worker decides that.
      if (!report || !isNamed(report) || report.status === 'failed') return null;
      reports.push(report);
      statuses.push(status);
    }
    return { reports, statuses };
  }

  /** @returns whether every report was about a message of ours, and is applied. */
  private async apply(reports: readonly NamedReport[]): Promise<boolean> {
    if (this.heldStatuses + reports.length > held.maxStatuses) throw tooMuch();
    this.heldStatuses += reports.length;
    const results = await Promise.allSettled(reports.map((report) => this.reports.apply(report)));
    this.heldStatuses -= reports.length;
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      const { reason }: { reason: unknown } = result;
      if (isStoreUnavailable(reason) && !isLockTimeout(reason)) throw reason;
    }
    if (results.every((result) => result.status === 'fulfilled' && result.value)) return true;
    // The account may have changed since it was read.
    this.routes.doubt();
    return false;
  }

  /** Stores notifications for the accounts as they are then: one that was made a moment ago gets them, too. */
  private async store(notifications: readonly NewNotification[]): Promise<void[]> {
    const ids = notifications.map(({ id }) => id);
    for (;;) {
      const signers = notifications.map(({ signer }) => this.secrets.asRead(signer));
      const row = await sql.storeNotifications.row(this.statements, {
        ids,
        modes: signers.map(({ mode }) => mode),
        accountIds: signers.map(({ accountIds }) => arrayOf(accountIds)),
        bodies: notifications.map(({ body }) => body),
        fingerprint: this.secrets.fingerprint,
      });
      if (row?.isStored) break;
      await this.secrets.readAnew();
    }
    void this.queue.addHint({ ids });
    return notifications.map(() => undefined);
  }
}

/** The statuses in a body that holds nothing else, or null. */
function statusesIn(body: Buffer): StatusChanged[] | null {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  const statuses: StatusChanged[] = [];
  for (const event of parseNotification(json)) {
    if (event.kind !== 'status' || isUnreadable(event)) return null;
    statuses.push(event);
  }
  return statuses.length > 0 && statuses.length <= direct.maxStatuses ? statuses : null;
}

function isNamed(report: StatusReport): report is NamedReport {
  return report.messageId !== null;
}

function heardOf({ event, account, mode }: DirectReports['statuses'][number]): Heard {
  return { accountId: account.id, mode, at: event.occurredAt ?? new Date() };
}

function tooMuch(): Error {
  return unavailable('too_many_notifications', 'Too many notifications wait to be stored.');
}

function arrayOf(ids: readonly string[] | null): string | null {
  return ids && `{${ids.join(',')}}`;
}
