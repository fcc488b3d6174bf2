import { isUUID } from 'class-validator';
import { phoneForms, plainNumber, readPhoneNumber } from '#libs/phone-numbers';
import { findUuidOf } from '../../request-log/logged-request.js';
import { userIdOf } from '../contact.js';

/** What a text of the search can be. Each field is null, or empty, where the text cannot be that. */
export interface SearchQuery {
  /** The text without the blanks around it. */
  readonly text: string;
  /** The beginnings of words of a name, in any order; `plain_name` of the database makes names and words alike. */
  readonly words: readonly string[];
  /** The id of anything. */
  readonly id: string | null;
  /** An id of an event, as receivers see it, or the id of anything. */
  readonly eventId: string | null;
  /** The id of a request, as it is stored. */
  readonly requestId: string | null;
  /** WhatsApp's id of a message. */
  readonly platformId: string | null;
  /** WhatsApp's id of a user. */
  readonly userId: string | null;
  /** Whole numbers in E.164 form that the text can mean. */
  readonly phones: readonly string[];
  /** The beginning of a number, with its +. */
  readonly phoneStart: string | null;
  /** What the number can end with: the digits as they are, and without the zero for calls within a country. */
  readonly phoneEnds: readonly string[];
}

const eventIdForm = /^evt_([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;
const platformIdForm = /^wamid\.\S+$/;
const numberForm = /^\+?\d+$/;

/** The greatest character: what begins with a text comes before the text with this one behind it. */
export const lastCharacter = '\u{10ffff}';

/** Fewer digits say too little. */
const digitsMin = 4;
/** Fewer digits without a + are more likely the end of a number than its beginning. */
const startDigitsMin = 6;

/** A shorter word begins too many names. */
const wordMin = 2;

/** Reads what a person types who looks for something. */
export function readSearch(typed: string): SearchQuery {
  const text = typed.trim();
  const id = isUUID(text) ? text.toLowerCase() : null;
  const event = eventIdForm.exec(text);
  return {
    text,
    words: wordsOf(text),
    id,
    eventId: event ? event.slice(1).join('-').toLowerCase() : id,
    requestId: findUuidOf(text),
    platformId: platformIdForm.test(text) ? text : null,
    userId: userIdOf(text),
    ...readNumber(text),
  };
}

function wordsOf(text: string): string[] {
  const words = text.normalize('NFKD').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.some(({ length }) => length >= wordMin) ? words : [];
}

/** The words as PostgreSQL's text search reads them; null without words. */
export const wordQueryOf = ({ words }: SearchQuery) =>
  words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & ');

/** The words as regular expressions of PostgreSQL; null without words. */
export const wordFormsOf = ({ words }: SearchQuery) =>
  words.length === 0 ? null : words.map((word) => `\\m${word}`);

/** Reads a number in the notation of any country, with its country code or without. */
function readNumber(text: string): Pick<SearchQuery, 'phones' | 'phoneStart' | 'phoneEnds'> {
  const nothing = { phones: [], phoneStart: null, phoneEnds: [] };
  const written = plainNumber(text);
  const digits = written.replace('+', '');
  if (!numberForm.test(written) || digits.length < digitsMin) return nothing;
  const whole = readPhoneNumber(text, { hasBareCodes: true });
  const phones = 'phone' in whole ? phoneForms(whole.phone) : [];
  const significant = phones[0]?.slice(1) ?? digits.replace(/^0+/, '');
  if (written.startsWith('+')) return { phones, phoneStart: `+${significant}`, phoneEnds: [] };
  const phoneEnds = [...new Set([digits, significant])].filter(({ length }) => length >= digitsMin);
  const isNational = /^0[1-9]/.test(digits);
  return {
    phones: isNational ? [] : phones,
    phoneStart: isNational || significant.length < startDigitsMin ? null : `+${significant}`,
    phoneEnds,
  };
}
