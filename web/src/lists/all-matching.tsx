import { Button } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Job } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { Question } from '../parts/question.tsx';
import { jobWords } from './job-words.ts';

interface AllMatchingProps {
  readonly kind: Job['kind'];
  /** The parameters of the list. */
  readonly asked: () => Readonly<Record<string, unknown>>;
}

/** Does something to all that matches, also to what the page does not show. */
export function AllMatching({ kind, asked }: AllMatchingProps) {
  const { button, noun, effect } = jobWords[kind];
  const reread = useReread();
  const [isAsked, setIsAsked] = useState(false);
  const begin = useGuardedMutation({
    mutationFn: () => call<{ job: Job }>('POST', '/jobs', { kind, filter: given(asked()) }),
    onSuccess: async () => {
      await reread(['jobs']);
      setIsAsked(false);
    },
  });
  return (
    <>
      <Button leftSection={<IconStack2 size={16} />} onClick={() => setIsAsked(true)}>
        {button}…
      </Button>
      <Question
        isAsked={isAsked}
        title={`${button}?`}
        keep="Change nothing"
        go={button}
        isPending={begin.isPending}
        error={begin.error}
        onKeep={() => setIsAsked(false)}
        onGo={() => begin.mutate()}
      >
        <p>
          This is about every {noun} that matches the filters now, at most 100,000. {effect}
        </p>
        <p>It can be stopped. What is done by then stays.</p>
      </Question>
    </>
  );
}

/** A filter without what is not set. */
const given = (asked: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== null && value !== undefined),
  );
