import { infiniteQueryOptions } from '@tanstack/react-query';
import { get, withQuery } from './client.ts';

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
