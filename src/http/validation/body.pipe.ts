import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validationError } from '../../errors/app-error.js';
import { RawBody } from '../server/raw-body.js';
import { compiledRules, type Dto } from './compiled-rules.js';
import { parseJsonBody, unstorableFields } from './json-body.js';
import { Violations } from './violations.js';

const optionalBodyKey = 'optional-body';

/** Marks a DTO whose fields are all optional: a request without a body means none of them. */
export const MayBeAbsent = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(optionalBodyKey, true, target);

/** Whether a request may leave out a body of this class. */
export function mayBeAbsent(dto: Dto): boolean {
  return Reflect.hasMetadata(optionalBodyKey, dto);
}

const ownItemsKey = 'items-with-answers-of-their-own';

/**
 * Marks the list of a DTO whose items get answers of their own: what is wrong with one of them, even a text that cannot be
 * stored, refuses no other. The handler checks each with `findItemFaults`.
 */
export const ItemsHaveOwnAnswers = (): PropertyDecorator => (target, name) =>
  Reflect.defineMetadata(ownItemsKey, name, target.constructor);

/**
 * Parses and validates bodies and query strings, behind the guards. A parameter typed `RawBody` gets the
 * bytes.
 * @throws AppError VALIDATION_ERROR, INVALID_PHONE_NUMBER
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype } = metadata;
    if ((type !== 'body' && type !== 'query') || !metatype || metatype === RawBody) return value;
    if (type === 'query') {
      return validateQuery(metatype, value ?? {});
    }
    if (isEmpty(value) && Reflect.hasMetadata(optionalBodyKey, metatype)) {
      return validate(metatype, {});
    }
    if (!(value instanceof RawBody)) {
      throw validationError({ body: 'is required' }, 'The request has no body.');
    }
    return validate(metatype, parseJsonBody(value));
  }
}

function isEmpty(body: unknown): boolean {
  return !(body instanceof RawBody) || (body.bytes.length === 0 && !body.isTooLarge);
}

/**
 * Validates a body.
 * @param dto the class; its decorators hold the rules.
 * @param plain a plain object from outside.
 * @returns the object, with the defaults of its class.
 * @throws AppError VALIDATION_ERROR, INVALID_PHONE_NUMBER
 */
export function validate<T extends object>(dto: new () => T, plain: object): T {
  const { check, defaults } = compiledRules(dto);
  const violations = new Violations();
  check(plain, '', violations);
  const ownItems: unknown = Reflect.getMetadata(ownItemsKey, dto);
  refuse(violations, typeof ownItems === 'string' ? { ...plain, [ownItems]: null } : plain);
  return (defaults ? { ...defaults, ...plain } : plain) as T;
}

/** The same for a query, whose texts the class may convert: an instance of it. */
export function validateQuery<T extends object>(dto: new () => T, query: object): T {
  const { check, findUnknown, names } = compiledRules(dto);
  const violations = new Violations();
  // class-transformer takes some 50 µs for each member, so it gets only those of the class.
  const known = Object.entries(query)
    .filter(([name]) => names.has(name))
    .map(([name, value]) => [name, plusNames.has(name) ? withPlus(value) : value]);
  const instance = plainToInstance(dto, Object.fromEntries(known));
  findUnknown(query, '', violations);
  check(instance, '', violations);
  refuse(violations, query);
  return instance;
}

/** Numbers begin with a plus, and times may have one, which many clients forget to encode: it arrives as a blank. */
const plusNames: ReadonlySet<string> = new Set([
  'from',
  'to',
  'phone',
  'created_after',
  'created_before',
]);

const withPlus = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll(' ', '+') : value;

/** @throws AppError where there is a violation. */
function refuse(violations: Violations, plain: object): void {
  const unstorable = unstorableFields(plain);
  if (violations.count > 0 || unstorable) throw violations.toError(unstorable);
}
