import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import type { ParsedEvent, TemplateChanged } from '#libs/whatsapp';
import { AccountVersions } from '../../accounts/account-versions.js';
import { NumberHolds, pauseOf } from '../../accounts/number-holds.js';
import { ConsentChanges, type ConsentsRecorded } from '../../consents/consent-changes.js';
import { storableText } from '../../database/storable-text.js';
import { isDeadlock, isLockTimeout, isStoreUnavailable } from '../../database/store-errors.js';
import { type EventHint, EventHints } from '../../hints/event-hints.js';
import { LOGGER } from '../../logging/logging.module.js';
import { type NamedReport, StatusReports } from '../../messages/rows/status-reports.js';
import { Metrics } from '../../metrics/metrics.js';
import { countReplies } from '../../outcomes/reply-counts.js';
import { TemplateNotifications } from '../../templates/sync/template-notifications.js';
import { ContactSightings, sightingsOfCall } from '../contact-sightings.js';
import { Echoes } from '../received/echoes.js';
import { ReceivedMessages } from '../received/received-messages.js';
import { ReportedConsents } from '../received/reported-consents.js';
import { isUnreadable, type RoutedEvent } from '../routed-event.js';
import { reportOf } from '../status-changes.js';
import { AccountUpdates } from './account-updates.js';
import { ignoredField } from './ignored-fields.js';
import { type EventState, earlyMaxSeconds, NotificationRows } from './notification-rows.js';
import { OwnRecipients } from './own-recipients.js';

type EventOf<Kind extends ParsedEvent['kind']> = Extract<ParsedEvent, { kind: Kind }>;

interface Applied {
  readonly toWake: readonly EventHint[];
  /** What users said about messages to them. */
  readonly consents: readonly ConsentsRecorded[];
  /** Accounts whose version was raised. */
  readonly versions: ReadonlyMap<string, number>;
}

const unreadable = new Error('a message or status is not in the form that WhatsApp documents');

const errorMaxLength = 1_000;
const earlyDelayMaxSeconds = 300;

/**
 * Processes events. Statuses are applied as API processes apply them: one that was applied before
 * changes nothing. Every other event is processed once, in one transaction with the mark that it was seen.
 * A group that fails is tried event by event; one that still fails is set aside and does not stop the others.
 */
@Injectable()
export class EventProcessing {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: NotificationRows,
    private readonly reports: StatusReports,
    private readonly received: ReceivedMessages,
    private readonly echoes: Echoes,
    private readonly contacts: ContactSightings,
    private readonly consents: ReportedConsents,
    private readonly consentChanges: ConsentChanges,
    private readonly recipients: OwnRecipients,
    private readonly accounts: AccountUpdates,
    private readonly holds: NumberHolds,
    private readonly templates: TemplateNotifications,
    private readonly events: EventHints,
    private readonly accountVersions: AccountVersions,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Processes events in any order. @throws the store's error when it cannot be reached. */
  async process(events: readonly RoutedEvent[]): Promise<void> {
    for (const event of events.filter((one) => isUnreadable(one.event)))
      await this.setAside(event, unreadable);
    const readable = events.filter((event) => !isUnreadable(event.event));
    for (const { event } of readable) {
      if (event.kind === 'other') {
        this.metrics.ignoredNotifications.inc({ field: ignoredField(event.field) });
      }
    }
    const others = readable.filter((event) => !isStatus(event));
    if (others.length > 0) await this.processGroup(others);
    await this.processStatuses(readable.filter(isStatus));
  }

  private async processStatuses(
    statuses: readonly RoutedEvent<EventOf<'status'>>[],
  ): Promise<void> {
    const reported = statuses.flatMap((status) => {
      const report = reportOf(status);
      return report ? [{ status, report }] : [];
    });
    const named = await this.reports.name(reported.map(({ report }) => report));
    const reportOfStatus = new Map(
      reported.map(({ status }, index) => [status, named[index] ?? null]),
    );
    const applied = await Promise.allSettled(
      named.map(async (report) => (report ? this.reports.apply(report) : false)),
    );
    await this.contacts.learnFromStatuses(statuses);
    await this.consents.recordRefusals(
      await this.recipients.ofFailures(
        statuses.map((status) => ({ status, report: reportOfStatus.get(status) ?? null })),
      ),
    );
    const states = new Map<RoutedEvent, EventState>(statuses.map((status) => [status, 'done']));
    for (const [index, { status }] of reported.entries()) {
      const result = applied[index];
      const report = named[index];
      if (result?.status === 'rejected' && report) {
        states.set(status, await this.applyAlone(status, report));
      } else if (!(result?.status === 'fulfilled' && result.value)) {
        states.set(status, stateOfUnknown(status));
      }
    }
    await this.holdNumbers(named);
    await this.keepAll(states);
  }

  /** A refusal that concerns the number pauses it, whether it comes in an answer or, as here, after a 200. */
  private async holdNumbers(reports: readonly (NamedReport | null)[]): Promise<void> {
    for (const report of reports) {
      const code = report?.failure?.platformCode ?? null;
      const trouble = code === null ? null : pauseOf(code);
      if (report && trouble)
        await this.holds.holdByReport(report.accountId, trouble, report.messageId);
    }
  }

