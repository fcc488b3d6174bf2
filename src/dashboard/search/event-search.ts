import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt, timeOfId } from '../../database/ids.js';
import { webhookId } from '../../deliveries/attempts/event-signature.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchScope } from './search-scope.js';

interface FoundDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly account_id: string;
  readonly type: string;
  readonly status: string;
  readonly created_at: Date;
  readonly endpoint_name: string | null;
}

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
    const condition = `d.account_id = any ($1::uuid[])
      and (d.id = $2 or (d.event_id = $2 and d.id >= $3 and d.id < $4))`;
    const columns = 'd.id, d.event_id, d.endpoint_id, d.account_id, d.type, d.created_at';
    const found: FoundDelivery[] = await this.dataSource.query(
      `select f.*, e.name as endpoint_name
       from (select ${columns}, case when d.attempts > d.attempts_before then 'Retrying' else 'Pending' end as status
           from open_events d where ${condition}
         union all select ${columns}, initcap(d.status) from done_events d where ${condition}) f
       left join webhook_endpoints e on e.id = f.endpoint_id
       order by f.id desc limit $5`,
      [
        scope.accountIds,
        eventId,
        firstIdAt(Math.max(0, at - apartMs.before)),
        firstIdAt(at + apartMs.after),
        limit,
      ],
    );
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
