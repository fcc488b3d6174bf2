import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { keyUsageQuery } from '../api/key-queries.ts';
import type { ApiKey, KeyUsage, WindowUsage } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { Moment } from '../parts/moment.tsx';
import { amount, counted } from '../parts/numbers.ts';
import { QueryState } from '../parts/query-state.tsx';
import { duration } from '../parts/times.ts';

const CallsChart = lazy(() => import('../parts/calls-chart.tsx'));

/** What the key used of its minute and its day, and its calls by hour. */
export function UsageCard({ apiKey }: { apiKey: ApiKey }) {
  const usage = useQuery(keyUsageQuery(apiKey.id));
  return (
    <Card
      title="Usage"
      aside={
        <span className="secondary">
          {usage.data?.last_used_at ? (
            <>
              Last call <Moment at={usage.data.last_used_at} ago />
              {usage.data.last_used_address && ` from ${usage.data.last_used_address}`}
            </>
          ) : (
            'Never used'
          )}
        </span>
      }
    >
      <QueryState query={usage} skeletonRows={3}>
        {(data) => (
          <>
            <div className="windows">
              <Window name="This minute" usage={data.minute} />
              <Window name="Today, UTC" usage={data.day} />
            </div>
            <p className="small usage-calls">
              The limits count accepted requests, and in the day also each message of a campaign.
              Calls are all requests of the key to the API, refused ones too, of the last 24 hours.
            </p>
            <p className="usage-calls secondary">
              {counted(sumOf(data, 'calls'), 'call')} in 24 hours, {amount(sumOf(data, 'refused'))}{' '}
              <Link to="/requests" search={{ key: apiKey.id, result: 'refused', range: '24h' }}>
                refused
              </Link>
              {' · '}
              <Link to="/requests" search={{ key: apiKey.id }}>
                Show its requests
              </Link>
            </p>
            <div className="chart" style={{ height: 176, borderTop: '1px solid var(--line)' }}>
              <Suspense fallback={null}>
                <CallsChart hours={data.calls_by_hour} height={152} keyId={apiKey.id} />
              </Suspense>
            </div>
          </>
        )}
      </QueryState>
    </Card>
  );
}

const sumOf = ({ calls_by_hour: hours }: KeyUsage, figure: 'calls' | 'refused') =>
  hours.reduce((sum, hour) => sum + hour[figure], 0);

function Window({ name, usage }: { name: string; usage: WindowUsage }) {
  const leftMs = Math.max(0, Date.parse(usage.reset_at) - Date.now());
  return (
    <div>
      <div className="spread">
        <span className="quiet">{name}</span>
        <span className="quiet">
          <b style={{ color: 'var(--text-1)' }}>{amount(usage.used)}</b> of {amount(usage.limit)}
        </span>
      </div>
      <div className="measure" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (usage.used / usage.limit) * 100)}%` }} />
      </div>
      <div className="small">Resets in {duration(leftMs)}</div>
    </div>
  );
}
