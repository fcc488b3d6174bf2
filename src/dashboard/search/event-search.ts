import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { webhookId } from '../../deliveries/attempts/event-signature.js';
import { aroundEvent } from '../../deliveries/delivery-matches.js';
import * as sql from './event-search.statements.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchScope } from './search-scope.js';

/** Finds deliveries by their own id, and by the id of the event as receivers see it. */
@Injectable()
export class EventSearch {
  constructor(private readonly dataSource: DataSource) {}

  async find(
    eventId: string | null,
    scope: SearchScope,
    limit: number,
  ): Promise<SearchResultDto[]> {
    if (eventId === null) return [];
    const found = await sql.findDeliveriesOfEvent.rows(this.dataSource, {
      accountIds: scope.accountIds,
      eventId,
      ...aroundEvent(eventId),
      limit,
    });
    return found.map((delivery) => ({
      kind: 'event',
      id: delivery.id,
      title: delivery.type,
      subtitle: scope.subtitle(
        delivery.account_id,
        delivery.status,
        delivery.endpoint_name,
        webhookId(delivery.event_id),
      ),
      mode: delivery.mode,
      at: delivery.created_at,
      href: `/dashboard/webhooks/${delivery.id}`,
    }));
  }
}
