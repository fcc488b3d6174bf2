import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { lazyPart, OnceOpened } from '../parts/lazy-part.tsx';
import { PlainSwitch } from '../parts/plain-switch.tsx';
import { usePlace } from '../session/session.tsx';
import { useKeyChange } from './key-changes.ts';
import { stateReason } from './state-reason.ts';

const KeyConfirmation = lazyPart(() => import('./key-confirmation.tsx'), 'KeyConfirmation');

/** On and off; a live key is switched off after a question. Switching off can be undone for a while. */
export function KeySwitch({ apiKey }: { apiKey: ApiKey }) {
  const change = useKeyChange(apiKey.id);
  const control = useRef<HTMLInputElement>(null);
  const [isAsked, setIsAsked] = useState(false);
  const [isUndoOffered, setIsUndoOffered] = useState(false);
  const { mayChange } = usePlace();
  const isSettled = apiKey.state !== 'active' && apiKey.state !== 'inactive';
  const active = change.isPending ? change.variables === activeBody : apiKey.active;
  const turn = (next: boolean) => {
    setIsUndoOffered(!next);
    if (!next && apiKey.mode === 'live') setIsAsked(true);
    else change.mutate(next ? activeBody : inactiveBody);
  };
  const why = isSettled ? (stateReason(apiKey) ?? undefined) : undefined;
  return (
    <span className="row key-switch">
      <PlainSwitch
        ref={control}
        aria-label={`${apiKey.name} is on`}
        checked={active && !isSettled}
        disabled={isSettled || !mayChange}
        title={mayChange ? why : 'Viewers change nothing'}
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
      <OnceOpened isOpen={isAsked}>
        {(isOpen) => (
          <KeyConfirmation
            apiKey={apiKey}
            deed={isOpen ? 'switch-off' : null}
            onClose={() => setIsAsked(false)}
          />
        )}
      </OnceOpened>
    </span>
  );
}

const activeBody = { active: true };
const inactiveBody = { active: false };
