import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import { listOptions } from './queries.ts';
import type {
  Campaign,
  CampaignDetails,
  CampaignEstimate,
  CampaignPage,
  CampaignRecipient,
  CampaignRecipientPage,
} from './types.ts';

export const campaignsQuery = (accountId: string | null, status: Campaign['status'] | undefined) =>
  listOptions<CampaignPage>(
    ['campaigns', accountId, status],
    '/campaigns',
    () => ({ account_id: accountId, status, limit: 25 }),
    10_000,
  );

/** How soon a campaign is read again: while it runs, its counts change all the time. */
const paceOf = (status: Campaign['status'] | undefined) => (status === 'running' ? 2_000 : 15_000);

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaign', id],
    queryFn: () => get<CampaignDetails>(`/campaigns/${id}`),
    refetchInterval: ({ state }) => paceOf(state.data?.status),
  });

export const estimateQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaign', id, 'estimate'],
    queryFn: () => get<CampaignEstimate>(`/campaigns/${id}/estimate`),
  });

/** The filters of the recipients. */
export interface RecipientFilter {
  status?: CampaignRecipient['status'];
  code?: string;
}

export const recipientsQuery = (
  { id, status }: Pick<Campaign, 'id' | 'status'>,
  filter: RecipientFilter,
) =>
  listOptions<CampaignRecipientPage>(
    ['campaign', id, 'recipients', filter],
    `/campaigns/${id}/recipients`,
    () => ({ ...filter, limit: 25 }),
    paceOf(status) * 2,
  );
