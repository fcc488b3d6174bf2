import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiFailure, call, get, withQuery } from './client.ts';
import type {
  Account,
  Alert,
  ApiKey,
  AuditPage,
  ContactDetails,
  ContactPage,
  ContactWindow,
  DeliveryAnswer,
  DeliveryPage,
  HealthHistory,
  KeyUsage,
  MessageDetails,
  MessagePage,
  Mode,
  NotificationDetail,
  NotificationPage,
  Outcomes,
  Overview,
  Session,
  Template,
  TemplateAnswer,
  TemplateMapping,
  TemplatePage,
  User,
  UserSession,
  WebhookReport,
} from './types.ts';

/** Which time a list is asked for. */
export interface AskedTime {
  /** The same for the same choice, however late it is. */
  readonly key: unknown;
  /** The two ends at this moment, ISO 8601. */
  readonly ends: () => { from?: string; to?: string };
}

export const allTimes: AskedTime = { key: null, ends: () => ({}) };

/** A list that is read page by page. */
export const listOptions = <Page extends { next_cursor: string | null }>(
  queryKey: readonly unknown[],
  path: string,
  /** Read again for each page: the ends of a period move with the clock. */
  asked: () => Parameters<typeof withQuery>[1],
  refetchInterval: number,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => get<Page>(withQuery(path, { ...asked(), cursor: pageParam })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // All loaded pages would be asked for again: who goes back in time looks for something that is over.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refetchInterval),
  });

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
    queryFn: async () => (await get<{ account: Account }>(`/accounts/${id}`)).account,
    refetchInterval: 15_000,
  });

/** What changed of the health of an account's number. */
export const healthHistoryQuery = (accountId: string) =>
  listOptions<HealthHistory>(
    ['health-history', accountId],
    `/accounts/${accountId}/health-history`,
    () => ({ limit: 20 }),
    15_000,
  );

export const overviewQuery = (accountId: string | null) =>
  queryOptions({
    queryKey: ['overview', accountId],
    queryFn: () => get<Overview>(withQuery('/overview', { account_id: accountId })),
    refetchInterval: 30_000,
  });

/** What became of the messages of a time: `1h`, `24h`, `7d` or `30d`. */
export const outcomesQuery = (accountId: string | null, range: string) =>
  queryOptions({
    queryKey: ['outcomes', accountId, range],
    queryFn: () => get<Outcomes>(withQuery('/outcomes', { account_id: accountId, range })),
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
    refetchInterval: 15_000,
  });

export const keyUsageQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id, 'usage'],
    queryFn: () => get<KeyUsage>(`/api-keys/${id}/usage`),
    refetchInterval: 5_000,
  });

/** The filters of the messages, as in the address of the page. */
export interface MessageFilter {
  status?: string;
  key_id?: string;
  type?: string;
  mode?: string;
  error_code?: string;
  to?: string;
  to_user_id?: string;
  reference?: string;
}

/** What the list of messages is asked for. */
export function messagesAsked(accountId: string | null, filter: MessageFilter, time: AskedTime) {
  const { from, to } = time.ends();
  return { account_id: accountId, ...filter, created_after: from, created_before: to };
}

export const messagesQuery = (accountId: string | null, filter: MessageFilter, time: AskedTime) =>
  listOptions<MessagePage>(
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
      const asked = { ...messagesAsked(accountId, filter, time), limit: 1, count: 'true' };
      const { meta } = (await call<MessagePage>('GET', withQuery('/messages', asked))).body;
      return { total: meta.total ?? 0, isExact: meta.total_is_exact ?? false };
    },
    refetchInterval: 15_000,
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

/** The filters of the contacts. */
export interface ContactFilter {
  search?: string;
  mode?: string;
  opted_out?: string;
}

export const contactsQuery = (accountId: string | null, filter: ContactFilter) =>
  listOptions<ContactPage>(
    ['contacts', accountId, filter],
    '/contacts',
    () => ({ account_id: accountId, ...filter, limit: 25 }),
    15_000,
  );

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id],
    queryFn: async () => (await get<{ contact: ContactDetails }>(`/contacts/${id}`)).contact,
    refetchInterval: 15_000,
  });

/** Whether messages that are no templates reach a number now. */
export const windowQuery = (accountId: string, mode: Mode, phone: string) =>
  queryOptions({
    queryKey: ['window', accountId, mode, phone],
    queryFn: () =>
      get<ContactWindow>(withQuery('/contacts/window', { account_id: accountId, mode, phone })),
    refetchInterval: 15_000,
  });

export const keyMappingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['key', id, 'template-mappings'],
    queryFn: async () =>
      (await get<{ template_mappings: TemplateMapping[] }>(`/api-keys/${id}/template-mappings`))
        .template_mappings,
  });

export const webhookReportQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['key', keyId, 'webhook'],
    queryFn: () => get<WebhookReport>(`/api-keys/${keyId}/webhook`),
    refetchInterval: 15_000,
  });

/** The filters of the deliveries. */
export interface DeliveryFilter {
  key_id?: string;
  event?: string;
  status?: string;
  message_id?: string;
  endpoint_id?: string;
  /** The number of the end user. */
  phone?: string;
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
    queryFn: () => get<DeliveryAnswer>(`/webhook-deliveries/${id}`),
    refetchInterval: (query) =>
      query.state.data?.delivery.next_attempt_at === null ? false : 2_000,
  });

/** The filters of the templates. */
export interface TemplateFilter {
  status?: string;
  mode?: string;
}

export const templatesQuery = (accountId: string | null, filter: TemplateFilter) =>
  listOptions<TemplatePage>(
    ['templates', accountId, filter],
    '/templates',
    () => ({ account_id: accountId, ...filter, limit: 200 }),
    30_000,
  );

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['template', id],
    queryFn: () => get<TemplateAnswer>(`/templates/${id}`),
  });

/** The template of an account and mode with a name and a language; null when there is none. */
export const templateNamedQuery = (
  accountId: string,
  mode: Mode,
  { name, language }: { name: string; language: string },
) =>
  queryOptions({
    queryKey: ['templates', accountId, mode, name, language],
    queryFn: async () => {
      const asked = { account_id: accountId, mode, name, language };
      return (await get<TemplatePage>(withQuery('/templates', asked))).templates[0] ?? null;
    },
    staleTime: 60_000,
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
      (await get<{ sessions: UserSession[] }>(`/users/${userId}/sessions?limit=100`)).sessions,
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
    queryFn: () => get<NotificationDetail>(`/notifications/${id}`),
  });

/** The templates that keys of an account and mode can send. */
export const sendableTemplatesQuery = (accountId: string, mode: Mode) =>
  queryOptions({
    queryKey: ['templates', accountId, mode, 'APPROVED'],
    queryFn: async () => {
      const asked = { account_id: accountId, mode, status: 'APPROVED', limit: 200 };
      return (await get<{ templates: Template[] }>(withQuery('/templates', asked))).templates;
    },
    staleTime: 30_000,
  });
