import { ValidationError, type ValidatorOptions } from 'class-validator';
import { AppError, validationError } from '../errors/app-error.js';

/** How every DTO is validated: unknown fields are refused, one message a field. */
export const validatorOptions: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false, value: true },
};

/** The name of the constraint that holds a phone number to E.164. */
export const phoneNumberConstraint = 'isPhoneNumber';

/**
 * Turns class-validator's tree into the caller's error: every violated field by its path.
 * A phone number of the wrong form, in a body otherwise valid, has a code of its own.
 */
export function violationsToError(errors: ValidationError[]): AppError {
  const fields: Record<string, string> = {};
  collect(errors, '', fields);
  const [only] = errors;
  if (
    errors.length === 1 &&
    only?.property === 'to' &&
    only.constraints?.[phoneNumberConstraint] !== undefined &&
    typeof only.value === 'string' &&
    only.value.trim() !== ''
  ) {
    return new AppError('INVALID_PHONE_NUMBER', { details: { fields } });
  }
  return validationError(fields);
}

function collect(errors: ValidationError[], parent: string, fields: Record<string, string>): void {
  for (const error of errors) {
    const isIndex = /^\d+$/.test(error.property);
    const path = isIndex
      ? `${parent}[${error.property}]`
      : parent === ''
        ? error.property
        : `${parent}.${error.property}`;
    if (error.constraints) {
      fields[path] = error.constraints.whitelistValidation
        ? 'is not a known field'
        : (Object.values(error.constraints)[0] ?? 'is not valid');
    }
    if (error.children && error.children.length > 0) collect(error.children, path, fields);
  }
}
