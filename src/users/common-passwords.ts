import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordLength } from './passwords.js';

/** The most common passwords that are long enough to be accepted here, in lower case. */
const commonPasswords = new Set(
  dictionary['passwords-common']
    .map((password) => password.toLowerCase())
    .filter((password) => password.length >= passwordLength.min),
);

/** Whether a password is one that guessers try first, in upper or lower case. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(password.toLowerCase());
}
