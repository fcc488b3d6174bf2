interface SkeletonProps {
  readonly rows?: number;
}

/** Rows to come. They appear after a moment, so that a quick answer does not flash. */
export function Skeleton({ rows = 5 }: SkeletonProps) {
  return (
    <div className="card-body stack" aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: rows }, (_, row) => (
        <span
          key={row}
          className="skeleton-row"
          style={{ width: `${[92, 78, 85, 64, 88][row % 5]}%` }}
        />
      ))}
    </div>
  );
}
