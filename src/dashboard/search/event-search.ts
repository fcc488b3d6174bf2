import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt, timeOfId } from '../../database/ids.js';
import { webhookId } from '../../deliveries/attempts/event-signature.js';
import * as sql from './event-search.statements.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchScope } from './search-scope.js';

/**
 * A delivery is stored with its event, and its id is made right after that of the event. So an event is found among the
 * deliveries with ids of about its time, and needs no index.
 */
const apartMs = { before: 1_000, after: 5_000 };

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
    const at = timeOfId(eventId);
    const found = await sql.findDeliveriesOfEvent.rows(this.dataSource, {
      accountIds: scope.accountIds,
      eventId,
      firstId: firstIdAt(Math.max(0, at - apartMs.before)),
      endId: firstIdAt(at + apartMs.after),
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
      at: delivery.created_at,
      href: `/dashboard/webhooks/${delivery.id}`,
    }));
  }
}
