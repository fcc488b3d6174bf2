import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { type NotificationPart, notificationParts, type StatusChanged } from '#libs/whatsapp';
import type { Mode } from '../../access/mode.js';
import { type RelayedEvent, WebhookEvents } from '../../deliveries/webhook-events.js';
import { countLeftOut } from '../../endpoints/endpoint-records.js';
import { type WhatsappListener, whatsappListenersOf } from '../../events/hearers.js';
import { whatsappEventForm } from '../../events/whatsapp-fields.js';
import { EventHints } from '../../hints/event-hints.js';
import { LOGGER } from '../../logging/logging.module.js';
import { type ReportedMessage, StatusReports } from '../../messages/rows/status-reports.js';
import {
  accountsOf,
  isUnreadable,
  modesOf,
  type RoutedAccount,
  type StoredNotification,
} from '../routed-event.js';
import { NotificationRows } from './notification-rows.js';

/** A larger delivery is left out and counted. */
const bodyMaxBytes = 1024 * 1024;

/** A part for one account. */
interface RoutedPart {
  readonly part: NotificationPart;
  readonly accountId: string;
  /** Null: live and test. */
  readonly mode: Mode | null;
}

/**
 * Passes notifications on to endpoints that get them in WhatsApp's own form: one delivery for each message, status, echo
 * and other change. What was passed on before, in whatever package it came, is not passed on again.
 */
@Injectable()
export class NotificationRelay {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: NotificationRows,
    private readonly reports: StatusReports,
    private readonly events: WebhookEvents,
    private readonly hints: EventHints,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores the deliveries of some notifications.
   * @param accounts those that their changes may be for.
   * @throws the store's error.
   */
  async passOn(
    notifications: readonly StoredNotification[],
    accounts: readonly RoutedAccount[],
  ): Promise<void> {
    const relayed = accounts.filter(({ isRelayed }) => isRelayed);
    if (relayed.length === 0) return;
    const routed = notifications.flatMap((notification) =>
      this.partsOf(notification).flatMap((part): RoutedPart[] => {
        const [event] = part.events;
        return event
          ? accountsOf(event, notification, relayed).map(({ id }) => ({
              part,
              accountId: id,
              mode: notification.mode,
            }))
          : [];
      }),
    );
    if (routed.length === 0) return;
    const messages = await this.messagesOf(routed);
    const { toWake } = await this.dataSource.transaction((manager) =>
      this.store(manager, routed, messages),
    );
    for (const { endpointId, dueMs } of toWake) this.hints.wake(endpointId, dueMs);
  }

  private partsOf({ id, body }: StoredNotification): NotificationPart[] {
    try {
      return notificationParts(body.toString('utf8'));
    } catch (error) {
      this.logger.warn({ err: error, notification_id: id }, 'a notification cannot be passed on');
      return [];
    }
  }

  /** The messages of ours that statuses are about. */
  private async messagesOf(
    routed: readonly RoutedPart[],
  ): Promise<ReadonlyMap<RoutedPart, ReportedMessage>> {
    const asked = routed.flatMap((one) => {
      const status = one.part.events.find((event) => event.kind === 'status');
      return status && !isUnreadable(status) ? [{ one, status }] : [];
    });
    const found = await this.reports.findMessages(
      asked.map(({ one: { accountId, mode }, status }) => ({
        accountId,
        mode,
        messageId: ownId(status),
        platformMessageId: status.platformMessageId,
      })),
    );
    return new Map(
      asked.flatMap(({ one }, index) => {
        const message = found[index];
        return message ? [[one, message]] : [];
      }),
    );
  }

  private async store(
    manager: EntityManager,
    routed: readonly RoutedPart[],
    messages: ReadonlyMap<RoutedPart, ReportedMessage>,
  ) {
    const listeners = await whatsappListenersOf(
      manager,
      routed.map(({ accountId }) => accountId),
    );
    const wanted = deliveriesOf(routed, messages, listeners);
    const isNew = await this.rows.takeKeys(manager, [...wanted.keys()]);
    const events = [...wanted].filter(([key]) => isNew.has(key)).map(([, event]) => event);
    const isLarge = ({ body }: RelayedEvent) => Buffer.byteLength(body) > bodyMaxBytes;
    const leftOut = events.filter(isLarge).flatMap(({ targets }) => targets.map(({ id }) => id));
    await countLeftOut(manager, leftOut);
    return this.events.addEvents(
      manager,
      events.filter((event) => !isLarge(event)),
    );
  }
}

/** What goes to which listeners, by what identifies it. */
function deliveriesOf(
  routed: readonly RoutedPart[],
  messages: ReadonlyMap<RoutedPart, ReportedMessage>,
  listeners: readonly WhatsappListener[],
): Map<string, RelayedEvent> {
  const wanted = new Map<string, RelayedEvent>();
  for (const one of routed) {
    const { part, accountId } = one;
    const message = messages.get(one) ?? null;
    for (const mode of message ? [message.mode] : modesOf(one.mode)) {
      const targets = listeners.filter(
        (each) =>
          each.accountId === accountId &&
          each.mode === mode &&
          (each.fields?.includes(part.field) ?? true),
      );
      if (targets.length === 0) continue;
      wanted.set(keyOf(part, accountId, mode), {
        accountId,
        mode,
        type: typeOf(part),
        body: bodyOf(part, message),
        messageId: message?.id ?? null,
        traceparent: null,
        targets,
      });
    }
  }
  return wanted;
}

/** What identifies a part for an account and mode for good: how Parley knows what it says. */
function keyOf({ events }: NotificationPart, accountId: string, mode: Mode): string {
  const said = events.map(({ dedupeKey }) => dedupeKey).join('\n');
  return createHash('sha256').update(`whatsapp\n${mode}\n${accountId}\n${said}`).digest('hex');
}

function typeOf({ field }: NotificationPart): string {
  const type = `whatsapp.${field}`;
  return whatsappEventForm.test(type) ? type : 'whatsapp.unknown';
}

/** In place of what Parley itself put into the message for its own use goes what its caller gave. */
function bodyOf(part: NotificationPart, message: ReportedMessage | null): string {
  const ours = part.events.some((event) => event.kind === 'status' && ownId(event) === message?.id);
  return message && ours ? part.withCallbackData(message.callbackData) : part.body;
}

function ownId({ callbackData }: StatusChanged): string | null {
  return callbackData !== null && isUUID(callbackData) ? callbackData.toLowerCase() : null;
}
