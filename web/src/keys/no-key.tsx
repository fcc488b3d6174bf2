import { Button } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiFailure } from '../api/client.ts';
import type { ApiKey } from '../api/types.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { QueryState } from '../parts/query-state.tsx';

/** Replaces a key that is not read yet; one that is gone does not come back by trying again. */
export function NoKey({ query }: { query: UseQueryResult<ApiKey> }) {
  const { error } = query;
  if (!(error instanceof ApiFailure) || error.status !== 404) {
    return <QueryState query={query} isCard />;
  }
  return (
    <div className="card">
      <EmptyState
        icon={IconKeyOff}
        title="There is no such key"
        sentence="It was deleted, or the address is mistyped. The messages of a deleted key are kept."
        action={
          <Button component={Link} to="/keys">
            Go to the API keys
          </Button>
        }
      />
    </div>
  );
}
