import { Button } from '@mantine/core';
import { IconCopy, IconPlayerTrackNext } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { retriesQuery } from '../../api/campaign-queries.ts';
import type { Campaign } from '../../api/types.ts';
import { amount, counted } from '../../parts/numbers.ts';
import { Question } from '../../parts/question.tsx';
import { RetryButton } from './retry-button.tsx';
import { causesOf, hopefulOf, restWords, retryLabel } from './retry-choice.ts';
import { useAgain } from './use-again.ts';

/** What can follow a campaign that has ended: each makes a draft and opens it, and nothing is sent before its start. */
export function CampaignAgain({ campaign }: { campaign: Campaign }) {
  const retries = useQuery(retriesQuery(campaign)).data;
  const [isRestAsked, setRestAsked] = useState(false);
  const make = useAgain(campaign);
  const causes = causesOf(retries?.failed_by_code ?? {});
  return (
    <>
      {make.error && !isRestAsked && (
        <span className="small wrong" role="alert">
          {make.error.message}
        </span>
      )}
      {/* Where another try can help nobody, the page says so instead. */}
      {retries && hopefulOf(causes).length > 0 && (
        <RetryButton campaign={campaign} failedByCode={retries.failed_by_code}>
          {retryLabel(causes)}
        </RetryButton>
      )}
      {retries && retries.rest > 0 && (
        <Button
          leftSection={<IconPlayerTrackNext size={16} />}
          onClick={() => {
            make.reset();
            setRestAsked(true);
          }}
        >
          Send to the rest ({amount(retries.rest)})…
        </Button>
      )}
      <Button
        leftSection={<IconCopy size={16} />}
        loading={make.isPending && make.variables === 'copy'}
        onClick={() => make.mutate('copy')}
      >
        Duplicate
      </Button>
      <Question
        isAsked={isRestAsked}
        title="Send to the rest?"
        go={`Make a draft of ${counted(retries?.rest ?? 0, 'recipient')}`}
        isPending={make.isPending}
        error={make.error}
        onKeep={() => setRestAsked(false)}
        onGo={() => make.mutate('rest')}
      >
        <p>{restWords(retries?.rest ?? 0)}</p>
      </Question>
    </>
  );
}
