import { queryOptions } from '@tanstack/react-query';
import { call, get } from './client.ts';
import { type AskedTime, allTimes, listOptions } from './lists.ts';
import type { FilterOf } from './operations.ts';

/** The filters of the deliveries; `q` is what people type. */
export type DeliveryFilter = FilterOf<
  '/webhook-deliveries',
  'key_id' | 'event' | 'status' | 'message_id' | 'endpoint_id' | 'mode' | 'q'
>;

/** What the list of deliveries is asked for. */
export const deliveriesAsked = (
  accountId: string | null,
  filter: DeliveryFilter,
  time: AskedTime,
) => ({ account_id: accountId, ...filter, ...time.ends() });

export const deliveriesQuery = (
  accountId: string | null,
  filter: DeliveryFilter,
  time = allTimes,
) =>
  listOptions(
    ['deliveries', accountId, filter, time.key],
    '/webhook-deliveries',
    () => ({ ...deliveriesAsked(accountId, filter, time), limit: 25 }),
    5_000,
  );

/** How many deliveries match: up to 10,000, and whether these are all. */
export const deliveryCountQuery = (
  accountId: string | null,
  filter: DeliveryFilter,
  time: AskedTime,
) =>
  queryOptions({
    queryKey: ['deliveries', accountId, filter, time.key, 'count'],
    queryFn: async () => {
      const asked = {
        ...deliveriesAsked(accountId, filter, time),
        limit: 1,
        count: 'true' as const,
      };
      const { meta } = (await call('GET', '/webhook-deliveries', asked)).body;
      return { total: meta.total ?? 0, isExact: meta.total_is_exact ?? false };
    },
    refetchInterval: 15_000,
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: () => get('/webhook-deliveries/{id}', { id }),
    refetchInterval: (query) =>
      query.state.data?.delivery.next_attempt_at === null ? false : 2_000,
  });

export const failedEventsQuery = (accountId: string | null) =>
  listOptions(
    ['notifications', accountId],
    '/notifications',
    () => ({ account_id: accountId, state: 'set_aside' }),
    30_000,
  );

export const notificationQuery = (id: string) =>
  queryOptions({
    queryKey: ['notification', id],
    queryFn: () => get('/notifications/{id}', { id }),
  });
