import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import type { MessageReceived, StatusChanged, TemplateChanged } from '#libs/whatsapp';
import { storableText } from '../../database/storable-text.js';
import { isDeadlock, isStoreUnavailable } from '../../database/store-errors.js';
import { LOGGER } from '../../logging/logging.module.js';
import { MessageConclusions } from '../../messages/message-conclusions.js';
import { type ReportedMessage, StatusReports } from '../../messages/status-reports.js';
import { DeliveriesQueue } from '../../queues/deliveries-queue.js';
import { AccountVersions } from '../../quota/account-versions.js';
import { AccountUpdates } from './account-updates.js';
import { earlyMaxSeconds, NotificationRows } from './notification-rows.js';
import { ReceivedMessages } from './received-messages.js';
import type { RoutedEvent } from './routed-event.js';
import { inRounds, reportOf } from './status-changes.js';
import { TemplateStatusChanges } from './template-status-changes.js';

interface Applied {
  readonly reported: readonly ReportedMessage[];
  readonly toWake: readonly string[];
  /** Accounts whose version was raised. */
  readonly versions: ReadonlyMap<string, number>;
}

const unreadable = new Error('a message or status has not the form that WhatsApp documents');

const errorMaxLength = 1_000;
const earlyDelayMaxSeconds = 300;

/**
 * Does what events say: each once, in one transaction with the mark that it was seen. A group that
 * fails is tried event by event; one that still fails is set aside and stops no other.
 */
@Injectable()
export class EventProcessing {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: NotificationRows,
    private readonly reports: StatusReports,
    private readonly received: ReceivedMessages,
    private readonly accounts: AccountUpdates,
    private readonly templates: TemplateStatusChanges,
    private readonly conclusions: MessageConclusions,
    private readonly deliveries: DeliveriesQueue,
    private readonly accountVersions: AccountVersions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Processes events in any order. @throws the store's error when it cannot be reached. */
  async process(events: readonly RoutedEvent[]): Promise<void> {
    for (const event of events.filter(isUnreadable)) await this.setAside(event, unreadable);
    const readable = events.filter((event) => !isUnreadable(event));
    const statuses = readable.filter(isStatus);
    const others = readable.filter((event) => !isStatus(event));
    const groups: RoutedEvent[][] = inRounds(statuses);
    if (others.length > 0) groups.unshift(others);
    for (const group of groups) await this.processGroup(group);
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
        // A deadlock says nothing of the event: it is due again when its lease ends.
        if (isDeadlock(error)) throw error;
        await this.setAside(only, error);
      }
    }
  }

  /** What others are told of after the commit: hints, which may be lost. */
  private async publish({ reported, toWake, versions }: Applied): Promise<void> {
    for (const message of reported) {
      const wasOpen = ['queued', 'sending', 'unconfirmed'].includes(message.before);
      const origin = wasOpen && message.before !== message.status ? message.origin : null;
      this.conclusions.publish({ ...message, origin });
    }
    for (const apiKeyId of toWake) this.deliveries.wake(apiKeyId);
    for (const [accountId, version] of versions) {
      await this.accountVersions.publish(accountId, version).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the change is known everywhere within a minute');
      });
    }
  }

  private async apply(manager: EntityManager, group: readonly RoutedEvent[]): Promise<Applied> {
    const events = await this.rows.takeUnseen(manager, group);
    const reported = await this.applyStatuses(manager, events.filter(isStatus));
    const { toWake, early } = await this.received.apply(manager, events.filter(isMessage));
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
      // What the simulator says of an account is not the platform's word.
      if (!isTemplate(event) && event.mode !== 'test') await this.accounts.apply(manager, event);
    }
    const open = new Set<RoutedEvent>([...early, ...reported.unknown]);
    for (const event of events) {
      if (event.pending && !open.has(event)) await this.rows.keep(manager, event, 'done');
    }
    return { reported: reported.messages, toWake, versions };
  }

  private async applyStatuses(
    manager: EntityManager,
    statuses: readonly RoutedEvent<StatusChanged>[],
  ): Promise<{ messages: ReportedMessage[]; unknown: RoutedEvent[] }> {
    const told = statuses.flatMap((status) => {
      const report = reportOf(status);
      return report ? [{ status, report }] : [];
    });
    const found = await this.reports.apply(
      manager,
      told.map(({ report }) => report),
    );
    const unknown = told.filter((_, index) => !found[index]).map(({ status }) => status);
    for (const status of unknown) {
      const age = (Date.now() - status.receivedAt.getTime()) / 1_000;
      if (age > earlyMaxSeconds) await this.rows.keep(manager, status, 'foreign');
      else await this.rows.keep(manager, status, 'waiting', { retryInSeconds: delayOf(status) });
    }
    return { messages: found.filter((message) => message !== null), unknown };
  }

  /** Sets one event aside with its error. Repetitions of it are then no news. */
  private async setAside(event: RoutedEvent, error: unknown): Promise<void> {
    const about = { err: error, notification_id: event.notificationId, kind: event.event.kind };
    // What is not as documented is no fault of ours.
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

function delayOf({ pending }: RoutedEvent): number {
  return Math.min(2 ** (pending?.attempts ?? 0), earlyDelayMaxSeconds);
}

function isStatus(event: RoutedEvent): event is RoutedEvent<StatusChanged> {
  return event.event.kind === 'status';
}

function isMessage(event: RoutedEvent): event is RoutedEvent<MessageReceived> {
  return event.event.kind === 'message';
}

/** Fields of other products are no concern of ours; in this one each event has to be read. */
function isUnreadable({ event }: RoutedEvent): boolean {
  return event.kind === 'other' && event.field === 'messages';
}

function isTemplate(event: RoutedEvent): event is RoutedEvent<TemplateChanged> {
  return event.event.kind.startsWith('template_');
}
