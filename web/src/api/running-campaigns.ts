import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import type { Mode } from './types.ts';

// The sidebar needs this on every page; the other queries of campaigns on their own pages only.

/** More running campaigns are not counted. */
export const runningMax = 9;

/** How many campaigns run, at most `runningMax`. */
export const runningCampaignsQuery = (accountId: string | null, mode: Mode | undefined) =>
  queryOptions({
    queryKey: ['campaigns', accountId, 'count of running', mode],
    queryFn: async () =>
      (
        await get('/campaigns', {
          account_id: accountId,
          mode,
          status: 'running',
          limit: runningMax,
        })
      ).campaigns.length,
    refetchInterval: 60_000,
  });
