import { Button } from '@mantine/core';
import { IconCopy, IconPlayerTrackNext, IconRefresh } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { call, pathTo } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Campaign, NewCampaignDraft } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { amount } from '../parts/numbers.ts';
import { copyOf } from './campaign-words.ts';

type Again = 'failed' | 'rest' | 'copy';

/** What can follow a campaign that has ended: each makes a draft and opens it, and nothing is sent before its start. */
export function CampaignAgain({ campaign }: { campaign: Campaign }) {
  const { id, counts, status } = campaign;
  const reread = useReread();
  const navigate = useNavigate();
  const make = useGuardedMutation({
    mutationFn: (again: Again) =>
      again === 'copy'
        ? call<Campaign>('POST', '/campaigns', copyOf(campaign) satisfies NewCampaignDraft)
        : call<Campaign>('POST', pathTo`/campaigns/${id}/retry`, { who: again }),
    onSuccess: async ({ data: draft }) => {
      await reread(['campaigns']);
      await navigate({ to: '/campaigns/$draftId/draft', params: { draftId: draft.id } });
    },
  });
  const button = (again: Again, icon: React.ReactNode, text: string) => (
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
      {make.error && (
        <span className="small wrong" role="alert">
          {make.error.message}
        </span>
      )}
      {counts.failed > 0 &&
        button('failed', <IconRefresh size={16} />, `Retry the failed (${amount(counts.failed)})`)}
      {status === 'cancelled' &&
        counts.cancelled > 0 &&
        button(
          'rest',
          <IconPlayerTrackNext size={16} />,
          `Send to the rest (${amount(counts.cancelled)})`,
        )}
      {button('copy', <IconCopy size={16} />, 'Duplicate')}
    </>
  );
}
