import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../api/client.ts';
import type { AuditEntry } from '../api/types.ts';
import { rereadMs, resultWords } from '../lists/job-outcome.ts';
import { isJobKind } from '../lists/job-words.ts';
import { Fact } from '../parts/facts.tsx';
import { filterSearch } from './filter-search.ts';

/** What came of the job of an entry, as it is now, and the list that it was about. */
export function JobFacts({ entry }: { entry: AuditEntry }) {
  const { subject_id: id, subject_name: kind, details } = entry;
  const query = useQuery({
    queryKey: ['job', id],
    queryFn: () => get('/jobs/{id}', { id: id ?? '' }),
    refetchInterval: ({ state }) => (state.data ? rereadMs(state.data) : false),
    retry: false,
  });
  const search = 'filter' in details && isJobKind(kind) ? filterSearch(kind, details.filter) : null;
  return (
    <>
      <Fact name="Outcome">
        {query.data
          ? resultWords(query.data)
          : query.isPending
            ? 'Reading …'
            : 'Not known any longer: a job is kept for 90 days after its end.'}
      </Fact>
      <Fact name="List">
        {search && (
          <Link to={kind === 'redeliver' ? '/webhooks' : '/messages'} search={search}>
            Show what matches the filter now
          </Link>
        )}
      </Fact>
    </>
  );
}
