import { useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { User } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { Question } from '../parts/question.tsx';

/** Asks before the second factor of a user is removed; null: nothing is asked. */
export function FactorRemoval({ user, onClose }: { user: User | null; onClose: () => void }) {
  const reread = useReread();
  const [shown, setShown] = useState(user);
  if (user !== null && user !== shown) setShown(user);
  const removal = useGuardedMutation({
    mutationFn: (id: string) => call('DELETE', '/users/{id}/totp', { id }),
    onSuccess: async () => {
      await reread(['users']);
      onClose();
    },
  });
  return (
    <Question
      isAsked={user !== null}
      title={`Remove the second factor of “${shown?.email}”?`}
      go="Remove"
      isDestructive
      isPending={removal.isPending}
      error={removal.error}
      onKeep={onClose}
      onGo={() => shown && removal.mutate(shown.id)}
    >
      <p>
        For users who have lost their authenticator and their recovery codes. Make sure that it is
        they who ask. Their password alone then lets them in, and they can set up another one.
      </p>
    </Question>
  );
}
