import { validationError } from '../errors/app-error.js';
import type { Request } from '../http/request.js';

/** Parameters of an address in the form of WhatsApp's own API. */
export type GraphQuery = Readonly<Record<string, string>>;

const nameForm = /^[a-z0-9_]+$/;

/** The parameters of a request. @throws AppError VALIDATION_ERROR for one that is given twice or has a NUL */
export function queryOf(request: Request): GraphQuery {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (typeof value !== 'string') throw validationError({ [name]: 'must be given once' });
    if (value.includes('\0')) throw validationError({ [name]: 'must not have a NUL' });
    query[name] = value;
  }
  return query;
}

/**
 * The members of an object that `fields` names, and its `id`. Names that are not offered are left out.
 * @param byDefault what is answered without `fields`.
 * @throws AppError VALIDATION_ERROR for nested fields
 */
export function picked(
  all: { readonly id: unknown },
  { fields }: GraphQuery,
  byDefault?: readonly string[],
): object {
  const names = fields === undefined ? (byDefault ?? Object.keys(all)) : namesIn(fields);
  const kept = Object.entries(all).filter(([name]) => name === 'id' || names.includes(name));
  return Object.fromEntries(kept);
}

function namesIn(fields: string): string[] {
  const names = fields
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (!names.every((name) => nameForm.test(name))) {
    throw validationError({ fields: 'must be plain names; nested ones are not offered by Parley' });
  }
  return names;
}
