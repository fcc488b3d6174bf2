import { allIsWell, MatterList } from '../alerts/matter-line.tsx';
import { useMatters } from '../alerts/use-matters.ts';
import { Card } from '../parts/card.tsx';
import { ListState } from '../parts/query-state.tsx';

/** What needs attention: the open ones of the page Alerts. */
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
        {(shown) => <MatterList matters={shown} />}
      </ListState>
    </Card>
  );
}
