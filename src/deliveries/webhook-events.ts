import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../access/mode.js';
import { newId } from '../database/ids.js';
import type { WebhookEvent } from '../events/event-types.js';
import { type EventTarget, listenersIn, listenersOf } from '../events/hearers.js';
import type { EventHint } from '../hints/event-hints.js';
import * as sql from './webhook-events.statements.js';

/** An event before it is written. */
export interface NewEvent {
  readonly accountId: string;
  readonly mode: Mode;
  readonly type: Exclude<
    WebhookEvent,
    'message.status' | 'campaign.status' | 'alert.raised' | 'alert.resolved'
  >;
  readonly data: object;
  /** The message of ours that was answered, or null. */
  readonly messageId: string | null;
  /** The trace that its deliveries continue: that of the message that was answered; null where there is none. */
  readonly traceparent: string | null;
  /** Who gets the event. */
  readonly targets: readonly EventTarget[];
}

/** What WhatsApp notified of, for endpoints that get it in WhatsApp's own form. */
export interface RelayedEvent extends Omit<NewEvent, 'type' | 'data'> {
  /** `whatsapp.` and the field; `webhook.test`. */
  readonly type: string;
  readonly body: string;
}

/** The result of storing events. */
export interface AddedEvents {
  /** Endpoints that have something to get now. */
  readonly toWake: readonly EventHint[];
  /** One id for each event and endpoint. */
  readonly ids: readonly string[];
}

/** Writes events. The body is serialised here and never again: every attempt sends the same bytes. */
@Injectable()
export class WebhookEvents {
  /** Stores events, one row for each of their targets. */
  async addEvents(
    manager: EntityManager,
    events: readonly (NewEvent | RelayedEvent)[],
  ): Promise<AddedEvents> {
    const rows = events.flatMap((event) => {
      const eventId = newId();
      const body = 'body' in event ? event.body : bodyOf(event);
      return event.targets.map(({ id: endpointId, isFeed }) => ({
        ...event,
        id: newId(),
        eventId,
        endpointId,
        isFeed,
        body,
      }));
    });
    if (rows.length === 0) return { toWake: [], ids: [] };
    const toWake = await sql.addEvents.rows(manager, sql.eventInput.valuesOf(rows));
    return { toWake, ids: rows.map(({ id }) => id) };
  }

  /**
   * Stores news that no message of ours has caused, for everyone who listens in its account and mode and has asked for
   * such events.
   * @returns the endpoints that have something to get now.
   */
  async addForWanting(
    manager: EntityManager,
    type: 'contact.changed' | 'contact.consent' | 'message.echo',
    news: readonly Pick<NewEvent, 'accountId' | 'mode' | 'data'>[],
  ): Promise<readonly EventHint[]> {
    if (news.length === 0) return [];
    const accountIds = news.map(({ accountId }) => accountId);
    const listeners = await listenersOf(manager, accountIds, type);
    const { toWake } = await this.addEvents(
      manager,
      news.map(({ accountId, mode, data }) => ({
        accountId,
        mode,
        type,
        data,
        messageId: null,
        traceparent: null,
        targets: listenersIn({ accountId, mode }, listeners),
      })),
    );
    return toWake;
  }
}

function bodyOf({ type, data }: NewEvent): string {
  return JSON.stringify({ event: type, timestamp: new Date().toISOString(), data });
}
