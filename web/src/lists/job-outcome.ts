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

/** Whether all that the job was about is as it should be. */
export const isWhole = (result: JobResult) =>
  isSettled(result) &&
  result.job.state === 'done' &&
  result.job.failed === 0 &&
  (result.deliveries?.failed ?? 0) === 0 &&
  (result.messages?.failed ?? 0) + (result.messages?.unconfirmed ?? 0) === 0;

/** After how many milliseconds the job is read again; false: nothing of it changes. */
export function rereadMs(result: JobResult): number | false {
  if (isSettled(result)) return false;
  const { job, deliveries, messages } = result;
  if (job.total > manyItems) return 15_000;
  if (job.state === 'running') return 1_000;
  return (deliveries?.pending ?? messages?.waiting ?? 0) > 0 ? 2_000 : 10_000;
}

/** How far a job is, or what came of it. */
export function outcomeWords({ job, deliveries, messages }: JobResult): string {
  const { button, noun } = jobWords[job.kind];
  const head = `${button}${job.state === 'stopped' ? ', stopped' : ''}`;
  const far = `${amount(job.done)} of ${counted(job.total, noun)}`;
  const refused = job.failed > 0 && `${amount(job.failed)} not possible`;
  const parts = deliveries ? deliveryWords(deliveries) : messages ? messageWords(messages) : null;
  return parts === null || job.total === 0
    ? [`${head}: ${far} done`, refused].filter(Boolean).join(', ')
    : `${head}, ${far}: ${[...parts, refused].filter(Boolean).join(', ')}`;
}

const waitWords = (count: number) =>
  count > 0 && `${amount(count)} ${count === 1 ? 'waits' : 'wait'}`;

const deliveryWords = (counts: NonNullable<JobResult['deliveries']>) => [
  `${amount(counts.succeeded)} delivered`,
  counts.failed > 0 && `${amount(counts.failed)} failed again`,
  counts.retrying > 0 && `${amount(counts.retrying)} failed and will be tried again`,
  waitWords(counts.pending),
];

const messageWords = (counts: NonNullable<JobResult['messages']>) => [
  `${amount(counts.sent)} sent`,
  counts.failed > 0 && `${amount(counts.failed)} failed again`,
  counts.unconfirmed > 0 && `${amount(counts.unconfirmed)} unconfirmed`,
  waitWords(counts.waiting),
];
