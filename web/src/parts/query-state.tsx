import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { EmptyState, type EmptyStateProps } from './empty-state.tsx';
import { FailureState } from './failure-state.tsx';
import { Skeleton } from './skeleton.tsx';

interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface QueryStateProps<Data> {
  readonly query: Query<Data>;
  readonly skeletonRows?: number;
  /** Nothing around it is a card. */
  readonly isCard?: boolean;
  readonly children?: (data: Data) => ReactNode;
}

/** The data; before that a skeleton, or why it could not be read. */
export function QueryState<Data>({ isCard, ...state }: QueryStateProps<Data>) {
  const { query, skeletonRows, children } = state;
  if (isCard) {
    return (
      <div className="card">
        <QueryState {...state} />
      </div>
    );
  }
  if (query.data !== undefined) return children?.(query.data);
  if (!query.error) return <Skeleton rows={skeletonRows} />;
  return <FailureState error={query.error} onRetry={() => void query.refetch()} />;
}

interface ListStateProps<Row> extends Omit<QueryStateProps<unknown>, 'children'> {
  readonly rows: readonly Row[] | undefined;
  /** What belongs here: said in a sentence, in full, or by a part of the page's own. */
  readonly empty: EmptyStateProps | string | ReactElement;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** The rows that were read, or what replaces them. */
export function ListState<Row>({
  query,
  skeletonRows,
  rows,
  empty,
  children,
}: ListStateProps<Row>) {
  return (
    <QueryState query={query} skeletonRows={skeletonRows}>
      {() => {
        if (rows && rows.length > 0) return children(rows);
        if (typeof empty === 'string') return <p className="card-body secondary">{empty}</p>;
        return isValidElement(empty) ? empty : <EmptyState {...empty} />;
      }}
    </QueryState>
  );
}
