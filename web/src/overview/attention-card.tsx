import { Link } from '@tanstack/react-router';
import { allIsWell, MatterList } from '../alerts/matter-line.tsx';
import { useMatters } from '../alerts/use-matters.ts';
import { Card } from '../parts/card.tsx';
import { ListState } from '../parts/query-state.tsx';

/** The rest stands on the page of alerts alone: the figures come below. */
const shownMax = 4;

/** What needs attention: the first of the open ones of the page Alerts. */
export function AttentionCard() {
  const matters = useMatters();
  const count = matters.data?.length ?? 0;
  return (
    <Card
      title="Needs attention"
      aside={
        count > 0 && (
          <span className="badge" data-tone="amber">
            {count}
          </span>
        )
      }
    >
      <ListState query={matters} skeletonRows={2} rows={matters.data} empty={allIsWell}>
        {(shown) => <MatterList matters={shown.slice(0, shownMax)} />}
      </ListState>
      {count > shownMax && (
        <p className="card-body small">
          <Link className="link" to="/alerts">
            All {count}
          </Link>
        </p>
      )}
    </Card>
  );
}
