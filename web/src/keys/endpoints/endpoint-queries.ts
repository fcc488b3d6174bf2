import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';

/** Where the events of a key go, the oldest first. */
export const endpointsQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['key', keyId, 'endpoints'],
    queryFn: async () => (await get('/api-keys/{id}/webhooks', { id: keyId })).webhooks,
    refetchInterval: 15_000,
  });
