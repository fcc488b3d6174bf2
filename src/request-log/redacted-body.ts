import { AppError } from '../errors/app-error.js';
import { bodyMaxBytes, type RawBody } from '../http/server/raw-body.js';
import { readJsonBody } from '../http/validation/json-body.js';
import { plainNameOf } from './logged-request.js';

/** A redacted body is cut after so many characters. */
const keptMax = 16 * 1024;

/** A list or an object keeps at most this many members. */
const membersMax = 50;

/** Fields whose texts say what is meant and not to whom: kept, if they look like names. */
const namingFields = new Set([
  'action',
  'category',
  'component',
  'format',
  'id',
  'language',
  'message_events',
  'mode',
  'parameter_name',
  'scope',
  'state',
  'sub_type',
  'template_id',
  'template_name',
  'type',
  'window',
]);

/** Fields whose members have names of the caller's own, or are about a person: no value within them is kept. */
const freeFields = new Set(['contacts', 'data', 'variables']);

/** Fields whose texts are kept if they are times. */
const timeFields = new Set(['expires_at', 'send_at']);

const phoneFields = new Set(['to', 'phone', 'from', 'wa_id', 'phone_number']);

const name = /^[a-z\d][\w.:-]{0,63}$/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const time = /^\d{4}-\d\d-\d\dT[\d:.]{5,15}(?:Z|[+-]\d\d:?\d\d)$/;
const phone = /^\+?[\d ().-]{7,24}$/;

/**
 * A body as text that shows which field is wrong and tells nothing about people: JSON with its fields, types and small
 * numbers, at most 16 KiB. Phone numbers keep two digits at each end, links their origin, other texts their length. A
 * body that is not JSON becomes its length and the reason.
 */
export function redactedBody(body: RawBody): string {
  const size = body.isTooLarge ? 'A body' : `A body of ${counted(body.bytes.length, 'byte')}`;
  if (body.bytes.length > bodyMaxBytes) return `${size}: more than is kept.`;
  let parsed: object;
  try {
    parsed = readJsonBody(body).value;
  } catch (error) {
    return `${size}: it ${ruleIn(error)}.`;
  }
  const text = JSON.stringify(redacted(parsed, '', false), null, 2);
  return text.length > keptMax ? `${text.slice(0, keptMax)}\n… cut here` : text;
}

/** What a body that cannot be read violates. What the parser of JSON says may quote it; its position does not. */
function ruleIn(error: unknown): string {
  const fields = error instanceof AppError ? error.details?.fields : null;
  const rule = fields && typeof fields === 'object' && 'body' in fields ? String(fields.body) : '';
  const [plain = ''] = rule.split(' (');
  const position = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?\)$/.exec(rule)?.[1];
  return position === undefined ? plain : `${plain}, and is not at position ${position}`;
}

/** @param isFree within a field whose values are all left out. */
function redacted(value: unknown, field: string, isFree: boolean): unknown {
  if (typeof value === 'string') return redactedText(value, field, isFree);
  if (typeof value === 'number') return redactedNumber(value, field, isFree);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const members = value.slice(0, membersMax).map((member) => redacted(member, field, isFree));
    return value.length > membersMax ? [...members, more(value.length)] : members;
  }
  const members = Object.entries(value);
  const kept = new Map<string, unknown>();
  for (const [key, member] of members.slice(0, membersMax)) {
    const shown = redacted(member, key, isFree || freeFields.has(key));
    kept.set(freeName(plainNameOf(key), kept), shown);
  }
  if (members.length > membersMax) kept.set(freeName('…', kept), more(members.length));
  return Object.fromEntries(kept);
}

/** Names that are hidden are told apart by a number, because each is a field of its own. */
function freeName(shown: string, taken: ReadonlyMap<string, unknown>): string {
  for (let free = shown, count = 2; ; count += 1) {
    if (!taken.has(free)) return free;
    free = `${shown} (${count})`;
  }
}

const more = (length: number) => `… ${length - membersMax} more`;

function redactedText(text: string, field: string, isFree: boolean): string {
  if (phoneFields.has(field) && phone.test(text)) return withoutMiddle(text);
  if (!isFree && namingFields.has(field) && looksLikeName(text)) return text;
  if (!isFree && timeFields.has(field) && time.test(text)) return text;
  if (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text)) return `${new URL(text).origin}/…`;
  return `text of ${counted(text.length, 'character')}`;
}

function looksLikeName(text: string): boolean {
  return uuid.test(text) || (name.test(text) && !/\d{7}/.test(text));
}

/** Counts and positions are kept; what is longer could be a phone number, a code, or where somebody is. */
function redactedNumber(number: number, field: string, isFree: boolean): unknown {
  const text = String(number);
  if (phoneFields.has(field) && phone.test(text)) return `${withoutMiddle(text)}, as a number`;
  const isSmall = /^-?\d{1,3}$/.test(text) || field === 'expires_in_seconds';
  if (isSmall && !isFree) return number;
  return `number of ${counted(text.replaceAll(/\D/g, '').length, 'digit')}`;
}

function withoutMiddle(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < 7) return `text of ${counted(text.length, 'character')}`;
  return `${text.startsWith('+') ? '+' : ''}${digits.slice(0, 2)}…${digits.slice(-2)}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
