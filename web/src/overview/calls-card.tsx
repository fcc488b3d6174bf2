import { Link } from '@tanstack/react-router';
import type { HourlyCalls } from '../api/types.ts';
import CallsChart from '../parts/calls-chart.tsx';
import { Card } from '../parts/card.tsx';

/** Calls of the last 24 hours. */
export function CallsCard({ hours }: { hours: HourlyCalls[] }) {
  return (
    <Card
      title="Calls by hour"
      aside={
        <div className="legend">
          <span style={{ '--swatch': 'var(--bar)' } as React.CSSProperties}>Accepted</span>
          <span style={{ '--swatch': 'var(--bar-refused)' } as React.CSSProperties}>
            <Link to="/requests" search={{ result: 'refused', range: '24h' }}>
              Refused
            </Link>
          </span>
        </div>
      }
    >
      <div className="chart">
        <CallsChart hours={hours} height={252} />
      </div>
    </Card>
  );
}
