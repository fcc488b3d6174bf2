import { useQuery } from '@tanstack/react-query';
import { type DeliveryFilter, deliveryCountQuery } from '../api/delivery-queries.ts';
import type { AskedTime } from '../api/lists.ts';
import { MatchCount } from '../lists/match-count.tsx';
import { usePlace } from '../session/session.tsx';

/** How many deliveries match. */
export function MatchLine({ filter, time }: { filter: DeliveryFilter; time: AskedTime }) {
  const { accountId } = usePlace();
  const found = useQuery(deliveryCountQuery(accountId, filter, time)).data;
  return (
    <p className="match-line" aria-live="polite">
      {found ? <MatchCount found={found} /> : <span className="quiet">Counting …</span>}
    </p>
  );
}
