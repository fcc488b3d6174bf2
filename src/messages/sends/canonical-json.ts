import { createHash } from 'node:crypto';

/**
 * JSON with sorted field names, so that two bodies that mean the same are the same text whatever
 * their white space and order. A field that is `null` is left out: it means the same as one that is absent.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined && entry !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry)}`).join(',')}}`;
}

/** SHA-256 of a body in canonical form. */
export function bodyDigest(body: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(body)).digest();
}
