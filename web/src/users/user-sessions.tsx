import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { User } from '../api/types.ts';
import { SessionList } from '../session/session-list.tsx';

/** Where a user is signed in; null: the dialog is closed. */
export function UserSessions({ user, onClose }: { user: User | null; onClose: () => void }) {
  // The dialog keeps its words while it fades.
  const [shown, setShown] = useState(user);
  if (user !== null && user !== shown) setShown(user);
  return (
    <Modal opened={user !== null} onClose={onClose} title={`Sessions of ${shown?.email}`}>
      {shown && <SessionList userId={shown.id} />}
    </Modal>
  );
}
