import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { ApiKey, Delivery } from '../api/types.ts';
import { LazyMenu, useMenu } from '../parts/menu.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { usePlace } from '../session/session.tsx';
import { useTestEvent } from './delivery-changes.ts';

interface TestEventButtonProps {
  /** The keys that can get an event. */
  readonly keys: readonly ApiKey[];
  readonly onSent: (delivery: Delivery) => void;
}

/** Sends a test event to a webhook; with several, asks to which. */
export function TestEventButton({ keys, onSent }: TestEventButtonProps) {
  const { mayChange } = usePlace();
  const test = useTestEvent();
  const { opener, opened } = useMenu();
  const [only] = keys;
  if (!only || !mayChange) return null;
  const send = (key: ApiKey) =>
    test.mutate(key.id, { onSuccess: ({ delivery }) => onSent(delivery) });
  const face = {
    leftSection: <IconSend size={16} />,
    loading: test.isPending,
    children: 'Send test event',
  };
  return (
    <>
      {keys.length === 1 ? (
        <Button {...face} onClick={() => send(only)} />
      ) : (
        <>
          <Button {...face} {...opener} />
          <LazyMenu {...opened}>
            {(Menu) => (
              <>
                <Menu.Label>To the webhook of</Menu.Label>
                {keys.map((key) => (
                  <Menu.Item key={key.id} onClick={() => send(key)}>
                    {key.name}
                  </Menu.Item>
                ))}
              </>
            )}
          </LazyMenu>
        </>
      )}
      <WrongLine error={test.error} isSmall effect="Nothing was sent." />
    </>
  );
}
