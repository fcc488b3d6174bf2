import { queryOptions } from '@tanstack/react-query';
import { get, pathTo } from '../../api/client.ts';
import type { Endpoint } from '../../api/types.ts';

/** Where the events of a key go, the oldest first. */
export const endpointsQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['key', keyId, 'endpoints'],
    queryFn: async () =>
      (await get<{ webhooks: Endpoint[] }>(pathTo`/api-keys/${keyId}/webhooks`)).webhooks,
    refetchInterval: 15_000,
  });
