import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { WrongLine } from './wrong-line.tsx';

export interface DialogFormProps {
  /** What happens, from when, and what stays; or fields. */
  readonly children: ReactNode;
  /** What the button does that goes on: verb and object. */
  readonly go: string;
  /** The other button, where “Cancel” would be taken for what is asked; or where nothing is left to ask. */
  readonly keep?: string | undefined;
  readonly isDestructive?: boolean;
  readonly isReady?: boolean;
  readonly isPending?: boolean;
  /** The answer may hold a secret: until it is there, the form stays. */
  readonly isHeld?: boolean;
  readonly error?: Error | null;
  /** What an error means for the user. */
  readonly effect?: string;
  readonly onKeep: () => void;
  readonly onGo: () => void;
}

/** What a dialog asks, and the two ways out of it. */
export function DialogForm(props: DialogFormProps) {
  const {
    children,
    keep = 'Cancel',
    go,
    isDestructive = false,
    isReady = true,
    isPending = false,
  } = props;
  const { isHeld = false, error = null, effect = 'Nothing was changed.', onKeep, onGo } = props;
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // React passes it on to the form that the question was asked in, which would be sent, too.
        event.stopPropagation();
        if (isReady) onGo();
      }}
    >
      {children}
      <WrongLine error={error} effect={effect} />
      <div className="row question-buttons">
        {/* Unless the form has a field of its own, the first focus changes nothing. */}
        <Button data-autofocus disabled={isHeld} onClick={onKeep}>
          {keep}
        </Button>
        <Button
          type="submit"
          variant="filled"
          {...(isDestructive && { color: 'red' })}
          disabled={!isReady}
          loading={isPending}
        >
          {go}
        </Button>
      </div>
    </form>
  );
}
