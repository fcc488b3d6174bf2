import { useQuery } from '@tanstack/react-query';
import { get } from '../api/client.ts';
import type { AuditEntry } from '../api/types.ts';
import { rereadMs } from '../lists/job-outcome.ts';

/** The job of an entry, as it is now. */
export const useJob = ({ subject_id: id }: AuditEntry) =>
  useQuery({
    queryKey: ['job', id],
    queryFn: () => get('/jobs/{id}', { id: id ?? '' }),
    refetchInterval: ({ state }) => (state.data ? rereadMs(state.data) : false),
    retry: false,
  });
