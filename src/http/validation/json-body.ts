import { isUtf8 } from 'node:buffer';
import type { AppError } from '../../errors/app-error.js';
import { shortened, validationError } from '../../errors/app-error.js';
import type { RawBody } from '../server/raw-body.js';

/** Brackets of JSON inside each other; deeper bodies are refused before they are parsed. */
const depthMax = 32;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Parses a body as JSON, strictly: content type, size, UTF-8, depth.
 * @throws AppError VALIDATION_ERROR that says which of these it is.
 */
export function parseJsonBody(body: RawBody): object {
  if (body.isTooLarge) throw bodyError(`must be at most ${body.maxBytes / 1024} KiB`);
  if (!/^application\/json\s*(;|$)/i.test(body.contentType)) {
    throw bodyError('must be sent with Content-Type: application/json');
  }
  if (!/^(?:identity)?$/i.test(body.contentEncoding.trim())) {
    throw bodyError('must not be compressed: send it without Content-Encoding');
  }
  if (body.bytes.length === 0) throw bodyError('must not be empty');
  if (!isUtf8(body.bytes)) throw bodyError('must be UTF-8');
  if (isDeeperThan(body.bytes, depthMax)) {
    throw bodyError(`must not be nested deeper than ${depthMax} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(body.bytes.toString('utf8'));
  } catch (error) {
    throw bodyError(
      `must be valid JSON (${error instanceof Error ? error.message : 'unreadable'})`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw bodyError('must be a JSON object');
  }
  return value;
}

/**
 * Finds what neither PostgreSQL nor the platform could take, at any depth: strings with NUL or
 * lone surrogates, numbers too large, names of fields that would be lost.
 * @returns what is wrong by path, or null if nothing is.
 */
export function unstorableFields(value: object): Record<string, string> | null {
  // Without a prototype: a path may be named like one.
  const fields: Record<string, string> = Object.create(null);
  collectUnstorable(value, '', fields);
  return Object.keys(fields).length > 0 ? fields : null;
}

function bodyError(rule: string): AppError {
  return validationError({ body: rule }, `The request body ${rule}.`);
}

/** Counts brackets outside strings in the bytes, so that no recursion ever meets a deep body. */
function isDeeperThan(bytes: Buffer, max: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isInString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > max) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return false;
}

function collectUnstorable(value: unknown, path: string, fields: Record<string, string>): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) fields[path] = 'must not contain NUL characters';
    else if (!value.isWellFormed()) fields[path] = 'must not contain lone surrogates';
    return;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) fields[path] = 'must be a finite number';
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
    const isPrintable = name.isWellFormed() && !name.includes('\0');
    const printable = isPrintable ? name : name.toWellFormed().replaceAll('\0', '\u{fffd}');
    // One long name may have thousands of members.
    const at = shortened(path === '' ? printable : `${path}.${printable}`);
    // An instance of a class has no place for a field that every object inherits, and a typo must not vanish.
    if (name in Object.prototype || name !== printable) fields[at] = 'is not an allowed name';
    else collectUnstorable(entry, at, fields);
  }
}
