import type { PlatformError } from './errors.js';

/** A JSON object whose members are still to be checked. */
export type JsonObject = Record<string, unknown>;

/** Whether a parsed JSON value is an object (neither null nor an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads `{"error": {…}}`; null when the text is not a Graph error.
 *
 * Gateways in front of an API answer in the same shape, with the HTTP status as code: such a body proves nothing
 * about the platform, so it counts only when it also carries one of Graph's own members.
 */
export function parsePlatformError(text: string, httpStatus: number): PlatformError | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  const error = isObject(body) ? toPlatformError(body.error) : null;
  if (error && error.code === httpStatus && error.type === null && error.fbtraceId === null) {
    return null;
  }
  return error;
}

/** Reads one error object of an answer or a notification, whose title stands in for a missing message. */
export function toPlatformError(value: unknown): PlatformError | null {
  if (!isObject(value)) {
    return null;
  }
  const code = toInteger(value.code);
  if (code === null) {
    return null;
  }
  return {
    code,
    message: toText(value.message) ?? toText(value.title) ?? '',
    type: toText(value.type),
    subcode: toInteger(value.error_subcode),
    details: readDetails(value),
    isTransient: typeof value.is_transient === 'boolean' ? value.is_transient : null,
    fbtraceId: toText(value.fbtrace_id),
  };
}

/** `error_data` is an object, a plain string, or a string that holds the object; old notifications have `details` outside. */
function readDetails(error: JsonObject): string | null {
  const data = error.error_data;
  if (isObject(data)) {
    return toText(data.details);
  }
  if (typeof data === 'string') {
    try {
      const parsed: unknown = JSON.parse(data);
      return (isObject(parsed) ? toText(parsed.details) : null) ?? data;
    } catch {
      return data;
    }
  }
  return toText(error.details);
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
