import type { AuditEntry } from '../api/types.ts';
import { jobWords } from '../lists/job-words.ts';
import { typeNameOf } from '../parts/type-names.ts';
import { plainWords } from '../parts/words.ts';

type Subject = Pick<AuditEntry, 'subject_type' | 'subject_id' | 'subject_name' | 'details'>;

/** What an entry is about, as people call it; null if it is about nothing of its own. */
export function subjectName(entry: Subject): string | null {
  const { subject_type: type, subject_id: id, subject_name: name } = entry;
  if (name === null) return id === null ? null : plainWords(type);
  // The log has the type of a message, and the kind of an alert, an event or a job.
  if (type === 'message') {
    return `${typeNameOf(name === 'template_send' ? 'template' : name)} message`;
  }
  if (type === 'alert' || type === 'notification') return plainWords(name);
  if (type === 'job') return new Map(Object.entries(jobWords)).get(name)?.button ?? name;
  if (type === 'template_mapping' && 'template' in entry.details) {
    return `${String(entry.details.template)}, ${name}`;
  }
  return name;
}
