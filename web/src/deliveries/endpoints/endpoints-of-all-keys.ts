import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { Mode } from '../../api/types.ts';

/** All endpoints with their health, those that need attention first. */
export const endpointsOfAllKeys = (accountId: string | null, mode: Mode | undefined) =>
  queryOptions({
    queryKey: ['endpoints', accountId, mode],
    queryFn: async () =>
      (await get('/webhook-endpoints', { account_id: accountId, mode })).endpoints,
    refetchInterval: 15_000,
  });
