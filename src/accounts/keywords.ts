import type { AccountKeywords } from './account.entity.js';

/** In code points. */
export const keywordMaxLength = 50;

/** Longer texts are no keywords, whatever stands around the word. */
const textMaxLength = 200;

/** Signs and blanks. */
const outer = /^[\p{P}\p{S}\p{Z}\p{C}]$/u;

/**
 * Accents, the vowel points of Arabic and Hebrew, and what only changes how a sign looks: marks that people leave out
 * as they type. The marks of Hindi or Thai are letters to them, and so are those two of Japanese.
 */
const accent = /(?![\u3099\u309A])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/** What cannot be seen inside a word, such as a soft hyphen, and the stroke that stretches an Arabic one. */
const invisible = /[\p{Cf}\u0640]/gu;

const blanks = /[\s\p{Z}\u0085]+/gu;

/**
 * A text as keywords are compared: in lower case, without accents, with one blank where there are several, and without
 * what is not part of a word around it; null if nothing is left, or too much for a keyword.
 */
export function keywordOf(text: string): string | null {
  if (text.length > textMaxLength) return null;
  const points = Array.from(fold(text));
  const isWord = (point: string) => !outer.test(point);
  const first = points.findIndex(isWord);
  if (first === -1) return null;
  const word = points.slice(first, points.findLastIndex(isWord) + 1);
  return word.length > keywordMaxLength ? null : word.join('');
}

function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(accent, '').replace(invisible, '');
  // By way of the capitals: `ß` is `ss`, and Turkish `ı` is `i`. Greek has two forms of one small letter.
  const small = bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  // Unicode does not take strokes apart. That of `đ` stays: in Vietnamese it makes another word.
  const plain = small.replaceAll('ł', 'l').replaceAll('ø', 'o');
  return plain.replace(blanks, ' ').normalize('NFC');
}

/** By the list: all messages of a batch share that of their account. */
const folded = new WeakMap<readonly string[], ReadonlySet<string | null>>();

function foldedOf(known: readonly string[]): ReadonlySet<string | null> {
  const before = folded.get(known);
  if (before) return before;
  const words = new Set(known.map(keywordOf));
  folded.set(known, words);
  return words;
}

/** What a user says by one of these texts: that they opt out or in; null where none is a keyword. */
export function saidBy(
  texts: readonly string[],
  keywords: AccountKeywords,
): 'opted_out' | 'opted_in' | null {
  const words = texts.map(keywordOf).filter((word) => word !== null);
  if (words.length === 0) return null;
  const isOneOf = (known: readonly string[]) => words.some((word) => foldedOf(known).has(word));
  if (isOneOf(keywords.out)) return 'opted_out';
  return isOneOf(keywords.in) ? 'opted_in' : null;
}
