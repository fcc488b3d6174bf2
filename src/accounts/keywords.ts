import type { AccountKeywords } from './account.entity.js';

/** In code points. */
export const keywordMaxLength = 50;

/** Longer texts are no keywords, whatever stands around the word. */
const textMaxLength = 200;

/** Signs, spaces, and what only changes how a sign looks. */
const outer = /^[\p{P}\p{S}\p{Z}\p{C}\uFE0E\uFE0F\u20E3]$/u;

/** A text as keywords are compared: without case, and without what is not part of a word around it; or null. */
export function keywordOf(text: string): string | null {
  if (text.length > textMaxLength) return null;
  const points = Array.from(text.normalize('NFKC').toLowerCase());
  const isWord = (point: string) => !outer.test(point);
  const first = points.findIndex(isWord);
  if (first === -1) return null;
  const word = points.slice(first, points.findLastIndex(isWord) + 1);
  return word.length > keywordMaxLength ? null : word.join('');
}

/** What a user says by one of these texts: that they opt out or in; null where none is a keyword. */
export function saidBy(
  texts: readonly string[],
  keywords: AccountKeywords,
): 'opted_out' | 'opted_in' | null {
  const words = texts.map(keywordOf);
  const isOneOf = (known: readonly string[]) =>
    known.some((word) => words.includes(keywordOf(word)) && keywordOf(word) !== null);
  if (isOneOf(keywords.out)) return 'opted_out';
  return isOneOf(keywords.in) ? 'opted_in' : null;
}
