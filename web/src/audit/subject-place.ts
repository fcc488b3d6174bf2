import type { AuditEntry } from '../api/types.ts';
import { isJobKind, jobWords } from '../lists/job-words.ts';
import { counted } from '../parts/numbers.ts';

type Placed = Pick<AuditEntry, 'action' | 'subject_type' | 'subject_name' | 'details' | 'endpoint'>;

/** The name of the endpoint that the key's own `webhook_url` sets. */
const defaultName = 'default';

/** `crm.example/hooks`, without what it asks for after `?`. */
function addressOf(url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/$/, '');
}

/** An endpoint as people know it: `Stock · crm.example/hooks`; null where nothing is known of it. */
export function endpointWords({ endpoint, action, details }: Placed): string | null {
  const own = action.startsWith('api_key.endpoint_') ? details : {};
  const { name, url }: { name?: unknown; url?: unknown } = own;
  const known = endpoint?.name ?? name;
  const parts = [known !== defaultName && known, addressOf(url) ?? addressOf(endpoint?.url)];
  const words = parts.filter((part) => typeof part === 'string').join(' · ');
  return words || (endpoint ? 'a deleted endpoint' : null);
}

/** What tells an entry from others of the same name: the endpoint, the language, how many a job was about. */
export function subjectPlace(entry: Placed): string | null {
  const { subject_type: type, subject_name: name, details } = entry;
  const { total, language }: { total?: unknown; language?: unknown } = details;
  const parts = [
    type === 'job' &&
      isJobKind(name) &&
      typeof total === 'number' &&
      counted(total, jobWords[name].noun),
    type === 'template_mapping' && typeof language === 'string' && language,
    endpointWords(entry),
  ];
  return parts.filter(Boolean).join(' · ') || null;
}
