import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../api/types.ts';
import { resultWords } from '../lists/job-outcome.ts';
import { Fact } from '../parts/facts.tsx';
import { jobLink } from './job-link.ts';
import { useJob } from './use-job.ts';

/** What came of the job of an entry, as it is now, and the list that it was about. */
export function JobFacts({ entry }: { entry: AuditEntry }) {
  const query = useJob(entry);
  const link = jobLink(entry);
  return (
    <>
      <Fact name="Outcome">
        {query.data
          ? resultWords(query.data)
          : query.isPending
            ? 'Reading …'
            : 'Not known any longer: a job is kept for 90 days after its end.'}
      </Fact>
      <Fact name="List">{link && <Link {...link}>Show what matches the filter now</Link>}</Fact>
    </>
  );
}
