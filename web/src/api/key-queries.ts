import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';

export const keysQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['keys', accountId],
    queryFn: async () => (await get('/api-keys', { account_id: accountId })).api_keys,
    refetchInterval: 30_000,
  });

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id],
    queryFn: async () => (await get('/api-keys/{id}', { id })).api_key,
    refetchInterval: 15_000,
  });

export const keyUsageQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id, 'usage'],
    queryFn: () => get('/api-keys/{id}/usage', { id }),
    refetchInterval: 5_000,
  });

export const keyMappingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id, 'template-mappings'],
    queryFn: async () => (await get('/api-keys/{id}/template-mappings', { id })).template_mappings,
  });

/** Where the events of a key go, the oldest first. */
export const endpointsQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['key', keyId, 'endpoints'],
    queryFn: async () => (await get('/api-keys/{id}/webhooks', { id: keyId })).webhooks,
    refetchInterval: 15_000,
  });
