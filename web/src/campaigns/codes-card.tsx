import { Link } from '@tanstack/react-router';
import type { CampaignDetails } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { knownTextOf, meaningOf } from '../parts/failure-meanings.ts';
import { amount } from '../parts/numbers.ts';

/** Why messages of the campaign failed: each code, what it means, and the way to its recipients. */
export function CodesCard({ campaign }: { campaign: CampaignDetails }) {
  const rows = Object.entries(campaign.failures_by_code).toSorted(
    ([, left], [, right]) => right - left,
  );
  const most = rows[0]?.[1] ?? 1;
  return (
    <div className="campaign-codes-card">
      <Card
        title="Failures by code"
        aside={
          rows.length > 0 && <span className="secondary">{amount(campaign.counts.failed)}</span>
        }
      >
        {rows.length === 0 ? (
          <p className="card-body secondary">No message of this campaign has failed.</p>
        ) : (
          <ul className="campaign-codes">
            {rows.map(([code, count]) => (
              <li key={code}>
                {/^\d+$/.test(code) && (
                  <Link
                    className="chip"
                    from="/campaigns/$campaignId"
                    to="."
                    search={(search) => ({ ...search, code, status: undefined })}
                    replace
                    resetScroll={false}
                    aria-label={`Recipients with code ${code}`}
                  >
                    {code}
                  </Link>
                )}
                <div className="grow">
                  <div className="spread">
                    <span title={knownTextOf(code, 'template')?.advice}>
                      {meaningOf(code, 'template')}
                    </span>
                    <b>{amount(count)}</b>
                  </div>
                  <div className="campaign-measure" aria-hidden="true">
                    <span style={{ width: `${(100 * count) / most}%` }} />
                  </div>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
