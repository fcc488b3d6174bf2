import type { SimulatorUser } from '../api/types.ts';

interface UserNotesProps {
  readonly user: SimulatorUser;
  readonly isBusy: boolean;
  readonly onResume: () => void;
}

/** What holds back messages to the user, as lines below the conversation. */
export function UserNotes({ user, isBusy, onResume }: UserNotesProps) {
  return (
    <>
      {user.stopped_marketing && (
        <span className="phone-note">
          You have stopped marketing messages from this business.{' '}
          <button type="button" disabled={isBusy} onClick={onResume}>
            Resume
          </button>
        </span>
      )}
      {isClosed(user) && (
        <span className="phone-note">
          The 24-hour window is closed: only templates arrive until you write.
        </span>
      )}
    </>
  );
}

/** How many lines there are. */
export function noteCount(user: SimulatorUser | undefined): number {
  return user ? Number(user.stopped_marketing) + Number(isClosed(user)) : 0;
}

const isClosed = ({ window, enforces_window }: SimulatorUser) =>
  window === 'closed' && enforces_window;
