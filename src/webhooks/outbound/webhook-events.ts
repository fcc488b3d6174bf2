import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../../api-keys/api-key.entity.js';
import { newId } from '../../database/ids.js';

/** An event before it is written. */
export interface NewEvent {
  readonly accountId: string;
  readonly mode: Mode;
  readonly type: 'message.received' | 'webhook.test';
  readonly data: object;
  /** The message of ours that was answered, or null. */
  readonly messageId: string | null;
  /** The trace that its deliveries continue: that of the message that was answered; null where there is none. */
  readonly traceparent: string | null;
  /** The keys whose endpoints are told. */
  readonly apiKeyIds: readonly string[];
}

/** Writes events. The body is serialised here and never again: every attempt sends the same bytes. */
@Injectable()
export class WebhookEvents {
  /**
   * Stores events with a delivery for each of their endpoints; an endpoint that is switched off gets
   * its delivery as failed, to be recovered later.
   * @returns the keys whose endpoints have something to get now, and the ids of all deliveries.
   */
  async add(
    manager: EntityManager,
    events: readonly NewEvent[],
  ): Promise<{ toWake: string[]; deliveryIds: string[] }> {
    if (events.length === 0) return { toWake: [], deliveryIds: [] };
    const rows = events.map((event) => ({ ...event, id: newId(), body: bodyOf(event) }));
    await manager.query(
      `insert into webhook_events (id, account_id, mode, type, body, traceparent)
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])`,
      [
        rows.map(({ id }) => id),
        rows.map(({ accountId }) => accountId),
        rows.map(({ mode }) => mode),
        rows.map(({ type }) => type),
        rows.map(({ body }) => body),
        rows.map(({ traceparent }) => traceparent),
      ],
    );
    const deliveries = rows.flatMap((event) =>
      event.apiKeyIds.map((apiKeyId) => ({ id: newId(), apiKeyId, event })),
    );
    const added: { id: string; api_key_id: string; status: string }[] = await manager.query(
      `insert into webhook_deliveries (id, event_id, account_id, api_key_id, mode, type, message_id,
         status, next_attempt_at, error, finished_at)
       select t.id, t.event_id, t.account_id, t.api_key_id, t.mode, t.type, t.message_id,
         case when k.webhook_disabled_at is null then 'pending' else 'failed' end,
         case when k.webhook_disabled_at is null then now() end,
         case when k.webhook_disabled_at is not null then 'endpoint_off' end,
         case when k.webhook_disabled_at is not null then now() end
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[])
         as t (id, event_id, account_id, api_key_id, mode, type, message_id)
       join api_keys k on k.id = t.api_key_id
       returning id, api_key_id, status`,
      [
        deliveries.map(({ id }) => id),
        deliveries.map(({ event }) => event.id),
        deliveries.map(({ event }) => event.accountId),
        deliveries.map(({ apiKeyId }) => apiKeyId),
        deliveries.map(({ event }) => event.mode),
        deliveries.map(({ event }) => event.type),
        deliveries.map(({ event }) => event.messageId),
      ],
    );
    return {
      toWake: added.filter(({ status }) => status === 'pending').map((row) => row.api_key_id),
      deliveryIds: added.map(({ id }) => id),
    };
  }
}

function bodyOf({ type, data }: NewEvent): string {
  return JSON.stringify({ event: type, timestamp: new Date().toISOString(), data });
}
