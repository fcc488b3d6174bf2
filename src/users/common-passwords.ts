import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordLength } from './passwords.js';

/** The most common passwords of all that are long enough to be chosen here, in small letters. */
const commonPasswords = new Set(
  dictionary['passwords-common']
    .map((password) => password.toLowerCase())
    .filter((password) => password.length >= passwordLength.min),
);

/** Whether a password is what guessers try first, whatever the case of its letters. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(password.toLowerCase());
}
