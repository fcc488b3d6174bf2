import { Link } from '@tanstack/react-router';
import type { Delivery } from '../api/types.ts';
import { SelectCell, type Selection } from '../lists/selection.tsx';
import { Moment } from '../parts/moment.tsx';
import { ModeBadge, StatusBadge } from '../parts/status-badge.tsx';
import { DeliveryAnswerCell, EventName } from './delivery-answer.tsx';
import { namedEndpoint } from './named-endpoint.ts';

interface DeliveryRowProps {
  readonly delivery: Delivery;
  /** Its name; null where the page is about one account. */
  readonly account: string | null;
  readonly isChosen: boolean;
  readonly selection: Selection<Delivery>;
}

/** One delivery in the list. */
export function DeliveryRow({ delivery, account, isChosen, selection }: DeliveryRowProps) {
  const about = [
    delivery.user,
    delivery.api_key_name ?? 'Deleted key',
    namedEndpoint(delivery),
    account,
  ];
  return (
    <tr data-link data-chosen={isChosen}>
      <SelectCell selection={selection} row={delivery} name={`${delivery.event} ${delivery.id}`} />
      <td className="first-end">
        <StatusBadge status={delivery.status} />
      </td>
      <td className="cell-event">
        <div className="cut">
          <Link
            className="row-link"
            to="/webhooks/$deliveryId"
            params={{ deliveryId: delivery.id }}
            search={(before) => before}
            aria-current={isChosen ? 'true' : undefined}
          >
            <EventName delivery={delivery} />
          </Link>
        </div>
        <div className="small row">
          <span className="cut">{about.filter((name) => name !== null).join(' · ')}</span>
          <ModeBadge mode={delivery.mode} />
        </div>
      </td>
      <td className="cell-answer">
        <DeliveryAnswerCell delivery={delivery} />
      </td>
      <td className="end quiet">
        <Moment at={delivery.created_at} />
      </td>
    </tr>
  );
}
