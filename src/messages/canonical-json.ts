import { createHash } from 'node:crypto';

/**
 * JSON with sorted field names, so that two bodies that mean the same are the same text whatever
 * their white space and order. `null` and absent differ here as they do in the body.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry)}`).join(',')}}`;
}

/** SHA-256 of a body in canonical form. */
export function bodyDigest(body: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(body)).digest();
}
