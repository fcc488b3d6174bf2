import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiFailure, get, withQuery } from './client.ts';
import type {
  Account,
  ApiKey,
  KeyUsage,
  MessageDetails,
  MessagePage,
  Overview,
  Session,
} from './types.ts';

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await get<Session>('/session');
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'UNAUTHENTICATED') return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** All accounts; for operators. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: async () => (await get<{ accounts: Account[] }>('/accounts')).accounts,
  staleTime: 60_000,
});

export const overviewQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['overview', accountId],
    queryFn: () => get<Overview>(withQuery('/overview', { account_id: accountId })),
    refetchInterval: 30_000,
  });

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
    queryFn: async () => (await get<{ api_key: ApiKey }>(`/api-keys/${id}`)).api_key,
  });

export const keyUsageQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id, 'usage'],
    queryFn: () => get<KeyUsage>(`/api-keys/${id}/usage`),
    refetchInterval: 5_000,
  });

/** Which messages are asked for, as they stand in the address of the page. */
export interface MessageFilter {
  status?: string;
  key_id?: string;
  type?: string;
  to?: string;
  reference?: string;
}

export const messagesQuery = (accountId: string | null, filter: MessageFilter) =>
  infiniteQueryOptions({
    queryKey: ['messages', accountId, filter],
    queryFn: ({ pageParam }) =>
      get<MessagePage>(
        withQuery('/messages', { account_id: accountId, ...filter, limit: 25, cursor: pageParam }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: 5_000,
  });

const settled = new Set(['read', 'failed']);

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id],
    queryFn: () => get<MessageDetails>(`/messages/${id}`),
    refetchInterval: (query) => {
      const message = query.state.data;
      if (!message || settled.has(message.status)) return false;
      const ageMs = Date.now() - Date.parse(message.created_at);
      return ageMs < 5 * 60_000 ? 1_000 : false;
    },
  });
