import { actionWords } from '../../../src/audit/action-words.ts';
import { fieldLabels, nullWords, valueWords } from '../../../src/audit/field-labels.ts';
import { amount, counted } from '../parts/numbers.ts';
import { dateAndTime, duration } from '../parts/times.ts';
import { plainWords } from '../parts/words.ts';
import { type DetailLink, detailLink } from './detail-link.ts';
import { changedVariableLines, variableLines, variablesOf } from './variable-lines.ts';

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/** One value of an entry: what it is called, and what it is, or what it was and became. */
export interface Detail {
  readonly name: string;
  readonly text: string;
  /** The same in lines, where it is long. */
  readonly lines?: readonly string[];
  /** The page of what the value names. */
  readonly link?: DetailLink;
}

type Detailed = { readonly details: object };

/** What was done. An entry may say more than the words for its kind: which of the old values were ended, how many events. */
export function doneWords({ action, details }: Detailed & { readonly action: string }): string {
  const recovered =
    action === 'api_key.webhook_recovered' && 'recovered' in details && details.recovered;
  if (recovered === 0) return 'Recovery found no missed event';
  if (typeof recovered === 'number') return `${counted(recovered, 'missed event')} recovered`;
  const ended = action === 'api_key.overlap_ended' && 'ended' in details && details.ended;
  if (!Array.isArray(ended) || ended.length === 0) return actionWords(action);
  const names = ended.map((each) => valueText(each, 'ended'));
  return `Old ${new Intl.ListFormat('en').format(names)} ended early`;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

type Plain = string | number | boolean | null | undefined;

const isPlain = (value: unknown): value is Plain =>
  value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);

const acronyms: Readonly<Record<string, string>> = {
  api: 'API',
  id: 'id',
  ip: 'IP',
  ips: 'IPs',
  url: 'URL',
  whatsapp: 'WhatsApp',
};

/** As the form calls it; a field of another version in plain words: `rate_of_ips` → `Rate of IPs` */
const fieldWords = (name: string): string =>
  (Object.hasOwn(fieldLabels, name) && fieldLabels[name]) ||
  plainWords(name).replaceAll(/\p{L}+/gu, (word) => acronyms[word.toLowerCase()] ?? word);

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text);

function shown(value: Plain, field = ''): string {
  const words = typeof value === 'string' && valueWords[field]?.[value];
  if (words) return words;
  if (field === 'overlap_seconds' && typeof value === 'number') {
    return value === 0 ? 'not at all' : duration(value * 1_000);
  }
  if (field === 'failure_rate' && typeof value === 'number') return `${value * 100} %`;
  if (value === null) return nullWords[field] ?? 'none';
  if (value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // A code is no amount.
  if (typeof value === 'number') return /code/.test(field) ? String(value) : amount(value);
  return isTime(value) ? dateAndTime(value) : value;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const lowered = (text: string) =>
  /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/** Any value in words. */
function valueText(value: unknown, field = ''): string {
  if (isPlain(value)) return shown(value, field);
  if (Array.isArray(value)) {
    return value.map((each) => valueText(each, field)).join(', ') || 'none';
  }
  const parts = Object.entries<unknown>({ ...value });
  const texts = parts.map(
    ([name, part]) => `${lowered(fieldWords(name))} ${valueText(part, name)}`,
  );
  return texts.join(', ') || 'none';
}

/** The parts of an object that are other ones now. */
function changedParts({ from, to }: { from: object; to: object }): object {
  const former = new Map<string, unknown>(Object.entries(from));
  const parts = Object.entries<unknown>({ ...to })
    .map(([part, value]) => [part, { from: former.get(part), to: value }] as const)
    .filter(([, part]) => JSON.stringify(part.from) !== JSON.stringify(part.to));
  return Object.fromEntries(parts);
}

/** What an entry changed, a line for each field; empty if there is none. */
export function changeLines({ details }: Detailed): string[] {
  return Object.entries<unknown>({ ...details }).flatMap(([name, value]) => {
    if (value === 'changed') return [`${fieldWords(name)} changed`];
    if (!isChange(value)) return [];
    const { from, to } = value;
    if (name === 'variables') {
      return from === null ? [] : [`${fieldWords(name)} changed`];
    }
    if (isObject(from) && isObject(to)) {
      return changeLines({ details: changedParts({ from, to }) }).map(
        (line) => `${fieldWords(name)}: ${lowered(line)}`,
      );
    }
    return isPlain(from) && isPlain(to)
      ? [`${fieldWords(name)} ${shown(from, name)} → ${shown(to, name)}`]
      : [`${fieldWords(name)} changed`];
  });
}

/** All that an entry says, a name and a text for each value. */
export function detailsOf({ details }: Detailed): Detail[] {
  return Object.entries<unknown>({ ...details }).flatMap(([key, value]) => {
    const name = fieldWords(key);
    if (key === 'variables') return [variablesDetail(name, value)];
    if (key === 'filter' && isObject(value)) {
      return detailsOf({ details: value }).map((part) => ({
        ...part,
        name: `${name}: ${lowered(part.name)}`,
      }));
    }
    if (!isChange(value)) {
      const link = detailLink(key, value);
      return [{ name, text: valueText(value, key), ...(link && { link }) }];
    }
    const { from, to } = value;
    if (isObject(from) && isObject(to)) {
      return detailsOf({ details: changedParts({ from, to }) }).map((part) => ({
        name: `${name}: ${lowered(part.name)}`,
        text: part.text,
      }));
    }
    return [{ name, text: `${valueText(from, key)} → ${valueText(to, key)}` }];
  });
}

function variablesDetail(name: string, value: unknown): Detail {
  const lines = isChange(value)
    ? changedVariableLines(variablesOf(value.from), variablesOf(value.to))
    : variableLines(variablesOf(value));
  return { name, text: lines.join('; ') || 'none', lines };
}
