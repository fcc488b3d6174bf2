import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../access/mode.js';
import { newId } from '../database/ids.js';
import { storeEventsSql } from '../events/event-rows.js';
import type { WebhookEvent } from '../events/event-types.js';
import { type EventTarget, listenersIn, listenersOf } from '../events/hearers.js';
import type { EventHint } from '../hints/event-hints.js';

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

/* Endpoints that have been deleted meanwhile get none. */
const addSql = `
  with input as (
    select t.*, e.disabled_at is not null as is_off
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[],
      $8::text[], $9::text[], $10::boolean[])
      as t (id, event_id, endpoint_id, account_id, mode, type, message_id, body, traceparent, is_feed)
    left join webhook_endpoints e on e.id = t.endpoint_id and not t.is_feed
    where t.is_feed or e.id is not null
  ), ${storeEventsSql('input')}
  select distinct endpoint_id as "endpointId",
    floor(extract(epoch from now()) * 1000)::float8 as "dueMs"
  from input where not is_off and not is_feed`;

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
    const column = <T>(pick: (row: (typeof rows)[number]) => T): T[] => rows.map(pick);
    const toWake: EventHint[] = await manager.query(addSql, [
      column(({ id }) => id),
      column(({ eventId }) => eventId),
      column(({ endpointId }) => endpointId),
      column(({ accountId }) => accountId),
      column(({ mode }) => mode),
      column(({ type }) => type),
      column(({ messageId }) => messageId),
      column(({ body }) => body),
      column(({ traceparent }) => traceparent),
      column(({ isFeed }) => isFeed),
    ]);
    return { toWake, ids: column(({ id }) => id) };
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
