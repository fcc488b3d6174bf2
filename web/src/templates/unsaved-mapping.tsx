import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';

interface UnsavedMappingProps {
  readonly isChanged: boolean;
  /** Of the template. */
  readonly name: string;
}

/** What of an address decides which mapping is being written. */
const placeOf = ({ pathname, search }: { pathname: string; search: object }) => {
  const { key, status, mode } = search as { key?: string; status?: string; mode?: string };
  return JSON.stringify([pathname, key, status, mode]);
};

/** Asks before a half-written mapping is left. */
export function UnsavedMapping({ isChanged, name }: UnsavedMappingProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && placeOf(current) !== placeOf(next),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={`Leave the mapping of ${name} unsaved?`}
    >
      <p>What you wrote is lost then. Sends go on with what is stored.</p>
      <div className="row question-buttons" style={{ marginTop: 20 }}>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          Keep writing
        </Button>
        <Button color="red" variant="filled" onClick={() => blocker.proceed?.()}>
          Discard changes
        </Button>
      </div>
    </Modal>
  );
}
