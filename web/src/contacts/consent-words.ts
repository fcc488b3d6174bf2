import type { ConsentScope, ConsentState, ContactDetails } from '../api/types.ts';
import { dateAndTime } from '../parts/times.ts';

/** What the scopes of consent are called. */
export const scopeWords: Readonly<Record<ConsentScope, string>> = {
  marketing: 'Marketing',
  all: 'All templates',
};

/** What people call the states of consent. */
export const stateWords: Readonly<Record<ConsentState, string>> = {
  opted_in: 'Opted in',
  opted_out: 'Opted out',
};

const sources: Readonly<Record<string, string>> = {
  131050: 'WhatsApp refused a message: they had stopped marketing',
  api: 'API',
  dashboard: 'Dashboard',
  import: 'Import',
  keyword: 'Keyword in a message',
  opt_out_button: 'Button of a marketing template',
  user_preferences: 'WhatsApp’s own setting',
};

export const sourceWord = (source: string | null) => (source && sources[source]) ?? source;

type Consents = Pick<ContactDetails['consents'], 'all' | 'marketing' | 'history'>;

/** What a contact has said so far in one scope. */
export function presentWords(consents: Consents, scope: ConsentScope): string {
  const { state, since } = consents[scope];
  if (state === null) return `${scopeWords[scope]}: nothing said`;
  const time = since === null ? '' : ` since ${dateAndTime(since)}`;
  return `${scopeWords[scope]}: ${stateWords[state].toLowerCase()}${time}`;
}

/** The id of a message that stands before what it said, and its words; each empty if there is none. */
export function evidenceParts(evidence: string): { readonly id: string; readonly words: string } {
  const [before = '', id = ''] = /^(wamid\.[^\s:]+):?\s*/.exec(evidence) ?? [];
  return { id, words: evidence.slice(before.length) };
}

/** Which opt-out an opt-in ends; null if there is none in this scope. */
export function endedWords(
  consents: Consents,
  scope: ConsentScope,
  state: ConsentState,
): string | null {
  const { state: present, since, source } = consents[scope];
  if (state !== 'opted_in' || present !== 'opted_out' || since === null) return null;
  const last = consents.history.find((entry) => entry.scope === scope);
  // The id of a message says nothing here.
  const evidence = last?.evidence && evidenceParts(last.evidence).words;
  const known = [sourceWord(source), evidence && `“${evidence}”`].filter(Boolean).join(', ');
  return `This ends the opt-out of ${dateAndTime(since)}${known && ` (${known})`}.`;
}
