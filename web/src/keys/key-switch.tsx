import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { PlainSwitch } from '../parts/plain-switch.tsx';
import { usePlace } from '../session/session.tsx';
import { useKeyChange } from './key-changes.ts';

/** On and off, at once; switching off can be undone for a while. */
export function KeySwitch({ apiKey }: { apiKey: ApiKey }) {
  const change = useKeyChange(apiKey.id);
  const control = useRef<HTMLInputElement>(null);
  const [isUndoOffered, setIsUndoOffered] = useState(false);
  const { mayChange } = usePlace();
  const isSettled = apiKey.state !== 'active' && apiKey.state !== 'inactive';
  const active = change.isPending ? change.variables === activeBody : apiKey.active;
  const turn = (next: boolean) => {
    setIsUndoOffered(!next);
    change.mutate(next ? activeBody : inactiveBody);
  };
  return (
    <span className="row key-switch">
      <PlainSwitch
        ref={control}
        aria-label={`${apiKey.name} is on`}
        checked={active && !isSettled}
        disabled={isSettled || !mayChange}
        title={mayChange ? undefined : 'Viewers change nothing'}
        onChange={(event) => turn(event.currentTarget.checked)}
      />
      {isUndoOffered && !apiKey.active && !isSettled && (
        <Button
          size="xs"
          onClick={() => {
            turn(true);
            control.current?.focus();
          }}
        >
          Undo
        </Button>
      )}
      {change.isError && (
        <span className="small wrong" role="alert">
          Not changed
        </span>
      )}
    </span>
  );
}

const activeBody = { active: true };
const inactiveBody = { active: false };
