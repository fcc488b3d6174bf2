import { Button } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ApiFailure } from '../api/client.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureState } from '../parts/failure-state.tsx';

interface NoSuchKeyProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Replaces a key that could not be read; one that is gone does not come back by trying again. */
export function NoSuchKey({ error, onRetry }: NoSuchKeyProps) {
  if (!(error instanceof ApiFailure) || error.status !== 404) {
    return <FailureState error={error} onRetry={onRetry} />;
  }
  return (
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
  );
}
