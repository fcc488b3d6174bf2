import { type ValidationError, type ValidatorOptions, validateSync } from 'class-validator';
import { AppError, validationError } from '../errors/app-error.js';

/** How every DTO is validated: unknown fields are refused, and parts are validated together with the whole. */
export const validatorOptions: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  validationError: { target: false, value: true },
};

/** Three times what the longest list message has. */
const itemsMax = 330;

/**
 * What is wrong with the object of a DTO, of every field. A body with absurdly many
 * items, which would take seconds, gets an error only for what holds them.
 */
export function findViolations(instance: object): ValidationError[] {
  const stopAtFirstError = countItems(instance) > itemsMax;
  return validateSync(instance, { ...validatorOptions, stopAtFirstError });
}

function countItems(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  const own = Array.isArray(value) ? value.length : 0;
  return parts.reduce<number>((count, part) => count + countItems(part), own);
}

/** The name of the constraint that holds a phone number to E.164. */
export const phoneNumberConstraint = 'isPhoneNumber';

/** The name of the constraint that holds a value to be an object. */
export const objectConstraint = 'isObjectOf';

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
 * @param leftOut how many further violations were not collected.
 */
export function violationsToError(errors: ValidationError[], leftOut = 0): AppError {
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
  return validationError(fields, undefined, leftOut);
}

/** Every violated field by its path, with what is wrong. Unknown fields come last. */
export function violatedFields(errors: ValidationError[]): Record<string, string> {
  const fields: Record<string, string> = {};
  const unknown: Record<string, string> = {};
  collect(errors, '', fields, unknown);
  return { ...fields, ...unknown };
}

function collect(
  errors: ValidationError[],
  parent: string,
  fields: Record<string, string>,
  unknown: Record<string, string>,
): void {
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
    } else if (error.constraints?.whitelistValidation) {
      unknown[path] = 'is not a known field';
    } else if (error.constraints) {
      fields[path] = messageOf(error.constraints);
    }
    if (error.children && isOfItsShape(error)) collect(error.children, path, fields, unknown);
  }
}

function messageOf(constraints: Readonly<Record<string, string>>): string {
  const [name, message] = Object.entries(constraints)[0] ?? [];
  return name === 'nestedValidation' ? 'must be an object' : (message ?? 'is not valid');
}

/** The parts of what is no object or list, or should not be there, say nothing. */
function isOfItsShape({ constraints, value }: ValidationError): boolean {
  return constraints === undefined || (Array.isArray(value) && !constraints[objectConstraint]);
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
