import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveriesQuery } from '../api/queries.ts';
import type { MessageDetails } from '../api/types.ts';
import { DeliveryTable } from '../deliveries/delivery-table.tsx';
import { Card } from '../parts/card.tsx';
import { ListState } from '../parts/query-state.tsx';

/** The events about a message and the answers to it, for the key's webhook. */
export function DeliveriesCard({ message }: { message: MessageDetails }) {
  const filter = { message_id: message.message_id };
  const deliveries = useInfiniteQuery(deliveriesQuery(message.account_id, filter));
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Card
      title="Webhook deliveries"
      aside={
        rows.length > 0 && (
          <Link to="/webhooks" search={{ message: message.message_id }}>
            View all {rows.length}
          </Link>
        )
      }
    >
      <ListState
        query={deliveries}
        skeletonRows={2}
        rows={rows}
        empty="None. Parley delivers an event when the status changes or the end user replies, if the key has a webhook for such events."
      >
        {() => (
          <div className="table-box">
            <DeliveryTable deliveries={rows} search={{ message: message.message_id }} />
          </div>
        )}
      </ListState>
    </Card>
  );
}
