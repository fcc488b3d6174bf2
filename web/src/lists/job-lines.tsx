import './job-lines.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { dayMs } from '../../../libs/durations/index.ts';
import { call, get } from '../api/client.ts';
import { keysQuery } from '../api/key-queries.ts';
import { useReread } from '../api/reread.ts';
import type { Job } from '../api/types.ts';
import { Moment } from '../parts/moment.tsx';
import { useGuardedMutation } from '../parts/mutation.ts';
import { dismissedJobs, dismissJob } from './dismissed-jobs.ts';
import { isSettled, progressOf, rereadMs, resultWords, waitingWords } from './job-outcome.ts';
import { jobScope, type ScopeNames } from './job-scope.ts';
import { jobWords } from './job-words.ts';

interface JobLinesProps {
  readonly accountId: string | null;
  readonly kinds: readonly Job['kind'][];
  /** The address of the user who looks at it. */
  readonly user: string;
  /** What an endpoint is called. */
  readonly endpointName?: ScopeNames['endpoint'];
}

const unknownName: ScopeNames['endpoint'] = () => undefined;

/**
 * The latest jobs of a list: those that run, those that have ended since the console was opened, and the user's own ones
 * of the last day. A line stays until somebody dismisses it.
 */
export function JobLines({ accountId, kinds, user, endpointName = unknownName }: JobLinesProps) {
  const [dismissed, setDismissed] = useState(dismissedJobs);
  const jobs = useQuery({
    queryKey: ['jobs', accountId],
    queryFn: async () => (await get('/jobs', { account_id: accountId })).jobs,
  }).data;
  const dismiss = (id: string) => {
    dismissJob(id);
    setDismissed(dismissedJobs());
  };
  const keys = useQuery(keysQuery(accountId)).data;
  const names: ScopeNames = {
    endpoint: endpointName,
    key: (id) => keys?.find((key) => key.id === id)?.name,
  };
  const lines = jobs
    ?.filter(({ kind, id }) => kinds.includes(kind) && !dismissed.includes(id))
    .filter(
      ({ ended_at: endedAt, created_by: maker }) =>
        endedAt === null || Date.parse(endedAt) > (maker === user ? opened - dayMs : opened),
    )
    .slice(0, linesMax)
    .map((job) => (
      <JobLine
        key={job.id}
        job={job}
        scope={jobScope(job, names)}
        onDismiss={() => dismiss(job.id)}
      />
    ));
  return lines && lines.length > 0 ? <div className="job-lines">{lines}</div> : null;
}

const linesMax = 5;

const opened = Date.now();

/** How long the first endpoints take to answer, and WhatsApp. */
const firstAnswersMs = 3_000;

interface JobLineProps {
  readonly job: Job;
  /** What it was narrowed to. */
  readonly scope: string;
  readonly onDismiss: () => void;
}

function JobLine({ job, scope, onDismiss }: JobLineProps) {
  const { id, kind } = job;
  const { lists, button } = jobWords[kind];
  const reread = useReread();
  const query = useQuery({
    queryKey: ['job', id],
    queryFn: () => get('/jobs/{id}', { id }),
    refetchInterval: ({ state }) => (state.data ? rereadMs(state.data) : 1_000),
  });
  const stop = useGuardedMutation({
    mutationFn: () => call('POST', '/jobs/{id}/stop', { id }),
    onSettled: () => query.refetch(),
  });
  const { data } = query;
  const isOver = data !== undefined && data.job.state !== 'running';
  const isQuiet = data !== undefined && isSettled(data);
  const end = useEffectEvent(() => void reread(...lists.map((list) => [list])));
  useEffect(() => {
    if (!isOver) return;
    end();
    // What the job has set off is answered a moment later.
    const later = setTimeout(end, firstAnswersMs);
    return () => clearTimeout(later);
  }, [isOver, isQuiet]);
  if (!data) return null;
  const waiting = waitingWords(data);
  return (
    <div className="card job-line small">
      <div className="spread wrap">
        <span className="job-about">
          <b>{button}</b> {scope}
          <span className="quiet">
            {' '}
            · started <Moment at={job.created_at} /> by {job.created_by}
          </span>
        </span>
        {isOver ? (
          <button type="button" className="link" onClick={onDismiss}>
            Dismiss
          </button>
        ) : (
          <button type="button" className="link" onClick={() => stop.mutate()}>
            Stop
          </button>
        )}
      </div>
      <div className="job-bar" aria-hidden="true">
        <span style={{ width: `${progressOf(data) * 100}%` }} />
      </div>
      <p role="status">{resultWords(data)}</p>
      {waiting && <p className="quiet">{waiting}</p>}
    </div>
  );
}
