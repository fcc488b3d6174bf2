import { Button, Checkbox, Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LeaveGuard } from '../parts/leave-guard.tsx';
import { SecretValue } from '../parts/secret-value.tsx';

interface ShownSecret {
  readonly name: string;
  readonly purpose: string;
  readonly value: string;
  /** What has become of the old one. */
  readonly old?: string;
}

interface SecretDialogProps {
  readonly isOpen: boolean;
  readonly question: string;
  /** The form of the question. */
  readonly children: ReactNode;
  /** The answer may hold a secret: until it is there, the dialog stays. */
  readonly isPending: boolean;
  /** What takes the place of the question, with a title of its own; null: nothing yet. */
  readonly secret: (ShownSecret & { readonly title: string }) | null;
  readonly onClose: () => void;
  /** It is no longer visible, so the secret can be dropped. */
  readonly onGone: () => void;
}

/** Asks something, may show a secret once, and is not closed by chance while it does. */
export function SecretDialog({
  isOpen,
  question,
  children,
  isPending,
  secret,
  onClose,
  onGone,
}: SecretDialogProps) {
  const [isStored, setIsStored] = useState(false);
  const [isClosing, setIsClosing] = useState(false);
  const isAtStake = isOpen && secret !== null && !isStored;
  const close = () => {
    // Wait until the Esc key is handled: it would close the question that it opened.
    if (isAtStake) setTimeout(() => setIsClosing(true));
    else if (!isPending) onClose();
  };
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={close}
        // Otherwise one Esc would close the question above it and ask again.
        closeOnEscape={!isClosing}
        title={secret ? secret.title : question}
        onExitTransitionEnd={() => {
          setIsStored(false);
          onGone();
        }}
      >
        {secret ? (
          <NewSecret secret={secret} isStored={isStored} onStored={setIsStored} onDone={onClose} />
        ) : (
          children
        )}
      </Modal>
      {secret && (
        <LeaveGuard
          isAtStake={isAtStake}
          title="Leave without the secret?"
          leave="Leave without it"
          isClosing={isClosing}
          onStay={() => setIsClosing(false)}
          onClose={() => {
            setIsClosing(false);
            onClose();
          }}
        >
          It can’t be shown again. Without it you must rotate again.
        </LeaveGuard>
      )}
    </>
  );
}

interface NewSecretProps {
  readonly secret: ShownSecret;
  readonly isStored: boolean;
  readonly onStored: (isStored: boolean) => void;
  readonly onDone: () => void;
}

function NewSecret({ secret, isStored, onStored, onDone }: NewSecretProps) {
  const box = useRef<HTMLDivElement>(null);
  // The button that had the focus went away with the question.
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={box} className="stack new-secret">
      <SecretValue name={secret.name} purpose={secret.purpose} value={secret.value} isMain />
      {secret.old && <p>{secret.old}</p>}
      <div className="spread">
        <Checkbox
          label="I have stored this secret"
          checked={isStored}
          onChange={(event) => onStored(event.currentTarget.checked)}
        />
        <Button disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
