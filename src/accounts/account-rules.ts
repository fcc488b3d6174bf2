import { ValidateBy } from 'class-validator';

function isTextOf(form: RegExp) {
  return (value: unknown) => typeof value === 'string' && form.test(value);
}

function rule(name: string, form: RegExp, message: string): PropertyDecorator {
  return ValidateBy({
    name,
    constraints: [form],
    validator: {
      validate: isTextOf(form),
      defaultMessage: (args) =>
        args?.value === undefined || args.value === null ? 'is required' : message,
    },
  });
}

/** An id that the platform gave: digits. */
export const IsPlatformId = () =>
  rule('isPlatformId', /^\d{1,32}$/, 'must be an id of the platform: a string of 1 to 32 digits');

/** A phone number as people write it. */
export const IsDisplayPhoneNumber = () =>
  rule(
    'isDisplayPhoneNumber',
    /^(?=(?:\D*\d){7,15}\D*$)\+?[\d ().-]{7,30}$/,
    'must be a phone number such as +1 555 078 3881: 7 to 15 digits, at most 30 characters',
  );

/** The PIN of a number's two-step verification. */
export const IsPin = () => rule('isPin', /^\d{6}$/, 'must be a string of six digits');

/** A secret of the platform. It goes into a header, so only visible ASCII fits. */
export const IsPlatformSecret = () =>
  rule(
    'isPlatformSecret',
    /^[\x21-\x7e]{1,4096}$/,
    'must be 1 to 4096 printable characters without spaces',
  );
