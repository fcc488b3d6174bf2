import { Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { ListedEndpoint } from '../../api/types.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { counted } from '../../parts/numbers.ts';
import { Question } from '../../parts/question.tsx';
import { momentText } from '../../parts/times.ts';
import { usePlace } from '../../session/session.tsx';
import { recoveryWords } from './recovery-words.ts';
import { StillWaits } from './still-waits.tsx';
import { calledName, missedWords } from './strip-words.ts';

/** By then, the first events that are delivered again have arrived, or not. */
const firstAnswersMs = 3_000;

/** Enables an endpoint that is off, and delivers again what it missed; asks first. */
export function StripRecovery({ endpoint }: { endpoint: ListedEndpoint }) {
  const { api_key_id: keyId, endpoint_id: id, missed, missed_since: since } = endpoint;
  const [isAsked, setIsAsked] = useState(false);
  const reread = useReread();
  const isOff = endpoint.health === 'disabled';
  const recovery = useGuardedMutation({
    mutationFn: async () => {
      const path = '/api-keys/{id}/webhooks/{endpoint_id}';
      const given = { id: keyId, endpoint_id: id };
      if (isOff) await call('POST', `${path}/enable`, given);
      if (missed === 0) return 0;
      return (await call('POST', `${path}/recover`, given, { since })).data.recovered;
    },
    onSuccess: () => {
      setIsAsked(false);
      setTimeout(() => void reread(['endpoints']), firstAnswersMs);
    },
    // It may be enabled although nothing was recovered.
    onSettled: () =>
      reread(['endpoints'], ['deliveries'], ['key', keyId], ['keys'], ['alerts'], ['overview']),
  });
  const { mayChange } = usePlace();
  const words = mayChange ? recoveryWords(endpoint) : null;
  const done = recovery.data;
  const close = () => {
    setIsAsked(false);
    recovery.reset();
  };
  return (
    <>
      {words && (
        <Button
          size="xs"
          className="strip-deed"
          aria-label={`${words.button.replace('…', '')} ${calledName(endpoint)}…`}
          onClick={() => setIsAsked(true)}
        >
          {words.button}
        </Button>
      )}
      <p className="small" role="status" hidden={!done}>
        {done !== undefined && `${counted(done, 'event')} handed over`}
      </p>
      <Question
        isAsked={isAsked && words !== null}
        title={words?.title ?? ''}
        go={words?.go ?? ''}
        isPending={recovery.isPending}
        error={recovery.error}
        effect="Nothing is redelivered."
        onKeep={close}
        onGo={() => recovery.mutate()}
      >
        {isOff && (
          <p>
            It gets events again from now on. Fix your endpoint first: if it still answers 410 or
            accepts nothing, Parley switches it off again.
          </p>
        )}
        {missed > 0 && (
          <p>
            {missedWords(endpoint)} that it missed since {momentText(since)}{' '}
            {missed === 1 ? 'is' : 'are'} redelivered, with the same ids and bytes. Successful
            deliveries are not repeated.
          </p>
        )}
        <StillWaits endpoint={endpoint} onLeave={close} />
      </Question>
    </>
  );
}
