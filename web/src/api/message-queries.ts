import { queryOptions } from '@tanstack/react-query';
import { minuteMs } from '../../../libs/durations/index.ts';
import { call, get } from './client.ts';
import { type AskedTime, listOptions } from './lists.ts';
import type { FilterOf } from './operations.ts';
import type { Mode } from './types.ts';

/** The filters of the messages. */
export type MessageFilter = FilterOf<
  '/messages',
  'status' | 'key_id' | 'type' | 'mode' | 'error_code' | 'resent' | 'q'
>;

/** What the list of messages is asked for. */
export function messagesAsked(accountId: string | null, filter: MessageFilter, time: AskedTime) {
  const { from, to } = time.ends();
  return { account_id: accountId, ...filter, created_after: from, created_before: to };
}

export const messagesQuery = (accountId: string | null, filter: MessageFilter, time: AskedTime) =>
  listOptions(
    ['messages', accountId, filter, time.key],
    '/messages',
    () => ({ ...messagesAsked(accountId, filter, time), limit: 25 }),
    5_000,
  );

/** How many messages match: up to 10,000, and whether these are all. */
export const messageCountQuery = (
  accountId: string | null,
  filter: MessageFilter,
  time: AskedTime,
) =>
  queryOptions({
    queryKey: ['messages', accountId, filter, time.key, 'count'],
    queryFn: async () => {
      const asked = { ...messagesAsked(accountId, filter, time), limit: 1, count: 'true' as const };
      const { meta } = (await call('GET', '/messages', asked)).body;
      return { total: meta.total ?? 0, isExact: meta.total_is_exact ?? false };
    },
    refetchInterval: 15_000,
  });

const settled = new Set(['read', 'failed']);

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id],
    queryFn: () => get('/messages/{uuid}', { uuid: id }),
    refetchInterval: (query) => {
      const message = query.state.data;
      if (!message || settled.has(message.status)) return false;
      const ageMs = Date.now() - Date.parse(message.created_at);
      return ageMs < 5 * minuteMs ? 1_000 : false;
    },
  });

/** The filters of the contacts. */
export type ContactFilter = FilterOf<'/contacts', 'search' | 'mode' | 'opted_out'>;

export const contactsQuery = (accountId: string | null, filter: ContactFilter) =>
  listOptions(
    ['contacts', accountId, filter],
    '/contacts',
    () => ({ account_id: accountId, ...filter, limit: 25 }),
    15_000,
  );

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id],
    queryFn: async () => (await get('/contacts/{id}', { id })).contact,
    refetchInterval: 15_000,
  });

/** Whether messages that are no templates reach a number now. */
export const windowQuery = (accountId: string, mode: Mode, phone: string) =>
  queryOptions({
    queryKey: ['window', accountId, mode, phone],
    queryFn: () => get('/contacts/window', { account_id: accountId, mode, phone }),
    refetchInterval: 15_000,
  });
