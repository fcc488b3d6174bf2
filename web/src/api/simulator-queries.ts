import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import { conversationPace } from './conversation-pace.ts';

/** The sandbox phones that have a conversation with the account. */
export const phonesQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['phones', accountId],
    queryFn: async () => (await get('/simulator/phones', { account_id: accountId })).phones,
    refetchInterval: 30_000,
  });

/** Who has a phone of the simulator, and what they want from a business number; default: that of the account. */
export const simulatorUserQuery = (phone: string, numberId: string | undefined) =>
  queryOptions({
    queryKey: ['simulator-user', phone, numberId ?? null],
    queryFn: async () => {
      const asked = { phone, phone_number_id: numberId ?? null };
      return (await get('/simulator/user', asked)).user;
    },
    refetchInterval: 30_000,
  });

/** One phone's conversation, and the events about it. */
export const conversationQuery = (accountId: string | null, phone: string) =>
  queryOptions({
    queryKey: ['conversation', accountId, phone],
    queryFn: () => get('/simulator/conversation', { account_id: accountId, phone }),
    refetchInterval: conversationPace,
  });
