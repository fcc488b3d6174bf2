import type { CampaignCounts, CampaignRetries } from '../../api/types.ts';
import { amount, counted, sumOf } from '../../parts/numbers.ts';
import type { RetryCause } from './retry-choice.ts';

type Retry = CampaignRetries['retries'][number];

/** A retry that has not ended and has some of a campaign's recipients. */
export interface OpenRetry extends Pick<Retry, 'id' | 'name'> {
  /** `1 of 3 failed is in` */
  readonly whom: string;
  /** `which runs` */
  readonly state: string;
}

const stateOf: Partial<Readonly<Record<Retry['status'], string>>> = {
  draft: 'which was not started',
  scheduled: 'which is scheduled',
  running: 'which runs',
  paused: 'which is paused',
};

/** The retries that have not ended, with how many of the failed or of the rest each has. */
export const openRetriesOf = (
  counts: Pick<CampaignCounts, 'failed' | 'cancelled'>,
  retries: readonly Retry[],
): OpenRetry[] =>
  retries.flatMap(({ id, name, status, total, who }) => {
    const state = stateOf[status];
    if (state === undefined) return [];
    const { all, kind } = {
      failed: { all: counts.failed, kind: 'failed' },
      rest: { all: counts.cancelled, kind: 'who got nothing' },
      failed_and_rest: {
        all: counts.failed + counts.cancelled,
        kind: 'who failed or got nothing',
      },
    }[who];
    const isOrAre = total === 1 ? 'is' : 'are';
    const place = status === 'draft' ? 'in the draft' : 'in';
    return [
      { id, name, whom: `${amount(total)} of ${amount(all)} ${kind} ${isOrAre} ${place}`, state },
    ];
  });

/** Why there is no button to try anybody again; null where another try can help somebody, and where nobody is left. */
export function hopelessWords(causes: readonly RetryCause[]): string | null {
  if (causes.length === 0 || causes.some(({ isHopeful }) => isHopeful)) return null;
  const reasons = causes.map(({ meaning, code }) => `${meaning} (${code})`).join('; ');
  return `Another try most likely cannot help ${counted(sumOf(causes), 'failed recipient')}: ${reasons}.`;
}
