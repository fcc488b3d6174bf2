import { queryOptions } from '@tanstack/react-query';
import { ApiFailure, get } from './client.ts';
import { type AskedTime, allTimes, listOptions } from './lists.ts';
import type { Asked, FilterOf } from './operations.ts';
import type { Mode, Session } from './types.ts';

/** Who is signed in; null if no user is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await get('/session');
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
  queryFn: async () => (await get('/accounts')).accounts,
  staleTime: 60_000,
});

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['account', id],
    queryFn: async () => (await get('/accounts/{id}', { id })).account,
    refetchInterval: 15_000,
  });

/** What changed of the health of an account's number. */
export const healthHistoryQuery = (accountId: string) =>
  listOptions(
    ['health-history', accountId],
    '/accounts/{id}/health-history',
    () => ({ id: accountId, limit: 20 }),
    15_000,
  );

export const overviewQuery = (accountId: string | null, mode: Mode | undefined) =>
  queryOptions({
    queryKey: ['overview', accountId, mode],
    queryFn: () => get('/overview', { account_id: accountId, mode }),
    refetchInterval: 30_000,
  });

/** What became of the messages of a time: `1h`, `24h`, `7d` or `30d`. */
export const outcomesQuery = (
  accountId: string | null,
  range: Asked<'GET', '/outcomes'>['range'],
  mode: Mode | undefined,
) =>
  queryOptions({
    queryKey: ['outcomes', accountId, range, mode],
    queryFn: () => get('/outcomes', { account_id: accountId, range, mode }),
    refetchInterval: 60_000,
  });

/** Whether an end user has answered, and whether that was delivered: then it is not asked again. */
export const firstReplyQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['first-reply', accountId],
    queryFn: async () => {
      const isThere = async (filter: FilterOf<'/webhook-deliveries', 'status'>) => {
        const asked = { account_id: accountId, event: 'message.received', ...filter, limit: 1 };
        return (await get('/webhook-deliveries', asked)).deliveries.length > 0;
      };
      const isDelivered = await isThere({ status: 'succeeded' });
      return { hasAnswer: isDelivered || (await isThere({})), isDelivered };
    },
    staleTime: ({ state }) => (state.data?.isDelivered ? Number.POSITIVE_INFINITY : 2_000),
    refetchInterval: ({ state }) => (state.data?.isDelivered ? false : 10_000),
  });

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async () => (await get('/users')).users,
});

/** The sessions of a user: one's own, or anybody's for operators. */
export const userSessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['user-sessions', userId],
    queryFn: async () => (await get('/users/{id}/sessions', { id: userId, limit: 100 })).sessions,
  });

/** The filters of the audit log. */
export type AuditFilter = FilterOf<
  '/audit-log',
  'q' | 'account_id' | 'user_id' | 'action' | 'subject_id'
>;

/** What the audit log is asked for. */
export const auditAsked = (filter: AuditFilter, time: AskedTime) => ({
  ...filter,
  ...time.ends(),
});

export const auditQuery = (filter: AuditFilter, time = allTimes) =>
  listOptions(
    ['audit-log', filter, time.key],
    '/audit-log',
    () => ({ ...auditAsked(filter, time), limit: 50 }),
    15_000,
  );

/** Alerts that are over, the newest first. */
export const resolvedAlertsQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['alerts', accountId, 'resolved'],
    queryFn: async () =>
      (await get('/alerts', { account_id: accountId, state: 'resolved' })).alerts,
    refetchInterval: 30_000,
  });
