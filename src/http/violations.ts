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

type FaultsOf = (value: unknown) => (string | null)[];

/**
 * The context of a rule on the items of a list.
 * @param faultsOf what is wrong with each item, or null; nothing where the list itself is at fault.
 */
export function itemRule(faultsOf: FaultsOf): { faultsOf: FaultsOf } {
  return { faultsOf };
}

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
    const faults = itemFaults(error);
    if (faults.length > 0) {
      for (const [index, fault] of faults.entries()) {
        if (fault !== null) fields[`${path}[${index}]`] = fault;
      }
    } else if (error.constraints) {
      fields[path] = error.constraints.whitelistValidation
        ? 'is not a known field'
        : (Object.values(error.constraints)[0] ?? 'is not valid');
    }
    if (error.children && error.children.length > 0) collect(error.children, path, fields);
  }
}

function itemFaults({ contexts, value }: ValidationError): (string | null)[] {
  const rules: Partial<ReturnType<typeof itemRule>>[] = Object.values(contexts ?? {});
  return rules.find(({ faultsOf }) => faultsOf)?.faultsOf?.(value) ?? [];
}
