import { queryOptions } from '@tanstack/react-query';
import { call, get } from './client.ts';
import { type AskedTime, allTimes, listOptions } from './lists.ts';
import type { FilterOf } from './operations.ts';
import type { ApiRequest } from './types.ts';

/** The filters of the requests. */
export type RequestFilter = FilterOf<
  '/requests',
  'key_id' | 'mode' | 'status' | 'code' | 'refused' | 'route' | 'address'
>;

/** What the list of requests is asked for. */
export const requestsAsked = (
  accountId: string | null,
  filter: RequestFilter,
  time: AskedTime,
) => ({ account_id: accountId, ...filter, ...time.ends() });

export const requestsQuery = (accountId: string | null, filter: RequestFilter, time: AskedTime) =>
  listOptions(
    ['requests', accountId, filter, time.key],
    '/requests',
    () => ({ ...requestsAsked(accountId, filter, time), limit: 25 }),
    5_000,
  );

/** How many requests match: up to 10,000, and whether these are all; and for how many days any are kept. */
export const requestCountQuery = (
  accountId: string | null,
  filter: RequestFilter,
  time: AskedTime = allTimes,
) =>
  queryOptions({
    queryKey: ['requests', accountId, filter, time.key, 'count'],
    queryFn: async () => {
      const asked = { ...requestsAsked(accountId, filter, time), limit: 1, count: 'true' as const };
      const { meta } = (await call('GET', '/requests', asked)).body;
      return {
        total: meta.total ?? 0,
        isExact: meta.total_is_exact ?? false,
        keptDays: meta.kept_days,
      };
    },
    refetchInterval: 15_000,
  });

/** One request, by the id that its caller knows; null where the log does not have it. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: async (): Promise<ApiRequest | null> =>
      (await get('/requests', { request_id: id })).requests[0] ?? null,
    // A request is in the log a second after its answer.
    refetchInterval: ({ state }) => (state.data === null ? 3_000 : false),
  });

/** The redacted body of a request that has one. */
export const keptBodyQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id, 'body'],
    queryFn: () => get('/requests/{request_id}/body', { request_id: id }),
  });
