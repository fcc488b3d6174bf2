import { createHash } from 'node:crypto';

/**
 * JSON with sorted field names, so that two bodies with the same meaning give the same text, regardless of
 * white space and order. A field that is `null` is left out: it means the same as an absent one.
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
