import type { CampaignCounts } from '../api/types.ts';
import { amount } from '../parts/numbers.ts';
import { wordOf } from '../parts/status-badge.tsx';
import { barOf, legendOf } from './progress.ts';

/** How far a campaign is, as a bar with a part for each status. */
export function ProgressBar({ counts }: { counts: CampaignCounts }) {
  const words = legendOf(counts)
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${wordOf(status)} ${amount(count)}`);
  return (
    <div
      className="campaign-bar"
      role="img"
      aria-label={`Of ${amount(counts.total)}: ${words.join(', ') || 'nobody yet'}`}
    >
      {barOf(counts).map(({ status, count }) => (
        <span
          key={status}
          data-part={status}
          style={{ width: `${(100 * count) / counts.total}%` }}
        />
      ))}
    </div>
  );
}
