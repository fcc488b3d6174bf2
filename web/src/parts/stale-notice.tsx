import type { UseQueryResult } from '@tanstack/react-query';
import { since } from './times.ts';

type Refresh = Pick<UseQueryResult, 'isRefetchError' | 'dataUpdatedAt'>;

/** Says how old the rows are that stand here while they cannot be read again. */
export function StaleNotice({ query }: { query: Refresh }) {
  if (!query.isRefetchError) return null;
  return (
    <p className="stale" role="status">
      This could not be refreshed. What you see is from{' '}
      {since(new Date(query.dataUpdatedAt).toISOString())}; Parley tries again.
    </p>
  );
}
