import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';

interface ListFootProps {
  readonly shown: number;
  readonly query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** What the button says; lists by time have older entries. */
  readonly more?: string;
}

/** How many rows are shown, and a button for more. */
export function ListFoot({ shown, query, more = 'Show older' }: ListFootProps) {
  return (
    <div className="table-foot">
      <span className="secondary">{shown} shown</span>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {more}
        </Button>
      )}
    </div>
  );
}
