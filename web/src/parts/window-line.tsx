import { IconDoor, IconDoorOff, IconHelpCircle } from '@tabler/icons-react';
import type { ContactWindow } from '../api/types.ts';
import { Moment } from './moment.tsx';
import { Badge } from './status-badge.tsx';

/** How the states of a window look. */
const windowLooks = {
  open: { tone: 'green', icon: IconDoor },
  closed: { tone: 'gray', icon: IconDoorOff },
  unknown: { tone: 'amber', icon: IconHelpCircle },
} as const;

interface WindowLineProps {
  readonly window: ContactWindow;
  /** When WhatsApp said that it is closed, if nothing newer is known. */
  readonly refusedAt?: string | null;
}

/** Whether messages that are no templates reach the recipient now. */
export function WindowLine({ window: { state, expires_at }, refusedAt = null }: WindowLineProps) {
  if (refusedAt !== null) {
    return (
      <>
        <Badge look={windowLooks.closed} word="Closed" />
        <span className="secondary">
          , said WhatsApp at <Moment at={refusedAt} />
        </span>
      </>
    );
  }
  return (
    <>
      <Badge look={windowLooks[state]} word={state.charAt(0).toUpperCase() + state.slice(1)} />
      {expires_at !== null && state !== 'unknown' && (
        <span className="secondary">
          {' '}
          {state === 'open' ? 'until' : 'since'} <Moment at={expires_at} />
        </span>
      )}
    </>
  );
}
