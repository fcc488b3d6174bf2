import { Button, Modal, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { NewPassword } from '../session/new-password.tsx';
import { isShortPassword } from '../session/short-password.ts';

interface PasswordDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** When nothing of it is left on the screen. */
  readonly onClosed: () => void;
}

/** Changes one's own password. */
export default function PasswordDialog({ isOpen, onClose, onClosed }: PasswordDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title="Change your password"
    >
      <PasswordForm onClose={onClose} />
    </Modal>
  );
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () =>
      call('POST', '/session/password', null, { current_password: current, new_password: next }),
  });
  const failure = change.error instanceof ApiFailure ? change.error : null;
  const isReady = current !== '' && next !== '' && !isShortPassword(next);
  if (change.isSuccess) {
    return (
      <div className="stack">
        <p role="status">The new password is active. All your other sessions are signed out.</p>
        <div className="row question-buttons">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    );
  }
  return (
    <DialogForm
      go="Change password"
      isReady={isReady}
      isPending={change.isPending}
      error={failure && Object.keys(failure.fields).length === 0 ? failure : null}
      effect="The password was not changed."
      onKeep={onClose}
      onGo={() => change.mutate()}
    >
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        value={current}
        error={failure?.fields.current_password && 'This is not your password.'}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
      />
      <NewPassword
        label="New password"
        value={next}
        error={failure?.fields.new_password}
        onChange={setNext}
      />
    </DialogForm>
  );
}
