import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validationError } from '../errors/app-error.js';
import { compiledRules, type Dto } from './compiled-rules.js';
import { parseJsonBody, unstorableFields, withoutInherited } from './json-body.js';
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
      return validate(metatype, value ?? {});
    }
    if (isEmpty(value) && Reflect.hasMetadata(optionalBodyKey, metatype)) {
      return validate(metatype, {});
    }
    if (!(value instanceof RawBody)) {
      throw validationError({ body: 'is required' }, 'The request has no body.');
    }
    const plain = parseJsonBody(value);
    // In this order: rules of our own give what they find to class-transformer, which trips over some names.
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
 */
export function validate<T extends object>(dto: new () => T, plain: object): T {
  const unstorable = unstorableFields(plain);
  if (unstorable) {
    const violations = findViolations(plainToInstance(dto, withoutInherited(plain)));
    throw validationError({ ...violatedFields(violations), ...unstorable });
  }
  const instance = plainToInstance(dto, plain);
  const violations = findViolations(instance);
  if (violations.length > 0) throw violationsToError(violations);
  return instance;
}
