import type { LinkProps } from '@tanstack/react-router';
import type { AuditEntry } from '../api/types.ts';
import { isJobKind } from '../lists/job-words.ts';
import { filterSearch } from './filter-search.ts';

type Started = Pick<AuditEntry, 'subject_type' | 'subject_name' | 'details'>;

/** The list that the job of an entry is about, with its filter; undefined where the list cannot show it. */
export function jobLink({
  subject_type: type,
  subject_name: kind,
  details,
}: Started): Pick<LinkProps, 'to' | 'search'> | undefined {
  if (type !== 'job' || !isJobKind(kind) || !('filter' in details)) return undefined;
  const search = filterSearch(kind, details['filter']);
  return search ? { to: kind === 'redeliver' ? '/webhooks' : '/messages', search } : undefined;
}
