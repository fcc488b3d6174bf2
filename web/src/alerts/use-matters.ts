import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../api/account-queries.ts';
import { keysQuery } from '../api/key-queries.ts';
import { usePlace } from '../session/session.tsx';
import { type Matter, mattersOf } from './matters.ts';

/** What needs attention, once all of it is known. The card, the page and the count all use this list. */
export function useMatters(options: { refetchInterval?: number } = {}) {
  const { accountId, mode, session } = usePlace();
  const overview = useQuery({ ...overviewQuery(accountId, mode), ...options });
  const keys = useQuery({ ...keysQuery(accountId), ...options });
  const matters: readonly Matter[] | undefined =
    overview.data &&
    keys.data &&
    mattersOf({
      overview: overview.data,
      keys: keys.data.filter((key) => !mode || key.mode === mode),
      isOperator: session.user.role === 'operator',
    });
  return {
    data: matters,
    error: overview.error ?? keys.error,
    refetch: () => Promise.all([overview.refetch(), keys.refetch()]),
    overview,
  };
}
