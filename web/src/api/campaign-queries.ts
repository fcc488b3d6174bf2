import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import { listOptions } from './lists.ts';
import type { FilterOf } from './operations.ts';
import type { ApiKey, Campaign, Mode } from './types.ts';

export const campaignsQuery = (
  accountId: string | null,
  status: Campaign['status'] | undefined,
  mode: Mode | undefined,
) =>
  listOptions(
    ['campaigns', accountId, status, mode],
    '/campaigns',
    () => ({ account_id: accountId, status, mode, limit: 25 }),
    10_000,
  );

/** Campaigns of a key that send or are going to, at most the newest 100 of its account in each state. */
export const activeCampaignsQuery = ({ id, account_id: accountId, mode }: ApiKey) =>
  queryOptions({
    queryKey: ['campaigns', accountId, 'active ones of a key', id],
    queryFn: async () => {
      const pages = await Promise.all(
        (['running', 'scheduled'] as const).map((status) =>
          get('/campaigns', { account_id: accountId, mode, status, limit: 100 }),
        ),
      );
      return pages
        .flatMap(({ campaigns }) => campaigns)
        .filter(({ api_key_id: keyId }) => keyId === id);
    },
    refetchInterval: 10_000,
  });

/** From here on, counting a campaign's recipients is work for the database. */
const large = 20_000;

/** How soon a campaign is read again: while it runs, its counts change all the time; a draft may be started. */
function paceOf(campaign: Pick<Campaign, 'status' | 'counts'> | undefined): number {
  if (campaign?.status === 'draft') return 5_000;
  if (campaign?.status !== 'running') return 15_000;
  return campaign.counts.total > large ? 6_000 : 2_000;
}

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaign', id],
    queryFn: () => get('/campaigns/{id}', { id }),
    refetchInterval: ({ state }) => paceOf(state.data),
  });

/** Reads much of the database: only for a campaign that has ended, and again only when its counts change. */
export const retriesQuery = ({ id, status, counts }: Pick<Campaign, 'id' | 'status' | 'counts'>) =>
  queryOptions({
    queryKey: ['campaign', id, 'retries', counts.failed, counts.cancelled],
    queryFn: () => get('/campaigns/{id}/retries', { id }),
    enabled: status === 'completed' || status === 'cancelled',
    placeholderData: keepPreviousData,
  });

export const estimateQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaign', id, 'estimate'],
    queryFn: () => get('/campaigns/{id}/estimate', { id }),
  });

/** The filters of the recipients. */
export type RecipientFilter = FilterOf<'/campaigns/{id}/recipients', 'status' | 'code' | 'q'>;

export const recipientsQuery = (
  campaign: Pick<Campaign, 'id' | 'status' | 'counts'>,
  filter: RecipientFilter,
) =>
  listOptions(
    ['campaign', campaign.id, 'recipients', filter],
    '/campaigns/{id}/recipients',
    () => ({ id: campaign.id, ...filter, limit: 25 }),
    paceOf(campaign) * 2,
  );
