import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../api/account-queries.ts';
import { keysQuery } from '../api/key-queries.ts';
import { endpointsOfAllKeys } from '../deliveries/endpoints/endpoints-of-all-keys.ts';
import { usePlace } from '../session/session.tsx';
import { type Matter, mattersOf } from './matters.ts';

interface MattersOptions {
  readonly refetchInterval?: number;
  /** How many events wait for endpoints that fail is counted, too. */
  readonly withEvents?: boolean;
}

/** What needs attention, once all of it is known. The card, the page and the count all use this list. */
export function useMatters({ withEvents = false, ...options }: MattersOptions = {}) {
  const { accountId, mode, session } = usePlace();
  const overview = useQuery({ ...overviewQuery(accountId, mode), ...options });
  const keys = useQuery({ ...keysQuery(accountId), ...options });
  const isAnyFailing = (overview.data?.failing_endpoints.length ?? 0) > 0;
  const endpoints = useQuery({
    ...endpointsOfAllKeys(accountId, mode),
    enabled: withEvents && isAnyFailing,
  });
  const matters: readonly Matter[] | undefined =
    overview.data &&
    keys.data &&
    mattersOf({
      overview: overview.data,
      keys: keys.data.filter((key) => !mode || key.mode === mode),
      endpoints: endpoints.data,
      isOperator: session.user.role === 'operator',
    });
  return {
    data: matters,
    error: overview.error ?? keys.error,
    refetch: () => Promise.all([overview.refetch(), keys.refetch()]),
    overview,
  };
}
