import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { ApiKey, Delivery } from '../api/types.ts';
import { LazyMenu, useMenu } from '../parts/menu.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { usePlace } from '../session/session.tsx';
import { type TestedEndpoint, useTestEvent } from './delivery-changes.ts';

interface TestEventButtonProps {
  /** The keys that can get an event. */
  readonly keys: readonly ApiKey[];
  /** The only endpoint that is asked about; undefined: any. */
  readonly chosen?: TestedEndpoint | undefined;
  readonly onSent: (delivery: Delivery) => void;
}

/** Sends a test event to the chosen endpoint, else to a webhook; with several, asks to which. */
export function TestEventButton({ keys, chosen, onSent }: TestEventButtonProps) {
  const { mayChange } = usePlace();
  const test = useTestEvent();
  const { opener, opened } = useMenu();
  const [key, ...others] = keys;
  const only = chosen ?? (key && others.length === 0 ? { keyId: key.id } : undefined);
  if (!mayChange || !(only || key)) return null;
  const send = (to: TestedEndpoint) =>
    test.mutate(to, { onSuccess: ({ delivery }) => onSent(delivery) });
  const face = {
    leftSection: <IconSend size={16} />,
    loading: test.isPending,
    children: 'Send test event',
  };
  return (
    <>
      {only ? (
        <Button {...face} onClick={() => send(only)} />
      ) : (
        <>
          <Button {...face} {...opener} />
          <LazyMenu {...opened}>
            {(Menu) => (
              <>
                <Menu.Label>To the webhook of</Menu.Label>
                {keys.map(({ id, name }) => (
                  <Menu.Item key={id} onClick={() => send({ keyId: id })}>
                    {name}
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
