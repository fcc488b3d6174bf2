import { useQuery } from '@tanstack/react-query';
import { keptBodyQuery } from '../api/request-queries.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { timeUntil } from '../parts/times.ts';

/** The redacted body of a request, while it is kept. */
export function KeptBody({ id }: { id: string }) {
  const kept = useQuery(keptBodyQuery(id));
  return (
    <div>
      <h3>Body, redacted</h3>
      <QueryState query={kept}>
        {({ body, kept_until: until }) => (
          <>
            <CodeBlock code={body} language="json" maxHeight={360} />
            <p className="small request-kept">
              Numbers, texts and links are shortened before they are stored. Deleted{' '}
              {timeUntil(until)}.
            </p>
          </>
        )}
      </QueryState>
    </div>
  );
}
