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

/** Whether messages that are no templates reach the recipient now. */
export function WindowLine({ window: { state, expires_at } }: { window: ContactWindow }) {
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
