import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { WrongLine } from './wrong-line.tsx';

interface QuestionProps {
  readonly isAsked: boolean;
  /** The question, with the name of the thing. */
  readonly title: string;
  /** What happens, from when, and what stays. */
  readonly children: ReactNode;
  /** What the two buttons do, each verb and object. */
  readonly keep: string;
  readonly go: string;
  readonly isDestructive?: boolean;
  readonly isReady?: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onKeep: () => void;
  readonly onGo: () => void;
}

/** Asks before something is done. */
export function Question(props: QuestionProps) {
  const { isAsked, title, children, keep, go, isDestructive = false, isReady = true } = props;
  const { isPending, error, onKeep, onGo } = props;
  return (
    <Modal opened={isAsked} onClose={onKeep} title={title}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          // React passes it on to the form that the question was asked in, which would be sent, too.
          event.stopPropagation();
          if (isReady) onGo();
        }}
      >
        {children}
        <WrongLine error={error} effect="Nothing was changed." />
        <div className="row question-buttons">
          {/* Unless the question has a field of its own, the first focus changes nothing. */}
          <Button data-autofocus onClick={onKeep}>
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
    </Modal>
  );
}
