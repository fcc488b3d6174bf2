import { ValidateBy } from 'class-validator';
import { codePoints } from '../http/validation/rules.js';
import { isCommonPassword } from './common-passwords.js';
import { passwordLength } from './passwords.js';

const emailMaxLength = 254;
const emailForm = /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/;

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
 * on which characters it has.
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
        return length >= min && length <= max && !isCommonPassword(value);
      },
      defaultMessage: (args) => {
        const value: unknown = args?.value;
        if (value === undefined || value === null) return 'is required';
        if (typeof value !== 'string') return 'must be a string';
        if (isCommonPassword(value)) return 'must not be one of the most common passwords';
        return `must have ${min} to ${max} characters; this has ${codePoints(value)}`;
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
