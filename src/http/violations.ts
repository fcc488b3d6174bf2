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

type FaultsOf = (value: unknown) => (string | null)[] | Readonly<Record<string, string>>;

/**
 * The context of a rule on the items of a list or the members of an object.
 * @param faultsOf what is wrong with each item, or null; or with members, by their path. Nothing
 * where the value itself is at fault.
 */
export function itemRule(faultsOf: FaultsOf): { faultsOf: FaultsOf } {
  return { faultsOf };
}

/**
 * Turns class-validator's tree into the caller's error: every violated field by its path.
 * A phone number of the wrong form, in a body otherwise valid, has a code of its own.
 */
export function violationsToError(errors: ValidationError[]): AppError {
  const fields = violatedFields(errors);
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

/** Every violated field by its path, with what is wrong. */
export function violatedFields(errors: ValidationError[]): Record<string, string> {
  const fields: Record<string, string> = {};
  collect(errors, '', fields);
  return fields;
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
      for (const [place, fault] of faults) fields[`${path}${place}`] = fault;
    } else if (error.constraints) {
      fields[path] = error.constraints.whitelistValidation
        ? 'is not a known field'
        : (Object.values(error.constraints)[0] ?? 'is not valid');
    }
    if (error.children && error.children.length > 0) collect(error.children, path, fields);
  }
}

function itemFaults({ contexts, value }: ValidationError): [place: string, fault: string][] {
  const rules: Partial<ReturnType<typeof itemRule>>[] = Object.values(contexts ?? {});
  const faults = rules.find(({ faultsOf }) => faultsOf)?.faultsOf?.(value) ?? [];
  if (!Array.isArray(faults)) {
    return Object.entries(faults).map(([member, fault]) => [`.${member}`, fault]);
  }
  return faults.flatMap((fault: string | null, index) =>
    fault === null ? [] : [[`[${index}]`, fault]],
  );
}
