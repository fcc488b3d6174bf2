import { ValidateBy } from 'class-validator';

/** Two letters for a country, ENT for a parent id, and a part that WhatsApp makes up. */
export const userIdForm = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/;

/** WhatsApp's id of a user for one business, or for all businesses of a portfolio (a parent id). */
export function IsUserId(): PropertyDecorator {
  return ValidateBy({
    name: 'isUserId',
    constraints: [userIdForm],
    validator: {
      validate: (value: unknown) => typeof value === 'string' && userIdForm.test(value),
      defaultMessage: () =>
        'must be a user id of WhatsApp: a country, a dot and letters or digits, such as US.13491208655302741918',
    },
  });
}
