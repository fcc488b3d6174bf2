import { Modal } from '@mantine/core';
import SignIn from './sign-in.tsx';

/** The sign-in over a page whose session has ended. */
export default function SignedOutDialog({ isOpen }: { isOpen: boolean }) {
  return (
    <Modal
      opened={isOpen}
      onClose={() => undefined}
      withCloseButton={false}
      title="You are signed out"
    >
      <p className="secondary" style={{ marginBottom: 16 }}>
        The page stays as it is. Sign in to continue.
      </p>
      <SignIn />
    </Modal>
  );
}
