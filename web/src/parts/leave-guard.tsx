import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { Dialog, preloadDialog } from './dialog.tsx';

/** The part of an address that says where the user is. */
export interface Place {
  readonly pathname: string;
  readonly search: object;
}

interface LeaveGuardProps {
  /** Whether something would be lost. */
  readonly isAtStake: boolean;
  readonly title: string;
  /** What would be lost, and what that costs. */
  readonly children: ReactNode;
  /** What the button says that leaves. */
  readonly leave: string;
  /** What the button says that does not. */
  readonly stay?: string;
  /** The part of an address that changes when the user leaves; its path when not given. */
  readonly placeOf?: (place: Place) => string;
  /** The user wants to close a dialog; a change of page is noticed by itself. */
  readonly isClosing?: boolean;
  readonly onStay?: () => void;
  readonly onClose?: () => void;
}

/** Asks before the user leaves a page or a dialog and loses something. */
export function LeaveGuard({
  isAtStake,
  title,
  children,
  leave,
  stay = 'Stay here',
  placeOf = ({ pathname }) => pathname,
  isClosing = false,
  onStay,
  onClose,
}: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isAtStake && placeOf(current) !== placeOf(next),
    enableBeforeUnload: () => isAtStake,
    withResolver: true,
  });
  // It must be able to ask although Parley has stopped answering since.
  useEffect(() => {
    if (isAtStake) preloadDialog();
  }, [isAtStake]);
  const goOn = () => {
    blocker.reset?.();
    onStay?.();
  };
  const go = () => {
    onClose?.();
    blocker.proceed?.();
  };
  return (
    <Dialog opened={isClosing || blocker.status === 'blocked'} onClose={goOn} title={title}>
      <p>{children}</p>
      <div className="row question-buttons" style={{ marginTop: 20 }}>
        <Button data-autofocus onClick={goOn}>
          {stay}
        </Button>
        <Button color="red" variant="filled" onClick={go}>
          {leave}
        </Button>
      </div>
    </Dialog>
  );
}
