import type { CampaignCounts, CampaignRetries } from '../../api/types.ts';
import { amount, counted, sumOf } from '../../parts/numbers.ts';
import type { RetryCause } from './retry-choice.ts';

type Retry = CampaignRetries['retries'][number];

/** A draft that has some of a campaign's recipients and sends nothing until it is started. */
export interface WaitingDraft extends Pick<Retry, 'id' | 'name'> {
  /** `1 of 3 failed is` */
  readonly whom: string;
}

/** The drafts that were not started, with how many of the failed or of the rest each has. */
export const waitingDraftsOf = (
  counts: Pick<CampaignCounts, 'failed' | 'cancelled'>,
  retries: readonly Retry[],
): WaitingDraft[] =>
  retries
    .filter(({ status }) => status === 'draft')
    .map(({ id, name, total, who }) => {
      const { all, kind } = {
        failed: { all: counts.failed, kind: 'failed' },
        rest: { all: counts.cancelled, kind: 'who got nothing' },
        failed_and_rest: {
          all: counts.failed + counts.cancelled,
          kind: 'who failed or got nothing',
        },
      }[who];
      return {
        id,
        name,
        whom: `${amount(total)} of ${amount(all)} ${kind} ${total === 1 ? 'is' : 'are'}`,
      };
    });

/** Why there is no button to try anybody again; null where another try can help somebody, and where nobody is left. */
export function hopelessWords(causes: readonly RetryCause[]): string | null {
  if (causes.length === 0 || causes.some(({ isHopeful }) => isHopeful)) return null;
  const reasons = causes.map(({ meaning, code }) => `${meaning} (${code})`).join('; ');
  return `Another try most likely cannot help ${counted(sumOf(causes), 'failed recipient')}: ${reasons}.`;
}
