import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { minuteMs } from '#libs/durations';
import type { MessageReceived } from '#libs/whatsapp';
import { Config } from '../../config/config.js';
import type { ConsentsRecorded } from '../../consents/consent-changes.js';
import type { Row } from '../../database/statements/statement.js';
import { type NewEvent, WebhookEvents } from '../../deliveries/webhook-events.js';
import { listenersOf, listenersToMessage } from '../../events/hearers.js';
import type { EventHint } from '../../hints/event-hints.js';
import { ContactSightings, sightingOfMessage } from '../contact-sightings.js';
import { modesOf, type RoutedEvent } from '../routed-event.js';
import { keepFiles, mediaUrl } from './inbound-files.js';
import { receivedData } from './received-message.js';
import * as sql from './received-messages.statements.js';
import { ReportedConsents } from './reported-consents.js';

type AnsweredRow = Row<typeof sql.findAnsweredMessages>;

/** The result of processing messages from users. */
export interface Received {
  /** Endpoints that have something to get. */
  readonly toWake: readonly EventHint[];
  /** What users said about messages to them. */
  readonly consents: ConsentsRecorded | null;
  /** Answers to a message whose platform id we do not know yet. */
  readonly early: readonly RoutedEvent<MessageReceived>[];
}

/**
 * How long an answer waits to learn which message it answers, when one to that user is still without
 * its platform id: a user can be faster than the answer to our own send.
 */
const earlyMaxMs = minuteMs;

/** Reports messages from users to callers. */
@Injectable()
export class ReceivedMessages {
  constructor(
    private readonly config: Config,
    private readonly events: WebhookEvents,
    private readonly contacts: ContactSightings,
    private readonly consents: ReportedConsents,
  ) {}

  /**
   * Writes the events of messages, and learns what they say of their users. Where the simulator plays the platform, a
   * new message is for both modes.
   */
  async apply(
    manager: EntityManager,
    messages: readonly RoutedEvent<MessageReceived>[],
  ): Promise<Received> {
    if (messages.length === 0) return { toWake: [], consents: null, early: [] };
    const answered = await this.findAnswered(manager, messages);
    const early = await this.findEarly(manager, messages, answered);
    const accountIds = messages.map(({ account }) => account.id);
    const listeners = {
      'message.received': await listenersOf(manager, accountIds, 'message.received'),
      'message.standby': messages.some(isStandby)
        ? await listenersOf(manager, accountIds, 'message.standby')
        : [],
    };
    const heard = messages.flatMap((message, index) => {
      if (early.has(index)) return [];
      const row = answered.get(index) ?? null;
      return modesOf(row?.mode ?? message.mode).map((mode) => ({ message, row, mode }));
    });
    const contacts = await this.contacts.learn(
      manager,
      heard.map(({ message, mode }) => sightingOfMessage(message, mode)),
    );
    const events = heard.map(({ message, row, mode }, index): NewEvent => {
      const accountId = message.account.id;
      const data = receivedData(message.event, {
        to: message.account.displayPhoneNumber,
        answered: row,
        contactId: contacts.contactIds[index] ?? null,
        mediaUrl: (id) => mediaUrl(this.config, id),
      });
      const senderId = row?.api_key_id ?? null;
      const messageType = String(data.message.type);
      const type = isStandby(message) ? 'message.standby' : 'message.received';
      // While Meta's agent answers, a message is nobody's answer.
      const sender = isStandby(message) ? null : senderId;
      return {
        accountId,
        mode,
        type,
        data,
        messageId: row?.id ?? null,
        traceparent: row?.traceparent ?? null,
        targets: listenersToMessage(
          { senderId: sender, accountId, mode, messageType },
          listeners[type],
        ),
      };
    });
    const consents = await this.consents.recordMessages(
      manager,
      heard.map(({ message, row, mode }, index) => ({
        message,
        mode,
        contactId: contacts.contactIds[index] ?? null,
        answersMarketing: row?.category === 'MARKETING',
      })),
    );
    await keepFiles(
      manager,
      messages.map((message, index) => ({ message, mode: answered.get(index)?.mode })),
    );
    const { toWake } = await this.events.addEvents(
      manager,
      events.filter(({ targets }) => targets.length > 0),
    );
    return {
      toWake: [...contacts.toWake, ...toWake],
      consents,
      early: messages.filter((_, index) => early.has(index)),
    };
  }

  private async findAnswered(
    manager: EntityManager,
    messages: readonly RoutedEvent<MessageReceived>[],
  ): Promise<Map<number, AnsweredRow>> {
    const rows = await sql.findAnsweredMessages.rows(manager, {
      positions: messages.map((_, index) => index),
      accountIds: messages.map(({ account }) => account.id),
      modes: messages.map(({ mode }) => mode),
      platformMessageIds: messages.map(({ event }) => event.contextMessageId),
    });
    return new Map(rows.map((row) => [row.position, row]));
  }

  private async findEarly(
    manager: EntityManager,
    messages: readonly RoutedEvent<MessageReceived>[],
    answered: ReadonlyMap<number, AnsweredRow>,
  ): Promise<ReadonlySet<number>> {
    const positions = messages.flatMap(({ event, receivedAt }, index) => {
      const isUnknown = event.contextMessageId !== null && !answered.has(index);
      return isUnknown && Date.now() - receivedAt.getTime() < earlyMaxMs ? [index] : [];
    });
    if (positions.length === 0) return new Set();
    const asked = positions.flatMap((index) => messages[index] ?? []);
    const rows = await sql.findEarlyAnswers.rows(manager, {
      positions,
      accountIds: asked.map(({ account }) => account.id),
      recipients: asked.map(({ event }) => `+${event.from ?? ''}`),
      userIds: asked.map(({ event }) => event.fromUserId),
    });
    return new Set(rows.map(({ position }) => position));
  }
}

/** Whether Meta's own agent answers for the number, see `MessageReceived`. */
const isStandby = ({ event }: RoutedEvent<MessageReceived>) => event.field === 'standby';
