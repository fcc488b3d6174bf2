import { Link } from '@tanstack/react-router';
import type { Delivery } from '../api/types.ts';
import { Table } from '../lists/table.tsx';
import { Moment } from '../parts/moment.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { DeliveryAnswerCell, EventName } from './delivery-answer.tsx';
import { namedEndpoint } from './named-endpoint.ts';

/** Deliveries in short, for a card about something else: event, status, answer, time. */
export function DeliveryTable(props: {
  caption?: string;
  deliveries: readonly Delivery[];
  /** What the page of a delivery shows next to it: those of this key. */
  search: { key: string };
}) {
  return (
    <Table
      {...(props.caption && { caption: props.caption })}
      heads={['Event', 'Status', 'Answer', ['At', 'end']]}
    >
      {props.deliveries.map((delivery) => (
        <tr key={delivery.id} data-link>
          <td className="cut" style={{ maxWidth: 280 }}>
            <Link
              className="row-link"
              to="/webhooks/$deliveryId"
              params={{ deliveryId: delivery.id }}
              search={props.search}
            >
              <EventName delivery={delivery} />
            </Link>
            {namedEndpoint(delivery) && (
              <div className="small cut">to {namedEndpoint(delivery)}</div>
            )}
          </td>
          <td className="first-end">
            <StatusBadge status={delivery.status} />
          </td>
          <td>
            <DeliveryAnswerCell delivery={delivery} />
          </td>
          <td className="end quiet">
            <Moment at={delivery.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
