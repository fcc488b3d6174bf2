import type { JobResult } from '../api/types.ts';
import { amount, counted } from '../parts/numbers.ts';
import { jobWords } from './job-words.ts';

/** More events than this are counted less often. */
const manyItems = 1_000;

const waitingOf = ({ deliveries }: JobResult) =>
  deliveries === null ? 0 : deliveries.pending + deliveries.retrying;

/** Whether the job has ended and nothing that it has set off waits any longer. */
export const isSettled = (result: JobResult) =>
  result.job.state !== 'running' && waitingOf(result) === 0;

/** Whether all that the job was about is as it should be. */
export const isWhole = (result: JobResult) =>
  isSettled(result) &&
  result.job.state === 'done' &&
  result.job.failed === 0 &&
  (result.deliveries?.failed ?? 0) === 0;

/** After how many milliseconds the job is read again; false: nothing of it changes. */
export function rereadMs(result: JobResult): number | false {
  if (isSettled(result)) return false;
  const { job, deliveries } = result;
  if (job.total > manyItems) return 15_000;
  if (job.state === 'running') return 1_000;
  return deliveries !== null && deliveries.pending > 0 ? 2_000 : 10_000;
}

/** How far a job is, or what came of it. */
export function outcomeWords({ job, deliveries }: JobResult): string {
  const { button, noun } = jobWords[job.kind];
  const head = `${button}${job.state === 'stopped' ? ', stopped' : ''}`;
  const far = `${amount(job.done)} of ${counted(job.total, noun)}`;
  const refused = job.failed > 0 && `${amount(job.failed)} not possible`;
  if (deliveries === null || job.total === 0) {
    return [`${head}: ${far} done`, refused].filter(Boolean).join(', ');
  }
  const { succeeded, failed, retrying, pending } = deliveries;
  const parts = [
    `${amount(succeeded)} delivered`,
    failed > 0 && `${amount(failed)} failed again`,
    retrying > 0 && `${amount(retrying)} failed and will be tried again`,
    pending > 0 && `${amount(pending)} ${pending === 1 ? 'waits' : 'wait'}`,
    refused,
  ];
  return `${head}, ${far}: ${parts.filter(Boolean).join(', ')}`;
}
