import { validationError } from '../errors/app-error.js';
import type { Request } from '../http/request.js';

/** Printable ASCII. */
const idempotencyKeyForm = /^[\x20-\x7e]{1,255}$/;

/** A quoted idempotency key is the same key. */
export function unquoted(text: string): string {
  return /^".*"$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

/**
 * The key of a request; null without one.
 * @throws AppError VALIDATION_ERROR
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = unquoted(Array.isArray(header) ? header.join(', ') : header);
  if (!idempotencyKeyForm.test(key)) {
    throw validationError({ 'Idempotency-Key': 'must be 1 to 255 printable ASCII characters' });
  }
  return key;
}

/** For a route that must not be repeated, or needs no key for it. @throws AppError VALIDATION_ERROR for a key */
export function refuseIdempotencyKey({ headers }: Request): void {
  if (headers['idempotency-key'] === undefined) return;
  throw validationError({ 'Idempotency-Key': 'does not work on this route; leave it out' });
}

const prefix = '/api/v1/external';

/** What a key of `RepeatedRequests` is unique for: the route, with the ids that the path names. */
export function routeOf({ routeOptions, params, url }: Request): string {
  const values = params as Readonly<Record<string, string>>;
  return (routeOptions.url ?? url)
    .replace(/:(\w+)/g, (_, name: string) => (values[name] ?? '').toLowerCase())
    .slice(prefix.length);
}
