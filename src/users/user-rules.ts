import { ValidateBy } from 'class-validator';
import { codePoints } from '../http/validation/rules.js';
import { passwordFault } from './passwords/password-strength.js';
import { passwordLength } from './passwords/passwords.js';

const emailMaxLength = 254;
const emailForm = /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/;

/** Whether an address has ASCII characters only: no other alphabet has letters that look like its. */
export const isPlainAddress = (email: string) => /^[\x21-\x7e]*$/.test(email);

/**
 * The form in which addresses are compared: A to Z as a to z, and nothing else. Other rules would make one letter of two,
 * and not everybody has the same ones: in PostgreSQL `İ` can be `i`, in JavaScript it is `i` with a second dot.
 */
export const comparedAddress = (email: string) =>
  email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** An email address, by its form alone: `admin@parley.local` is one. At most 254 characters. */
export function IsEmailAddress(): PropertyDecorator {
  return ValidateBy({
    name: 'isEmailAddress',
    constraints: [emailMaxLength, emailForm],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && codePoints(value) <= emailMaxLength && emailForm.test(value),
      defaultMessage: (args) =>
        args?.value === undefined || args.value === null
          ? 'is required'
          : `must be an email address of at most ${emailMaxLength} characters`,
    },
  });
}

/**
 * A new password: long enough to be worth hashing, and not one that guessers try first. There are no rules
 * on which characters it has. `UserPasswords.hashNew` refuses the user's own names, too.
 */
export function IsNewPassword(): PropertyDecorator {
  const { min, max } = passwordLength;
  return ValidateBy({
    name: 'isNewPassword',
    constraints: [min, max],
    validator: {
      validate: (value: unknown) => {
        if (typeof value !== 'string') return false;
        const length = codePoints(value);
        return length >= min && length <= max && passwordFault(value) === null;
      },
      defaultMessage: (args) => {
        const value: unknown = args?.value;
        if (value === undefined || value === null) return 'is required';
        if (typeof value !== 'string') return 'must be a string';
        const length = codePoints(value);
        return length < min || length > max
          ? `must have ${min} to ${max} characters; this has ${length}`
          : (passwordFault(value) ?? 'is not valid');
      },
    },
  });
}

const givenPasswordMaxLength = 1_024;

/** A password for signing in, possibly from a time of other rules. */
export function IsGivenPassword(): PropertyDecorator {
  return ValidateBy({
    name: 'isGivenPassword',
    constraints: [1, givenPasswordMaxLength],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value !== '' && codePoints(value) <= givenPasswordMaxLength,
      defaultMessage: (args) =>
        args?.value === undefined || args.value === null
          ? 'is required'
          : `must be a string of 1 to ${givenPasswordMaxLength} characters`,
    },
  });
}
