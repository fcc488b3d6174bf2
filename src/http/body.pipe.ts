import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validationError } from '../errors/app-error.js';
import { compiledRules, type Dto } from './compiled-rules.js';
import { toInstance } from './instances.js';
import { parseJsonBody, unstorableFields } from './json-body.js';
import { RawBody } from './raw-body.js';
import { findViolations, violatedFields, violationsToError } from './violations.js';

const optionalBodyKey = 'optional-body';

/** Marks a DTO whose fields are all optional: a request without a body means none of them. */
export const MayBeAbsent = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(optionalBodyKey, true, target);

/** Whether a request may leave out a body of this class. */
export function mayBeAbsent(dto: Dto): boolean {
  return Reflect.hasMetadata(optionalBodyKey, dto);
}

/**
 * Parses and validates bodies and query strings, behind the guards. Bodies become instances of
 * their DTO; a parameter typed `RawBody` gets the bytes.
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
    const plain = parseJsonBody(value);
    const isInOrder = unstorableFields(plain) === null && compiledRules(metatype as Dto)?.(plain);
    return isInOrder ? plain : validate(metatype, plain);
  }
}

function isEmpty(body: unknown): boolean {
  return !(body instanceof RawBody) || (body.bytes.length === 0 && !body.isTooLarge);
}

/**
 * Makes and validates one DTO.
 * @param dto the class; its decorators hold the rules.
 * @param plain a plain object from outside.
 * @throws AppError VALIDATION_ERROR, INVALID_PHONE_NUMBER
 */
export function validate<T extends object>(dto: new () => T, plain: object): T {
  const { instance, leftOut } = toInstance(dto, plain);
  return checked(instance, plain, leftOut);
}

/** The same for a query, whose texts the class may convert. */
function validateQuery<T extends object>(dto: new () => T, query: object): T {
  const { instance, leftOut } = toInstance(dto, query);
  return checked(plainToInstance(dto, { ...instance }), query, leftOut);
}

function checked<T extends object>(instance: T, plain: object, leftOut: number): T {
  const unstorable = unstorableFields(plain);
  const violations = findViolations(instance);
  if (unstorable) {
    throw validationError({ ...violatedFields(violations), ...unstorable }, undefined, leftOut);
  }
  if (violations.length > 0) throw violationsToError(violations, leftOut);
  return instance;
}
