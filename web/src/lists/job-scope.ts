import type { Job } from '../api/types.ts';
import { dateAndTime } from '../parts/times.ts';
import { plainWords } from '../parts/words.ts';

/** Names for the ids of a filter; undefined for what is not known. */
export interface ScopeNames {
  readonly endpoint: (id: string) => string | undefined;
  readonly key: (id: string) => string | undefined;
}

/** What a job was narrowed to: `to Stock, key shop, Failed`. */
export function jobScope(
  { kind, filter }: Pick<Job, 'kind' | 'filter'>,
  names: ScopeNames,
): string {
  const text = (name: string) => {
    const value = filter[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const [endpoint, key, status, message] = ['endpoint_id', 'key_id', 'status', 'message_id'].map(
    text,
  );
  const [q, from, to] = [
    text('q'),
    text('from') ?? text('created_after'),
    text('to') ?? text('created_before'),
  ];
  const time = (at: string) => (Number.isNaN(Date.parse(at)) ? at : dateAndTime(at));
  const parts = [
    endpoint
      ? `to ${names.endpoint(endpoint) ?? 'one endpoint'}`
      : kind === 'redeliver' && 'to all endpoints',
    key && `key ${names.key(key) ?? 'deleted'}`,
    status && status.split(',').map(plainWords).join(' or '),
    text('event'),
    text('type'),
    text('error_code') && `failed with ${text('error_code')}`,
    text('resent') && (text('resent') === 'true' ? 'sent again' : 'not sent again'),
    message && 'of one message',
    q && `“${q}”`,
    text('mode') && plainWords(text('mode') ?? ''),
    from && `from ${time(from)}`,
    to && `before ${time(to)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
