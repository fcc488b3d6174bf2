import { dictionary } from '@zxcvbn-ts/language-common';
import { isBlank } from '../../http/validation/rules.js';

/** The most common passwords, in lower case. The list takes a megabyte, so it is read only when a password is checked. */
let commonPasswords: ReadonlySet<string> | null = null;

function isCommon(text: string): boolean {
  commonPasswords ??= new Set(dictionary['passwords-common'].map((each) => each.toLowerCase()));
  return commonPasswords.has(text);
}

/** Rows of keyboards, columns, and rows by turns with the digits above them. */
const walks = [
  'abcdefghijklmnopqrstuvwxyz',
  '012345678901234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
  '!@#$%^&*()',
];
const sequences = [...walks, ...walks.map((walk) => walk.split('').toReversed().join(''))];

/** What people write in place of letters. */
const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const runMin = 3;
const nameMinLength = 4;

/** What must be left of a password without what can be guessed: characters, and different ones. */
const leftMin = 6;
const differentMin = 5;

/**
 * What is wrong with a new password that is long enough, or null. It must not be among the first that somebody tries:
 * blanks, one piece again and again, sequences, rows of a keyboard, a common password with digits or signs around it, or
 * names that belong to the user.
 * @param names what an attacker knows of the user: the email address, the name of the account.
 */
export function passwordFault(password: string, names: readonly string[] = []): string | null {
  if (isBlank(password)) return 'must not be blank';
  const lower = password.normalize('NFKC').toLowerCase().trim();
  const piece = repeatedPiece(lower);
  if ([lower, piece].some((text) => isCommonWithin(text))) {
    return 'must not be one of the most common passwords';
  }
  const left = withoutRuns(withoutNames(piece, names));
  return left.length < leftMin || new Set(left).size < differentMin
    ? 'is too easy to guess: it must not be one piece again and again, a sequence, a row of the keyboard, or a name of yours'
    : null;
}

/** The piece that a text repeats, or the text. The last one may be cut. */
function repeatedPiece(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const piece = text.slice(0, length);
    if (piece.repeat(Math.ceil(text.length / length)).startsWith(text)) return piece;
  }
  return text;
}

/** Whether a text is a common password: as it is, with look-alikes of letters, or within digits and signs. */
function isCommonWithin(text: string): boolean {
  const letters = [...text.matchAll(/\p{L}/gu)];
  const core = text.slice(text.search(/[\p{L}@$]/u), (letters.at(-1)?.index ?? 0) + 1);
  return [text, core].some((each) => each !== '' && (isCommon(each) || isCommon(plain(each))));
}

const plain = (text: string) => text.replaceAll(/[013457@$!]/g, (each) => lookAlikes[each] ?? each);

/** A text without the parts of names, of four characters or more. */
function withoutNames(text: string, names: readonly string[]): string {
  const parts = ['parley', 'whatsapp', ...names]
    .flatMap((each) => {
      const lower = each.normalize('NFKC').toLowerCase();
      return [lower, ...lower.split(/[^\p{L}\p{N}]+/u)];
    })
    .filter((part) => part.length >= nameMinLength)
    .toSorted((one, other) => other.length - one.length);
  return parts.reduce((left, part) => left.replaceAll(part, ''), text);
}

/** A text with one character in place of each sequence, or row of equal characters. */
function withoutRuns(text: string): string {
  let left = '';
  for (let at = 0; at < text.length; ) {
    const length = runAt(text, at);
    left += text[at];
    at += length >= runMin ? length : 1;
  }
  return left;
}

/** How long the run is that begins here. */
function runAt(text: string, at: number): number {
  let length = 1;
  while (text[at + length] === text[at]) length += 1;
  if (length >= runMin) return length;
  length = 2;
  const isRun = () => {
    const run = text.slice(at, at + length);
    return run.length === length && sequences.some((sequence) => sequence.includes(run));
  };
  while (isRun()) length += 1;
  return length - 1;
}
