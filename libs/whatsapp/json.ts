import { dayMs } from '#libs/durations';
/** A JSON object whose members are still to be checked. */
export type JsonObject = Record<string, unknown>;

/** Whether a parsed JSON value is an object (neither null nor an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** A non-empty string, or null. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number, also one spelled as a string; null beyond the range in which numbers are exact. */
export function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** An id as text; null when it came as a number too large to be exact. */
export function toId(value: unknown): string | null {
  return toText(value) ?? toInteger(value)?.toString() ?? null;
}

/** The value when it is an object, else an empty one. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value when it is a list, else an empty one. */
export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** From this on a number of seconds would lie beyond the year 5000, so it counts milliseconds. */
const millisecondsFrom = 1e11;

/** WhatsApp began in 2009. No clock of a server is wrong by more than a day. */
const earliestMs = Date.UTC(2009, 0);
const aheadMaxMs = dayMs;

/**
 * A point in time given as unix seconds or milliseconds, as number or string; null when it is neither,
 * or when nothing of WhatsApp can have happened then.
 */
export function toDate(value: unknown): Date | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return null;
  const ms = number < millisecondsFrom ? number * 1000 : number;
  return ms >= earliestMs && ms <= Date.now() + aheadMaxMs ? new Date(ms) : null;
}
