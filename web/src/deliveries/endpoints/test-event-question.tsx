import { Radio } from '@mantine/core';
import { useState } from 'react';
import type { ListedEndpoint } from '../../api/types.ts';
import { Question } from '../../parts/question.tsx';
import { calledName, shortAddress } from './strip-words.ts';

interface TestEventQuestionProps {
  readonly isAsked: boolean;
  /** Those that can get one. */
  readonly endpoints: readonly ListedEndpoint[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onKeep: () => void;
  readonly onGo: (endpoint: ListedEndpoint) => void;
}

/** Asks which of several endpoints gets a test event. */
export function TestEventQuestion(props: TestEventQuestionProps) {
  const { isAsked, endpoints, isPending, error, onKeep, onGo } = props;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [wasAsked, setWasAsked] = useState(isAsked);
  if (isAsked !== wasAsked) {
    setWasAsked(isAsked);
    // Each time it opens, nothing is chosen; while it fades, its words stay.
    if (isAsked) setChosenId(null);
  }
  const chosen = endpoints.find(({ endpoint_id: id }) => id === chosenId);
  return (
    <Question
      isAsked={isAsked}
      title={
        chosen
          ? `Send a test event to “${calledName(chosen)}”?`
          : 'Send a test event to which endpoint?'
      }
      go={chosen ? `Send to ${calledName(chosen)}` : 'Send test event'}
      isReady={chosen !== undefined}
      isPending={isPending}
      error={error}
      effect="Nothing was sent."
      onKeep={onKeep}
      onGo={() => chosen && onGo(chosen)}
    >
      <Radio.Group label="Endpoint" value={chosenId} onChange={setChosenId}>
        <div className="stack endpoint-choice" style={{ gap: 10, marginTop: 8 }}>
          {endpoints.map((endpoint) => (
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
  );
}

/** Its name; with the key, where it has a name of its own. */
function nameOf(endpoint: ListedEndpoint): string {
  const name = calledName(endpoint);
  const { api_key_name: key, mode } = endpoint;
  return [name, key !== name && `of ${key}`, mode === 'test' && '(test)'].filter(Boolean).join(' ');
}
