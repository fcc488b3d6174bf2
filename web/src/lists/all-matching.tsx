import { Button } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { call, get, pathTo } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Job } from '../api/types.ts';
import { useMutation } from '../parts/mutation.ts';
import { amount, counted } from '../parts/numbers.ts';
import { Question } from '../parts/question.tsx';

interface JobWords {
  /** Verb and object. */
  readonly button: string;
  readonly noun: string;
  /** What happens to each. */
  readonly effect: string;
  /** The key of the list. */
  readonly list: string;
}

const words: Readonly<Record<Job['kind'], JobWords>> = {
  redeliver: {
    button: 'Deliver all again',
    noun: 'event',
    effect: 'Each goes to its endpoint once more, with the same id. What waits goes now.',
    list: 'deliveries',
  },
  resend: {
    button: 'Send all again',
    noun: 'message',
    effect:
      'Each is sent as a new message with the key that sent it, at the pace of the number and within the quota of the key. What has a fallback or was sent again before is left out.',
    list: 'messages',
  },
  cancel: {
    button: 'Cancel all',
    noun: 'message',
    effect: 'What no worker has in hand is never sent then.',
    list: 'messages',
  },
};

interface AllMatchingProps {
  readonly kind: Job['kind'];
  /** The parameters of the list. */
  readonly asked: () => Readonly<Record<string, unknown>>;
}

/** Does something to all that matches, also to what the page does not show, and tells how far it is. */
export function AllMatching({ kind, asked }: AllMatchingProps) {
  const { button, noun, effect, list } = words[kind];
  const reread = useReread();
  const [isAsked, setIsAsked] = useState(false);
  const [jobId, setJobId] = useState<string | null>(null);
  const begin = useMutation({
    mutationFn: () => call<{ job: Job }>('POST', '/jobs', { kind, filter: given(asked()) }),
    onSuccess: ({ data }) => {
      setJobId(data.job.id);
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
      {jobId && <JobLine id={jobId} noun={noun} onEnd={() => void reread([list])} />}
    </>
  );
}

function JobLine({ id, noun, onEnd }: { id: string; noun: string; onEnd: () => void }) {
  const job = useQuery({
    queryKey: ['job', id],
    queryFn: async () => (await get<{ job: Job }>(pathTo`/jobs/${id}`)).job,
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'running' ? false : 1_000),
  });
  const stop = useMutation({
    mutationFn: () => call('POST', pathTo`/jobs/${id}/stop`),
    onSettled: () => job.refetch(),
  });
  const { data } = job;
  const isOver = data !== undefined && data.state !== 'running';
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isOver) end();
  }, [isOver]);
  if (!data) return null;
  return (
    <span className="small row" role="status">
      {data.state === 'stopped' && 'Stopped: '}
      {amount(data.done)} of {counted(data.total, noun)} done
      {data.failed > 0 && `, ${amount(data.failed)} not possible`}
      {!isOver && (
        <button type="button" className="link" onClick={() => stop.mutate()}>
          Stop
        </button>
      )}
    </span>
  );
}

/** A filter without what is not set. */
const given = (asked: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== null && value !== undefined),
  );
