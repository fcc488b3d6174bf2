import type { PlatformError } from './errors.js';
import { isObject, type JsonObject, parseJson, toInteger, toText } from './json.js';

/**
 * Reads `{"error": {…}}`; null when the text is not a Graph error.
 *
 * Gateways in front of an API answer in the same shape, with the HTTP status as code: such a body proves nothing
 * about the platform, so it counts only when it also carries one of Graph's own members.
 */
export function parsePlatformError(text: string, httpStatus: number): PlatformError | null {
  const body = parseJson(text);
  const error = isObject(body) ? toPlatformError(body.error) : null;
  if (error && error.code === httpStatus && error.type === null && error.fbtraceId === null) {
    return null;
  }
  return error;
}

/**
 * HTTP 429 without a readable body. It is a refusal by its status alone: it is said before the request is looked
 * at, whoever reports it. It gets Graph's code for "too many calls by this app".
 */
export const tooManyRequests: PlatformError = Object.freeze({
  code: 4,
  message: 'HTTP 429',
  type: null,
  subcode: null,
  details: null,
  isTransient: null,
  fbtraceId: null,
});

/** Reads one error object of an answer or a notification, whose title replaces a missing message. */
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
    const parsed = parseJson(data);
    return (isObject(parsed) ? toText(parsed.details) : null) ?? toText(data);
  }
  return toText(error.details);
}
