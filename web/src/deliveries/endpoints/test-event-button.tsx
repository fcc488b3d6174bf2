import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { Delivery, ListedEndpoint } from '../../api/types.ts';
import { lazyPart, OnceOpened } from '../../parts/lazy-part.tsx';
import { WrongLine } from '../../parts/wrong-line.tsx';
import { usePlace } from '../../session/session.tsx';
import { useTestEvent } from '../delivery-changes.ts';
import { calledName, placeWords } from './strip-words.ts';

const TestEventQuestion = lazyPart(() => import('./test-event-question.tsx'), 'TestEventQuestion');

interface TestEventButtonProps {
  /** Those in question. With several, it asks which one. */
  readonly endpoints: readonly ListedEndpoint[];
  /** Smaller, beside the endpoint that it is about. */
  readonly isSmall?: boolean;
  readonly onSent: (delivery: Delivery, endpoint: ListedEndpoint) => void;
}

/** Sends a test event to an endpoint that can get one. */
export function TestEventButton({ endpoints, isSmall = false, onSent }: TestEventButtonProps) {
  const { mayChange } = usePlace();
  const test = useTestEvent();
  const [isAsked, setIsAsked] = useState(false);
  const able = endpoints.filter(({ health }) => health !== 'disabled');
  const [only, ...others] = able;
  if (!mayChange || !only) return null;
  const send = (endpoint: ListedEndpoint) =>
    test.mutate(endpoint, {
      onSuccess: ({ delivery }) => {
        setIsAsked(false);
        onSent(delivery, endpoint);
      },
    });
  const ask = () => {
    test.reset();
    setIsAsked(true);
  };
  const isOne = others.length === 0;
  return (
    <>
      <Button
        {...(isSmall ? { size: 'xs', className: 'strip-deed' } : {})}
        leftSection={<IconSend size={isSmall ? 14 : 16} />}
        loading={test.isPending && !isAsked}
        {...(isSmall && { 'aria-label': `Send test event to ${calledName(only)}` })}
        {...(isOne && { title: `To ${placeWords(only)}` })}
        onClick={() => (isOne ? send(only) : ask())}
      >
        {isOne ? 'Send test event' : 'Send test event…'}
      </Button>
      {!isAsked && <WrongLine error={test.error} isSmall effect="Nothing was sent." />}
      <OnceOpened isOpen={isAsked}>
        {(isOpen) => (
          <TestEventQuestion
            isAsked={isOpen}
            endpoints={able}
            isPending={test.isPending}
            error={test.error}
            onKeep={() => setIsAsked(false)}
            onGo={send}
          />
        )}
      </OnceOpened>
    </>
  );
}
