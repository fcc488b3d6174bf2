import { Button } from '@mantine/core';
import { IconCopy, IconPlayerTrackNext, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { retriesQuery } from '../../api/campaign-queries.ts';
import { call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { Campaign, NewCampaignDraft } from '../../api/types.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { amount, counted } from '../../parts/numbers.ts';
import { Question } from '../../parts/question.tsx';
import { copyOf } from '../campaign-words.ts';
import { causesOf, type RetryOfCauses, restWords, retryLabel } from './retry-choice.ts';
import { RetryQuestion } from './retry-question.tsx';

type Again = RetryOfCauses | 'rest' | 'copy';

/** What can follow a campaign that has ended: each makes a draft and opens it, and nothing is sent before its start. */
export function CampaignAgain({ campaign }: { campaign: Campaign }) {
  const { id } = campaign;
  const retries = useQuery(retriesQuery(campaign)).data;
  const reread = useReread();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'failed' | 'rest' | null>(null);
  const make = useGuardedMutation({
    mutationFn: (again: Again) =>
      again === 'copy'
        ? call('POST', '/campaigns', null, copyOf(campaign) satisfies NewCampaignDraft)
        : call('POST', '/campaigns/{id}/retry', { id }, again === 'rest' ? { who: again } : again),
    // Where it was refused, somebody else has tried them again meanwhile: the page shows it.
    onError: () => reread(['campaign', id]),
    onSuccess: async ({ data: draft }) => {
      await reread(['campaign', id], ['campaigns']);
      await navigate({ to: '/campaigns/$draftId/draft', params: { draftId: draft.id } });
    },
  });
  const ask = (about: 'failed' | 'rest') => {
    make.reset();
    setAsked(about);
  };
  return (
    <>
      {make.error && asked === null && (
        <span className="small wrong" role="alert">
          {make.error.message}
        </span>
      )}
      {retries && retries.failed > 0 && (
        <Button leftSection={<IconRefresh size={16} />} onClick={() => ask('failed')}>
          {retryLabel(causesOf(retries.failed_by_code))}
        </Button>
      )}
      {retries && retries.rest > 0 && (
        <Button leftSection={<IconPlayerTrackNext size={16} />} onClick={() => ask('rest')}>
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
        isAsked={asked === 'rest'}
        title="Send to the rest?"
        go={`Make a draft of ${counted(retries?.rest ?? 0, 'recipient')}`}
        isPending={make.isPending}
        error={make.error}
        onKeep={() => setAsked(null)}
        onGo={() => make.mutate('rest')}
      >
        <p>{restWords(retries?.rest ?? 0)}</p>
      </Question>
      <RetryQuestion
        isAsked={asked === 'failed'}
        failedByCode={retries?.failed_by_code ?? {}}
        isPending={make.isPending}
        error={make.error}
        onKeep={() => setAsked(null)}
        onGo={(chosen) => make.mutate(chosen)}
      />
    </>
  );
}
