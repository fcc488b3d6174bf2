import { queryOptions } from '@tanstack/react-query';
import { get, pathTo } from './client.ts';
import { type AskedTime, allTimes, listOptions } from './lists.ts';
import type {
  DeliveryAnswer,
  DeliveryPage,
  NotificationDetail,
  NotificationPage,
} from './types.ts';

/** The filters of the deliveries. */
export interface DeliveryFilter {
  key_id?: string;
  event?: string;
  status?: string;
  message_id?: string;
  endpoint_id?: string;
  mode?: string;
  /** As people type it. */
  q?: string;
}

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
  listOptions<DeliveryPage>(
    ['deliveries', accountId, filter, time.key],
    '/webhook-deliveries',
    () => ({ ...deliveriesAsked(accountId, filter, time), limit: 25 }),
    5_000,
  );

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: () => get<DeliveryAnswer>(pathTo`/webhook-deliveries/${id}`),
    refetchInterval: (query) =>
      query.state.data?.delivery.next_attempt_at === null ? false : 2_000,
  });

export const failedEventsQuery = (accountId: string | null) =>
  listOptions<NotificationPage>(
    ['notifications', accountId],
    '/notifications',
    () => ({ account_id: accountId, state: 'set_aside' }),
    30_000,
  );

export const notificationQuery = (id: string) =>
  queryOptions({
    queryKey: ['notification', id],
    queryFn: () => get<NotificationDetail>(pathTo`/notifications/${id}`),
  });
