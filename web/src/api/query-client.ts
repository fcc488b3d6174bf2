import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionQuery } from './account-queries.ts';
import { ApiFailure } from './client.ts';

/** When a session ends, the sign-in covers the page, which stays as it is. */
function noticeSignOut(error: Error): void {
  if (error instanceof ApiFailure && error.code === 'UNAUTHENTICATED') {
    queryClient.setQueryData(sessionQuery.queryKey, null);
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({
    // The log shows the change.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['audit-log'] }),
    onError: (error, _given, _context, mutation) => {
      if (mutation.options.mutationKey?.[0] !== 'sign-in') noticeSignOut(error);
    },
  }),
  defaultOptions: {
    // Parley often runs on the same machine: the browser's online state says nothing about it.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: (count, error) =>
        count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
      staleTime: 2_000,
    },
  },
});