  /** Tries a report again after its group has failed, perhaps because of another report. */
  private async applyAlone(status: RoutedEvent, report: NamedReport): Promise<EventState> {
    try {
      return (await this.reports.apply(report)) ? 'done' : stateOfUnknown(status);
    } catch (error) {
      // The message is there, so it stays ours however long its row is locked.
      if (isLockTimeout(error)) return 'waiting';
      if (isStoreUnavailable(error) || isDeadlock(error)) throw error;
      await this.setAside(status, error);
      return 'set_aside';
    }
  }

  /** Writes the state of events that are not processed, or were not at their first try. */
  private async keepAll(states: ReadonlyMap<RoutedEvent, EventState>): Promise<void> {
    const toKeep = [...states].filter(
      ([event, state]) => state !== 'set_aside' && (state !== 'done' || event.pending),
    );
    if (toKeep.length === 0) return;
    await this.dataSource.transaction(async (manager) => {
      for (const [event, state] of toKeep) {
        const isWaiting = state === 'waiting';
        await this.rows.keep(
          manager,
          event,
          state,
          isWaiting ? { retryInSeconds: delayOf(event) } : {},
        );
      }
    });
  }

  private async processGroup(group: readonly RoutedEvent[]): Promise<void> {
    try {
      await this.publish(
        await this.dataSource.transaction((manager) => this.apply(manager, group)),
      );
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      const [only] = group;
      if (!only || group.length > 1) {
        for (const event of group) await this.processGroup([event]);
      } else {
        // A deadlock is not the event's fault: it is due again when its lease ends.
        if (isDeadlock(error)) throw error;
        await this.setAside(only, error);
      }
    }
  }

  /** Hints to send after the commit; they may be lost. */
  private async publish({ toWake, consents, versions }: Applied): Promise<void> {
    for (const recorded of consents) this.consentChanges.publish(recorded);
    for (const { endpointId, dueMs } of toWake) this.events.wake(endpointId, dueMs);
    for (const [accountId, version] of versions) {
      await this.accountVersions.publish(accountId, version).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the change is known everywhere within a minute');
      });
    }
  }

  private async apply(manager: EntityManager, group: readonly RoutedEvent[]): Promise<Applied> {
    const events = await this.rows.takeUnseen(manager, group);
    const { toWake, consents, early } = await this.received.apply(
      manager,
      events.filter(isMessage),
    );
    const echoed = await this.echoes.apply(manager, events.filter(isOf('echo')));
    const preferred = await this.consents.recordPreferences(
      manager,
      events.filter(isOf('user_preference')),
    );
    const called = await this.contacts.learn(
      manager,
      events.filter(isOf('call')).flatMap(sightingsOfCall),
    );
    for (const event of early) {
      await this.rows.keep(manager, event, 'waiting', { retryInSeconds: delayOf(event) });
    }
    const unseen = new Set(events);
    const notices = group.filter(isTemplate).map((event) => ({
      accountId: event.account.id,
      mode: event.mode,
      change: unseen.has(event) ? event.event : null,
    }));
    const versions = await this.templates.apply(manager, notices);
    for (const event of events) {
      // The simulator does not speak for the platform about an account.
      if (!isTemplate(event) && event.mode !== 'test') await this.accounts.apply(manager, event);
    }
    const open = new Set<RoutedEvent>(early);
    for (const event of events) {
      if (event.pending && !open.has(event)) await this.rows.keep(manager, event, 'done');
    }
    // Last, because all groups of an account wait for its row of this minute.
    await countReplies(
      manager,
      events
        .filter((event) => isMessage(event) && !open.has(event))
        .map(({ account, mode }) => ({ accountId: account.id, mode })),
    );
    return {
      toWake: [...toWake, ...echoed, ...called.toWake],
      consents: consents ? [consents, preferred] : [preferred],
      versions,
    };
  }

  /** Sets one event aside with its error. Repetitions of it are ignored then. */
  private async setAside(event: RoutedEvent, error: unknown): Promise<void> {
    const about = { err: error, notification_id: event.notificationId, kind: event.event.kind };
    // An event in an undocumented form is not our fault.
    const level = error === unreadable ? 'warn' : 'error';
    this.logger[level](about, 'an event of the platform is set aside');
    const text = error instanceof Error ? error.message : String(error);
    await this.dataSource.transaction(async (manager) => {
      const [unseen] = await this.rows.takeUnseen(manager, [event]);
      if (!unseen) return;
      await this.rows.keep(manager, event, 'set_aside', {
        error: storableText(text).slice(0, errorMaxLength),
      });
    });
  }
}

/** Early for a time, then foreign. */
function stateOfUnknown({ receivedAt }: RoutedEvent): EventState {
  const age = (Date.now() - receivedAt.getTime()) / 1_000;
  return age > earlyMaxSeconds ? 'foreign' : 'waiting';
}

function delayOf({ pending }: RoutedEvent): number {
  return Math.min(2 ** (pending?.attempts ?? 0), earlyDelayMaxSeconds);
}

const isOf =
  <Kind extends ParsedEvent['kind']>(kind: Kind) =>
  (event: RoutedEvent): event is RoutedEvent<EventOf<Kind>> =>
    event.event.kind === kind;

const isStatus = isOf('status');
const isMessage = isOf('message');

function isTemplate(event: RoutedEvent): event is RoutedEvent<TemplateChanged> {
  return event.event.kind.startsWith('template_');
}
