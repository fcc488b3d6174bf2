import { invalidParameter } from './errors.js';
import type { Strictness } from './options.js';

/** A JSON object whose fields have not been looked at. */
export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `null` in a request means the same as leaving the field out. */
export const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** A field's name as the platform's messages write it: `text['body']`. */
export const fieldPath = (path: string, key: string | number): string => {
  if (path === '') return String(key);
  return typeof key === 'number' ? `${path}[${key}]` : `${path}['${key}']`;
};

/** Refuses everything but a JSON object. */
export function assertObject(value: unknown, path: string): asserts value is JsonObject {
  if (!isObject(value)) throw invalidParameter(`Param ${path} must be a JSON object.`);
}

/** Refuses everything but an array. */
export function assertArray(value: unknown, path: string): asserts value is unknown[] {
  if (!Array.isArray(value)) throw invalidParameter(`Param ${path} must be an array.`);
}

/** Refuses everything but a string. */
export function assertString(value: unknown, path: string): asserts value is string {
  if (typeof value !== 'string') throw invalidParameter(`Param ${path} must be a string.`);
}

/** A required field that is an object. */
export const requiredObject = (parent: JsonObject, key: string, path: string): JsonObject => {
  const value = parent[key];
  if (isAbsent(value)) throw invalidParameter(`The parameter ${fieldPath(path, key)} is required.`);
  assertObject(value, fieldPath(path, key));
  return value;
};

/** Refuses a field that the platform does not know: it never drops one silently. */
export const refuseUnknownKeys = (
  value: JsonObject,
  known: ReadonlySet<string>,
  path: string,
): void => {
  for (const key in value) {
    if (!known.has(key)) {
      throw invalidParameter(`Unexpected key "${key}" on param "${path || 'root'}".`);
    }
  }
};

/** Whether a text has more characters than allowed, in the unit that is set. */
export const isLongerThan = (text: string, max: number, strictness: Strictness): boolean => {
  if (text.length <= max) return false;
  if (strictness.characterUnit === 'utf-16') return true;
  return Array.from(text).length > max;
};

/** A string of the request's schema, with the platform's texts for a wrong type or length. */
export const schemaString = (
  parent: JsonObject,
  key: string,
  path: string,
  max: number,
  strictness: Strictness,
): string | null => {
  const value = parent[key];
  if (isAbsent(value)) return null;
  if (typeof value !== 'string') {
    throw invalidParameter(`Param ${fieldPath(path, key)} must be a string.`);
  }
  if (isLongerThan(value, max, strictness)) {
    throw invalidParameter(`Param ${fieldPath(path, key)} must be at most ${max} characters long.`);
  }
  return value;
};
