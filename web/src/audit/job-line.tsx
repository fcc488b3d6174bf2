import type { AuditEntry } from '../api/types.ts';
import { resultWords } from '../lists/job-outcome.ts';
import { useJob } from './use-job.ts';

interface JobLineProps {
  readonly entry: AuditEntry;
  /** What the entry itself says. */
  readonly otherwise: string | null;
}

/** What came of the job of an entry, in a line; what the entry says while that is not known. */
export function JobLine({ entry, otherwise }: JobLineProps) {
  const { data } = useJob(entry);
  const words = data ? resultWords(data) : otherwise;
  return (
    <div className="small cut" title={words ?? undefined}>
      {words}
    </div>
  );
}
