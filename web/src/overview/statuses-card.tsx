import { Link } from '@tanstack/react-router';
import type { Overview } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { amount, share } from '../parts/numbers.ts';
import { wordOf } from '../parts/status-badge.tsx';
import { duration } from '../parts/times.ts';
import { statusShares } from './status-shares.ts';

/** Messages of the last 24 hours by their present status, and what still waits. */
export function StatusesCard({ overview }: { overview: Overview }) {
  const shown = statusShares(overview.messages_by_status);
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  const { queued, oldest_age_seconds: age } = overview.queue;
  return (
    <Card title="Messages by status">
      <div className="card-body">
        {total > 0 && (
          <div className="shares" aria-hidden="true">
            {shown
              .filter(({ count }) => count > 0)
              .map(({ status, color, count }) => (
                <span key={status} style={{ background: color, flexGrow: count }} />
              ))}
          </div>
        )}
        {shown.map(({ status, color, count }) => (
          <div key={status} className="share">
            <i style={{ background: color }} aria-hidden="true" />
            <Link to="/messages" search={{ status, range: '24h' }}>
              {wordOf(status)}
            </Link>
            <span className="end">{amount(count)}</span>
            <span className="end quiet">{share(count, total)}</span>
          </div>
        ))}
      </div>
      {total > 0 && (
        <p className="table-foot quiet">
          Shares of all messages of the last 24 hours, also of those that wait
        </p>
      )}
      {overview.fallbacks_last_24h > 0 && (
        <div className="table-foot">
          <span className="quiet">Sent as a fallback template</span>
          <span>{amount(overview.fallbacks_last_24h)}</span>
        </div>
      )}
      <div className="table-foot">
        <span className="quiet">Waiting to send</span>
        {queued === 0 ? (
          <span>None</span>
        ) : (
          <Link to="/messages" search={{ status: 'queued' }}>
            {amount(queued)} · oldest {duration(age * 1_000)}
          </Link>
        )}
      </div>
    </Card>
  );
}
