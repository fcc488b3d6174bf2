import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { retriesQuery } from '../../api/campaign-queries.ts';
import type { Campaign } from '../../api/types.ts';
import { Notice } from '../../parts/notice.tsx';
import { ForChangers } from '../../session/changers.tsx';
import { hopelessWords, openRetriesOf } from './left-words.ts';
import { RetryButton } from './retry-button.tsx';
import { causesOf } from './retry-choice.ts';

/** Who is in a retry that has not ended, and who failed for good. */
export function LeftNotice({ campaign }: { campaign: Campaign }) {
  const retries = useQuery(retriesQuery(campaign)).data;
  if (!retries) return null;
  const causes = causesOf(retries.failed_by_code);
  const hopeless = hopelessWords(causes);
  return (
    <>
      {openRetriesOf(campaign.counts, retries.retries).map(({ id, name, whom, state }) => (
        <Notice key={id} tone="amber" role="status">
          {whom} “{name}”, {state}.{' '}
          <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
            Open it
          </Link>
        </Notice>
      ))}
      {hopeless && (
        <Notice tone="amber" role="status">
          {hopeless}{' '}
          <ForChangers>
            <RetryButton campaign={campaign} left={{ causes, rest: 0 }} isSmall>
              Retry anyway…
            </RetryButton>
          </ForChangers>
        </Notice>
      )}
    </>
  );
}
