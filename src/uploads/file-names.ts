import { fileNameMaxLength, isBlank } from '../http/validation/rules.js';

/** What people see of a document that has no name of its own. */
export const namelessDocument = 'document';

/** A name as people may see it: without characters that a file name cannot have. Null where nothing is left. */
export function cleanFileName(name: string): string | null {
  const clean = name.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, '');
  // The end of a long name is kept: it says what kind of file it is.
  return isBlank(clean) ? null : Array.from(clean).slice(-fileNameMaxLength).join('');
}

/** The last part of a link's path. */
export function fileNameIn(link: string): string {
  const part = new URL(link).pathname.split('/').findLast((segment) => segment !== '') ?? '';
  return cleanFileName(decoded(part)) ?? namelessDocument;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
