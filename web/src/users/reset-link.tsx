import { useState } from 'react';
import { call } from '../api/client.ts';
import type { User } from '../api/types.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { useGuardedMutation } from '../parts/mutation.ts';
import { SecretValue } from '../parts/secret-value.tsx';
import { TypedModal } from '../parts/typed-modal.tsx';
import { elsewhere, OwnPassword } from '../session/own-password.tsx';
import { usePlace } from '../session/session.tsx';

/** Makes a link under which a user sets a new password, or their first one; null: the dialog is closed. */
export function ResetLinkDialog({ user, onClose }: { user: User | null; onClose: () => void }) {
  const [shown, setShown] = useState(user);
  const [password, setPassword] = useState('');
  const isOwn = shown?.id === usePlace().session.user.id;
  const making = useGuardedMutation({
    mutationFn: async (id: string) =>
      (
        await call(
          'POST',
          '/users/{id}/reset-link',
          { id },
          isOwn ? { current_password: password } : undefined,
        )
      ).data,
  });
  const isInvited = shown?.has_password === false;
  if (user !== null && user !== shown) setShown(user);
  return (
    <TypedModal
      opened={user !== null}
      onClose={onClose}
      onExitTransitionEnd={() => {
        making.reset();
        setPassword('');
      }}
      title={`A new ${isInvited ? 'invitation' : 'password'} for ${shown?.email}`}
    >
      {making.data ? (
        <div className="new-secret">
          <SecretValue
            name={isInvited ? 'Invitation link' : 'Reset link'}
            purpose="Hand it over on a safe way. It works once, within 24 hours, and is not shown again."
            value={making.data.url}
            isMain
          />
        </div>
      ) : (
        <DialogForm
          go="Make the link"
          isReady={!isOwn || password !== ''}
          isPending={making.isPending}
          error={elsewhere(making.error)}
          onKeep={onClose}
          onGo={() => shown && making.mutate(shown.id)}
        >
          <p>
            {isInvited
              ? 'Whoever opens the link sets the first password. The old link ends.'
              : 'Whoever opens the link sets a new password, and the user’s sessions end. A second factor stays on. A link made before ends.'}
          </p>
          {isOwn && <OwnPassword value={password} error={making.error} onChange={setPassword} />}
        </DialogForm>
      )}
    </TypedModal>
  );
}
