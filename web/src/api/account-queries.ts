import { queryOptions } from '@tanstack/react-query';
import { ApiFailure, get, pathTo, withQuery } from './client.ts';
import { type AskedTime, allTimes, listOptions } from './lists.ts';
import type {
  Account,
  Alert,
  AuditPage,
  DeliveryPage,
  HealthHistory,
  Mode,
  Outcomes,
  Overview,
  Session,
  User,
  UserSession,
} from './types.ts';

/** Who is signed in; null if no user is. */
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

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['account', id],
    queryFn: async () => (await get<{ account: Account }>(pathTo`/accounts/${id}`)).account,
    refetchInterval: 15_000,
  });

/** What changed of the health of an account's number. */
export const healthHistoryQuery = (accountId: string) =>
  listOptions<HealthHistory>(
    ['health-history', accountId],
    pathTo`/accounts/${accountId}/health-history`,
    () => ({ limit: 20 }),
    15_000,
  );

export const overviewQuery = (accountId: string | null, mode: Mode | undefined) =>
  queryOptions({
    queryKey: ['overview', accountId, mode],
    queryFn: () => get<Overview>(withQuery('/overview', { account_id: accountId, mode })),
    refetchInterval: 30_000,
  });

/** What became of the messages of a time: `1h`, `24h`, `7d` or `30d`. */
export const outcomesQuery = (accountId: string | null, range: string, mode: Mode | undefined) =>
  queryOptions({
    queryKey: ['outcomes', accountId, range, mode],
    queryFn: () => get<Outcomes>(withQuery('/outcomes', { account_id: accountId, range, mode })),
    refetchInterval: 60_000,
  });

/** Whether an end user has answered, and whether that was delivered: then it is not asked again. */
export const firstReplyQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['first-reply', accountId],
    queryFn: async () => {
      const isThere = async (status?: string) => {
        const asked = { account_id: accountId, event: 'message.received', status, limit: 1 };
        const path = withQuery('/webhook-deliveries', asked);
        return (await get<DeliveryPage>(path)).deliveries.length > 0;
      };
      const isDelivered = await isThere('succeeded');
      return { hasAnswer: isDelivered || (await isThere()), isDelivered };
    },
    staleTime: ({ state }) => (state.data?.isDelivered ? Number.POSITIVE_INFINITY : 2_000),
    refetchInterval: ({ state }) => (state.data?.isDelivered ? false : 10_000),
  });

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async () => (await get<{ users: User[] }>('/users')).users,
});

/** The sessions of a user: one's own, or anybody's for operators. */
export const userSessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['user-sessions', userId],
    queryFn: async () =>
      (await get<{ sessions: UserSession[] }>(pathTo`/users/${userId}/sessions?limit=100`))
        .sessions,
  });

/** The filters of the audit log. */
export interface AuditFilter {
  q?: string;
  account_id?: string;
  user_id?: string;
  action?: string;
  subject_id?: string;
}

/** What the audit log is asked for. */
export const auditAsked = (filter: AuditFilter, time: AskedTime) => ({
  ...filter,
  ...time.ends(),
});

export const auditQuery = (filter: AuditFilter, time = allTimes) =>
  listOptions<AuditPage>(
    ['audit-log', filter, time.key],
    '/audit-log',
    () => ({ ...auditAsked(filter, time), limit: 50 }),
    15_000,
  );

/** Alerts that are over, the newest first. */
export const resolvedAlertsQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['alerts', accountId, 'resolved'],
    queryFn: async () => {
      const asked = { account_id: accountId, state: 'resolved' };
      return (await get<{ alerts: Alert[] }>(withQuery('/alerts', asked))).alerts;
    },
    refetchInterval: 30_000,
  });
