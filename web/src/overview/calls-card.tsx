import { lazy, Suspense } from 'react';
import type { HourlyCalls } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { part } from '../parts/missing-part.ts';
import { Skeleton } from '../parts/skeleton.tsx';

// The chart library is larger than the rest of the page; the totals do not wait for it.
const CallsChart = lazy(part(() => import('./calls-chart.tsx')));

/** Calls of the last 24 hours. */
export function CallsCard({ hours }: { hours: HourlyCalls[] }) {
  return (
    <Card
      title="Calls by hour"
      aside={
        <div className="legend">
          <span style={{ '--swatch': 'var(--bar)' } as React.CSSProperties}>Accepted</span>
          <span style={{ '--swatch': 'var(--bar-refused)' } as React.CSSProperties}>Refused</span>
        </div>
      }
    >
      <div className="chart">
        <Suspense fallback={<Skeleton rows={6} />}>
          <CallsChart hours={hours} height={252} />
        </Suspense>
      </div>
    </Card>
  );
}
