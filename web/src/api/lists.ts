import { infiniteQueryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import type { Asked, Data, Given, PathOf } from './operations.ts';

/** Which time a list is asked for. */
export interface AskedTime {
  /** The same for the same choice, however late it is. */
  readonly key: unknown;
  /** The two ends at this moment, ISO 8601. */
  readonly ends: () => { from?: string; to?: string };
}

export const allTimes: AskedTime = { key: null, ends: () => ({}) };

/** A search looks through a part of its list at a time; this many parts without a hit are one page. */
const asksMax = 50;

const hasRows = (page: object) =>
  Object.values(page).some((rows) => Array.isArray(rows) && rows.length > 0);

type Page<P extends PathOf<'GET'>> = Data<'GET', P> & { next_cursor: string | null };

/** The paths that answer page by page. */
type ListPath = {
  [P in PathOf<'GET'>]: Data<'GET', P> extends { next_cursor: string | null } ? P : never;
}[PathOf<'GET'>];

/** A list that is read page by page. */
export const listOptions = <P extends ListPath>(
  queryKey: readonly unknown[],
  path: P,
  /** Read again for each page: the ends of a period move with the clock. */
  asked: () => Asked<'GET', P>,
  refetchInterval: number,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam }) => {
      for (let cursor = pageParam, asks = 1; ; asks++) {
        const given = [{ ...asked(), cursor }] as unknown as Given<'GET', P>;
        const page = (await get(path, ...given)) as Page<P>;
        if (page.next_cursor === null || asks === asksMax || hasRows(page)) {
          return { ...page, asks };
        }
        cursor = page.next_cursor;
      }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // All that was read would be asked for again: who goes back in time looks for something that is over.
    refetchInterval: ({ state }) => {
      const asks = state.data?.pages.reduce((sum, page) => sum + page.asks, 0) ?? 0;
      return asks > 1 ? false : refetchInterval;
    },
  });
