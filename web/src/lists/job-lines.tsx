import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { call, get, pathTo, withQuery } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Job } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { amount, counted } from '../parts/numbers.ts';
import { jobWords } from './job-words.ts';

interface JobLinesProps {
  readonly accountId: string | null;
  readonly kinds: readonly Job['kind'][];
}

/** The latest jobs of a list: those that run, and those that have ended since the console was opened. */
export function JobLines({ accountId, kinds }: JobLinesProps) {
  const jobs = useQuery({
    queryKey: ['jobs', accountId],
    queryFn: async () =>
      (await get<{ jobs: Job[] }>(withQuery('/jobs', { account_id: accountId }))).jobs,
  }).data;
  return jobs
    ?.filter(({ kind }) => kinds.includes(kind))
    .filter(({ ended_at: endedAt }) => endedAt === null || Date.parse(endedAt) > opened)
    .slice(0, linesMax)
    .map(({ id, kind }) => <JobLine key={id} id={id} kind={kind} />);
}

const linesMax = 3;

const opened = Date.now();

/** How long the first endpoints take to answer, and WhatsApp. */
const firstAnswersMs = 3_000;

function JobLine({ id, kind }: Pick<Job, 'id' | 'kind'>) {
  const { button, noun, lists } = jobWords[kind];
  const reread = useReread();
  const job = useQuery({
    queryKey: ['job', id],
    queryFn: async () => (await get<{ job: Job }>(pathTo`/jobs/${id}`)).job,
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'running' ? false : 1_000),
  });
  const stop = useGuardedMutation({
    mutationFn: () => call('POST', pathTo`/jobs/${id}/stop`),
    onSettled: () => job.refetch(),
  });
  const { data } = job;
  const isOver = data !== undefined && data.state !== 'running';
  const end = useEffectEvent(() => void reread(...lists.map((list) => [list])));
  useEffect(() => {
    if (!isOver) return;
    end();
    // What the job has set off is answered a moment later.
    const later = setTimeout(end, firstAnswersMs);
    return () => clearTimeout(later);
  }, [isOver]);
  if (!data) return null;
  return (
    <p className="small row" role="status">
      {button}
      {data.state === 'stopped' && ', stopped'}: {''}
      {amount(data.done)} of {counted(data.total, noun)} done
      {data.failed > 0 && `, ${amount(data.failed)} not possible`}
      {!isOver && (
        <button type="button" className="link" onClick={() => stop.mutate()}>
          Stop
        </button>
      )}
    </p>
  );
}
