import { queryOptions } from '@tanstack/react-query';
import { get, pathTo, withQuery } from './client.ts';
import type { ApiKey, KeyUsage, TemplateMapping, WebhookReport } from './types.ts';

export const keysQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['keys', accountId],
    queryFn: async () =>
      (await get<{ api_keys: ApiKey[] }>(withQuery('/api-keys', { account_id: accountId })))
        .api_keys,
    refetchInterval: 30_000,
  });

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id],
    queryFn: async () => (await get<{ api_key: ApiKey }>(pathTo`/api-keys/${id}`)).api_key,
    refetchInterval: 15_000,
  });

export const keyUsageQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id, 'usage'],
    queryFn: () => get<KeyUsage>(pathTo`/api-keys/${id}/usage`),
    refetchInterval: 5_000,
  });

export const keyMappingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id, 'template-mappings'],
    queryFn: async () =>
      (
        await get<{ template_mappings: TemplateMapping[] }>(
          pathTo`/api-keys/${id}/template-mappings`,
        )
      ).template_mappings,
  });

export const webhookReportQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['key', keyId, 'webhook'],
    queryFn: () => get<WebhookReport>(pathTo`/api-keys/${keyId}/webhook`),
    refetchInterval: 15_000,
  });
