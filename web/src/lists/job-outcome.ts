import type { JobResult } from '../api/types.ts';
import { amount, counted } from '../parts/numbers.ts';
import { jobWords } from './job-words.ts';

/** More events than this are counted less often. */
const manyItems = 1_000;

const waitingOf = ({ deliveries, messages }: JobResult) =>
  (deliveries ? deliveries.pending + deliveries.retrying : 0) + (messages?.waiting ?? 0);

/** Whether the job has ended and nothing that it has set off waits any longer. */
export const isSettled = (result: JobResult) =>
  result.job.state !== 'running' && waitingOf(result) === 0;

/** After how many milliseconds the job is read again; false: nothing of it changes. */
export function rereadMs(result: JobResult): number | false {
  if (isSettled(result)) return false;
  const { job, deliveries, messages } = result;
  if (job.total > manyItems) return 15_000;
  if (job.state === 'running') return 1_000;
  return (deliveries?.pending ?? messages?.waiting ?? 0) > 0 ? 2_000 : 10_000;
}

/** How far a job is, or what came of it: `35 of 35 events handed over: 20 delivered, 15 wait`. */
export function resultWords({ job, deliveries, messages }: JobResult): string {
  const { noun } = jobWords[job.kind];
  const isStopped = job.state === 'stopped';
  const far = `${isStopped ? 'Stopped after ' : ''}${amount(job.done)} of ${counted(job.total, noun)}`;
  const refused = job.failed > 0 && `${amount(job.failed)} not possible`;
  const parts = deliveries ? deliveryWords(deliveries) : messages ? messageWords(messages) : null;
  if (parts === null || job.total === 0) {
    return [`${far} done`, refused].filter(Boolean).join(', ');
  }
  return `${far} handed over: ${[...parts, refused].filter(Boolean).join(', ')}`;
}

/** What can be done about what waits once the job itself has ended; null while it runs, or where nothing waits. */
export function waitingWords(result: JobResult): string | null {
  const { job, deliveries } = result;
  if (job.state === 'running' || waitingOf(result) === 0) return null;
  return [
    job.state === 'done' && 'All are handed over: there is nothing left to stop.',
    deliveries
      ? 'What waits or is to be tried again cannot be taken back.'
      : 'You can cancel what is queued in the list.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Which part of all has ended for good, 0 to 1. */
export function progressOf({ job, deliveries, messages }: JobResult): number {
  if (job.total === 0) return 1;
  const ended = deliveries
    ? deliveries.succeeded + deliveries.failed
    : messages
      ? messages.sent + messages.failed + messages.unconfirmed
      : job.done;
  return Math.min(1, (ended + job.failed) / job.total);
}

const waitWords = (count: number) =>
  count > 0 && `${amount(count)} ${count === 1 ? 'waits' : 'wait'}`;

const deliveryWords = (counts: NonNullable<JobResult['deliveries']>) => [
  `${amount(counts.succeeded)} delivered`,
  counts.failed > 0 && `${amount(counts.failed)} failed again`,
  counts.retrying > 0 && `${amount(counts.retrying)} failed, to be tried again`,
  waitWords(counts.pending),
];

const messageWords = (counts: NonNullable<JobResult['messages']>) => [
  `${amount(counts.sent)} sent`,
  counts.failed > 0 && `${amount(counts.failed)} failed again`,
  counts.unconfirmed > 0 && `${amount(counts.unconfirmed)} unconfirmed`,
  waitWords(counts.waiting),
];
