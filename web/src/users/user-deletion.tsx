import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { User } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { Question } from '../parts/question.tsx';

/** Asks before a user is deleted; null: nothing is asked. */
export function UserDeletion({ user, onClose }: { user: User | null; onClose: () => void }) {
  const reread = useReread();
  const [shown, setShown] = useState(user);
  const [typed, setTyped] = useState('');
  if (user !== null && user !== shown) {
    setShown(user);
    setTyped('');
  }
  const deletion = useGuardedMutation({
    mutationFn: (id: string) => call('DELETE', '/users/{id}', { id }),
    onSuccess: async () => {
      await reread(['users']);
      onClose();
    },
  });
  return (
    <Question
      isAsked={user !== null}
      title={`Delete “${shown?.email}”?`}
      go="Delete user"
      isDestructive
      isReady={typed === shown?.email}
      isPending={deletion.isPending}
      error={deletion.error}
      onKeep={onClose}
      onGo={() => shown && deletion.mutate(shown.id)}
    >
      <p>
        They are signed out everywhere at once and cannot sign in again. Their actions stay in the
        audit log.
      </p>
      <TextInput
        label={`Type “${shown?.email}” to confirm`}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Question>
  );
}
