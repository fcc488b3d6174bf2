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
import { amount } from '../../parts/numbers.ts';
import { copyOf } from '../campaign-words.ts';
import type { RetryOfCauses } from './retry-choice.ts';
import { RetryQuestion } from './retry-question.tsx';

type Again = RetryOfCauses | 'rest' | 'copy';

/** What can follow a campaign that has ended: each makes a draft and opens it, and nothing is sent before its start. */
export function CampaignAgain({ campaign }: { campaign: Campaign }) {
  const { id } = campaign;
  const retries = useQuery(retriesQuery(campaign)).data;
  const reread = useReread();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
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
  const button = (again: 'rest' | 'copy', icon: React.ReactNode, text: string) => (
    <Button
      leftSection={icon}
      loading={make.isPending && make.variables === again}
      onClick={() => make.mutate(again)}
    >
      {text}
    </Button>
  );
  return (
    <>
      {make.error && !isAsked && (
        <span className="small wrong" role="alert">
          {make.error.message}
        </span>
      )}
      {retries && retries.failed > 0 && (
        <Button
          leftSection={<IconRefresh size={16} />}
          onClick={() => {
            make.reset();
            setAsked(true);
          }}
        >
          Retry the failed ({amount(retries.failed)})…
        </Button>
      )}
      {retries &&
        retries.rest > 0 &&
        button(
          'rest',
          <IconPlayerTrackNext size={16} />,
          `Send to the rest (${amount(retries.rest)})`,
        )}
      {button('copy', <IconCopy size={16} />, 'Duplicate')}
      <RetryQuestion
        isAsked={isAsked}
        failedByCode={retries?.failed_by_code ?? {}}
        isPending={make.isPending}
        error={make.error}
        onKeep={() => setAsked(false)}
        onGo={(chosen) => make.mutate(chosen)}
      />
    </>
  );
}
