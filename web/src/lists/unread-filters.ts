/** A part of the page's address that no filter of the list can read: its name there, and its value. */
export type Unread = readonly [name: string, value: string];

/**
 * The values that the list is not narrowed by.
 * @param given what the address says. @param read what the filters made of it, by the same names.
 */
export const unreadOf = (
  given: Readonly<Record<string, string | undefined>>,
  read: Readonly<Record<string, unknown>>,
): Unread[] =>
  Object.entries(given).flatMap(([name, value]) => (value && !read[name] ? [[name, value]] : []));

/** The same of values that are lists of words. */
export const unreadWords = (
  name: string,
  given: string | undefined,
  known: readonly string[],
): Unread[] =>
  (given?.split(',') ?? [])
    .filter((word) => word !== '' && !known.includes(word))
    .map((word) => [name, word]);

/** What the page says of them; null where it understood all. */
export function unreadWordsOf(unread: readonly Unread[]): string | null {
  if (unread.length === 0) return null;
  const parts = unread.map(([name, value]) => `${name.replaceAll('_', ' ')} “${value}”`);
  const it = parts.length === 1 ? 'it' : 'them';
  return `Not understood in the address: ${parts.join(', ')}. The list is not narrowed by ${it}.`;
}
