import { isUtf8 } from 'node:buffer';
import type { AppError } from '../../errors/app-error.js';
import { validationError } from '../../errors/app-error.js';
import type { RawBody } from '../server/raw-body.js';
import { memberPath, printable, repeatedMembers } from './repeated-members.js';

/** Brackets of JSON inside each other; deeper bodies are refused before they are parsed. */
const depthMax = 32;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Some programs begin a text with it. */
const byteOrderMark = '\u{feff}';

/**
 * Parses a body as JSON, strictly: content type, size, UTF-8, depth, no member twice.
 * @throws AppError VALIDATION_ERROR that says which of these it is.
 */
export function parseJsonBody(body: RawBody): object {
  const { value, text, memberCount } = readJsonBody(body);
  // Counting costs next to nothing; only a body that has one twice is looked at closely.
  if (countMembers(value) < memberCount) throw validationError(repeatedMembers(text));
  return value;
}

/**
 * The same for who must not stop at a member that is given twice: the last one counts.
 * @returns the object, its text, and how many members the text has.
 * @throws AppError VALIDATION_ERROR
 */
export function readJsonBody(body: RawBody): {
  value: object;
  text: string;
  memberCount: number;
} {
  if (body.isTooLarge) throw tooLarge(body);
  if (!/^application\/json\s*(;|$)/i.test(body.contentType)) {
    throw bodyError('must be sent with Content-Type: application/json');
  }
  if (!/^(?:identity)?$/i.test(body.contentEncoding.trim())) {
    throw bodyError('must not be compressed: send it without Content-Encoding');
  }
  if (body.bytes.length === 0) throw bodyError('must not be empty');
  if (!isUtf8(body.bytes)) throw bodyError('must be UTF-8');
  const memberCount = membersWithin(body.bytes, depthMax);
  if (memberCount === null) {
    throw bodyError(`must not be nested deeper than ${depthMax} levels`);
  }
  const sent = body.bytes.toString('utf8');
  const text = sent.startsWith(byteOrderMark) ? sent.slice(1) : sent;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bodyError(
      `must be valid JSON (${error instanceof Error ? error.message : 'unreadable'})`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw bodyError('must be a JSON object');
  }
  return { value, text, memberCount };
}

/** How many members the objects in a value have, at any depth. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  else for (const member of Object.values(value)) count += 1 + countMembers(member);
  return count;
}

/**
 * Finds what neither PostgreSQL nor the platform could take, at any depth: strings with NUL or
 * lone surrogates, numbers that JavaScript cannot keep exactly, names of fields that would be lost.
 * @returns what is wrong by path, or null if nothing is.
 */
export function unstorableFields(value: object): Record<string, string> | null {
  // Without a prototype: a path may be named like one.
  const fields: Record<string, string> = Object.create(null);
  collectUnstorable(value, '', fields);
  return Object.keys(fields).length > 0 ? fields : null;
}

/** Says that a body was larger than its route takes. */
export function tooLarge({ maxBytes }: RawBody): AppError {
  return bodyError(`must be at most ${maxBytes / 1024} KiB`);
}

function bodyError(rule: string): AppError {
  return validationError({ body: rule }, `The request body ${rule}.`);
}

/**
 * Counts the colons outside strings in the bytes: one for each member. Counts brackets too, so that no recursion ever
 * meets a deep body.
 * @returns null if it is nested deeper than `max`.
 */
function membersWithin(bytes: Buffer, max: number): number | null {
  let depth = 0;
  let members = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isInString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > max) return null;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === colon) members += 1;
  }
  return members;
}

function collectUnstorable(value: unknown, path: string, fields: Record<string, string>): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) fields[path] = 'must not contain NUL characters';
    else if (!value.isWellFormed()) fields[path] = 'must not contain lone surrogates';
    return;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) fields[path] = 'must be a finite number';
    else if (Number.isInteger(value) && !Number.isSafeInteger(value))
      fields[path] = tooLargeInteger;
    return;
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      collectUnstorable(value[index], `${path}[${index}]`, fields);
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, entry] of Object.entries(value)) {
    const shown = printable(name);
    const at = memberPath(path, shown);
    // An instance of a class has no place for a field that every object inherits, and a typo must not vanish.
    if (name in Object.prototype || name !== shown) fields[at] = 'is not an allowed name';
    else collectUnstorable(entry, at, fields);
  }
}

const tooLargeInteger =
  'must be an integer from -9,007,199,254,740,991 to 9,007,199,254,740,991; send a larger one as a string';
