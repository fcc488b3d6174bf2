import { Button, Radio } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { Delivery, ListedEndpoint } from '../../api/types.ts';
import { Question } from '../../parts/question.tsx';
import { WrongLine } from '../../parts/wrong-line.tsx';
import { usePlace } from '../../session/session.tsx';
import { useTestEvent } from '../delivery-changes.ts';
import { calledName, placeWords, shortAddress } from './strip-words.ts';

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
  const [chosenId, setChosenId] = useState<string | null>(null);
  const able = endpoints.filter(({ health }) => health !== 'disabled');
  const [only, ...others] = able;
  if (!mayChange || !only) return null;
  const chosen = able.find(({ endpoint_id: id }) => id === chosenId);
  const send = (endpoint: ListedEndpoint) =>
    test.mutate(endpoint, {
      onSuccess: ({ delivery }) => {
        setIsAsked(false);
        onSent(delivery, endpoint);
      },
    });
  const ask = () => {
    test.reset();
    setChosenId(null);
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
      <Question
        isAsked={isAsked}
        title={
          chosen
            ? `Send a test event to “${calledName(chosen)}”?`
            : 'Send a test event to which endpoint?'
        }
        go={chosen ? `Send to ${calledName(chosen)}` : 'Send test event'}
        isReady={chosen !== undefined}
        isPending={test.isPending}
        error={test.error}
        effect="Nothing was sent."
        onKeep={() => setIsAsked(false)}
        onGo={() => chosen && send(chosen)}
      >
        <Radio.Group label="Endpoint" value={chosenId} onChange={setChosenId}>
          <div className="stack" style={{ gap: 10, marginTop: 8 }}>
            {able.map((endpoint) => (
              <Radio
                key={endpoint.endpoint_id}
                value={endpoint.endpoint_id}
                label={nameOf(endpoint)}
                description={shortAddress(endpoint.url)}
              />
            ))}
          </div>
        </Radio.Group>
      </Question>
    </>
  );
}

/** Its name; with the key, where it has a name of its own. */
function nameOf(endpoint: ListedEndpoint): string {
  const name = calledName(endpoint);
  const { api_key_name: key, mode } = endpoint;
  return [name, key !== name && `of ${key}`, mode === 'test' && '(test)'].filter(Boolean).join(' ');
}
