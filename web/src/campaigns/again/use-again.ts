import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { Campaign, NewCampaignDraft } from '../../api/types.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { copyOf } from '../campaign-words.ts';
import type { RetryRequest } from './retry-choice.ts';

/** Makes a draft of a campaign that has ended, and opens it. */
export function useAgain(campaign: Campaign) {
  const { id } = campaign;
  const reread = useReread();
  const navigate = useNavigate();
  return useGuardedMutation({
    mutationFn: (again: RetryRequest | 'copy') =>
      again === 'copy'
        ? call('POST', '/campaigns', null, copyOf(campaign) satisfies NewCampaignDraft)
        : call('POST', '/campaigns/{id}/retry', { id }, again),
    // Where it was refused, somebody else has tried them again meanwhile: the page shows it.
    onError: () => reread(['campaign', id]),
    onSuccess: async ({ data: draft }) => {
      await reread(['campaign', id], ['campaigns']);
      await navigate({ to: '/campaigns/$draftId/draft', params: { draftId: draft.id } });
    },
  });
}
