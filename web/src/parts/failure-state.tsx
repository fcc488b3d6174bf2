import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiFailure } from '../api/client.ts';
import { CopyButton } from './copy-button.tsx';

interface FailureStateProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Replaces what could not be read. */
export function FailureState({ error, onRetry }: FailureStateProps) {
  const failure = error instanceof ApiFailure ? error : null;
  // A retry does not help when the thing does not exist.
  const isThere = failure?.status !== 404;
  const code = [failure?.code, failure?.requestId].filter(Boolean).join(' · ');
  return (
    <div className="failure" role="alert">
      <IconAlertTriangle size={24} color="var(--red)" aria-hidden="true" />
      <p className="strong">{error.message}</p>
      {isThere && <p className="secondary">Nothing is lost: this page only reads.</p>}
      {code && (
        <p className="small">
          <code>{code}</code> <CopyButton value={code} label="Copy code and request id" />
        </p>
      )}
      {isThere && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
