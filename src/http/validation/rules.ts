import { buildMessage, IsBoolean, IsUUID, ValidateBy, ValidateIf } from 'class-validator';
import { type Dto, NestedType } from './compiled-rules.js';
import { itemRule, phoneNumberConstraint } from './violations.js';

const phoneNumberForm = /^\+[1-9]\d{6,14}$/;

/** Limits in characters count Unicode code points: an emoji is one character, not two. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A character that can be seen. U+2800 is drawn as a blank. */
const visibleForm = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/**
 * The same for the API document, up to U+FFFF: many validators know no `\p`, and do not agree on what
 * a pattern means beyond.
 */
const documentedVisibleForm = [
  String.raw`[^\s\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f`,
  String.raw`\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0`,
  String.raw`\ufff0-\ufffb]`,
].join('');

/** Whether a text has nothing in it that can be seen. */
export function isBlank(text: string): boolean {
  return !visibleForm.test(text);
}

/** Whether an optional field has a value: `null` means absent. */
export function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** Whether a value is a phone number in E.164 form. */
export const isPhoneNumber = (value: unknown) =>
  typeof value === 'string' && phoneNumberForm.test(value);

/** A phone number in E.164 form, checked by its form alone: test numbers count. */
export function IsPhoneNumber(): PropertyDecorator {
  return ValidateBy({
    name: phoneNumberConstraint,
    constraints: [phoneNumberForm],
    validator: {
      validate: isPhoneNumber,
      defaultMessage: buildMessage(
        () => 'must be a phone number in E.164 form: + and 7 to 15 digits, such as +14155550123',
      ),
    },
  });
}

/** @param what `an account`, `a message` … */
export const IsIdOf = (what: string) => IsUUID(undefined, { message: `must be the id of ${what}` });

/** JSON's true or false. */
export const IsFlag = () => IsBoolean({ message: 'must be true or false' });

/**
 * Text with something in it that can be seen, of at most `max` characters. A blank string is not a value.
 * @param max in Unicode code points.
 */
export function IsText(max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    constraints: [max, documentedVisibleForm],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        !isBlank(value) &&
        // Code points are never more than code units, so most texts need no count.
        (value.length <= max || codePoints(value) <= max),
      defaultMessage: (args) => {
        const value: unknown = args?.value;
        if (value === undefined || value === null) return 'is required';
        if (typeof value !== 'string') return 'must be a string';
        if (isBlank(value)) return 'must not be blank';
        return `must be at most ${max} characters; this has ${codePoints(value)}`;
      },
    },
  });
}

/** A whole number from `min` to `max`, as a JSON number. */
export function IsWholeNumber(min: number, max: number): PropertyDecorator {
  const range = `from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  return ValidateBy({
    name: 'isWholeNumber',
    constraints: [min, max],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
      defaultMessage: () => `must be a whole number ${range}`,
    },
  });
}

/** A JSON number from `min` to `max`. */
export function IsNumberFrom(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isNumberFrom',
    constraints: [min, max],
    validator: {
      validate: (value: unknown) => typeof value === 'number' && value >= min && value <= max,
      defaultMessage: (args) =>
        args?.value === undefined || args.value === null
          ? 'is required'
          : `must be a number from ${min} to ${max}`,
    },
  });
}

/** ISO 8601; a time needs its offset. */
export const timeForm =
  /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/** The same without a date alone. */
const momentForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** The last second whose year has four digits: what reads our times may take no others. */
const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The time that an ISO 8601 text names, or null; a date alone is its beginning in UTC. */
export function timeOf(value: unknown): Date | null {
  const day = typeof value === 'string' && timeForm.exec(value)?.[1];
  if (!day || typeof value !== 'string') return null;
  // JavaScript takes 31 February for a day in March.
  const midnight = new Date(day);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const time = new Date(value);
  return time.getTime() <= latestTime ? time : null;
}

/** A moment as ISO 8601, with its time and its zone. */
export function IsTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isTime',
    constraints: [momentForm],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && momentForm.test(value) && timeOf(value) !== null,
      defaultMessage: () => 'must be an ISO 8601 time such as 2030-01-31T12:00:00Z',
    },
  });
}

/** A time in the future, as ISO 8601 with its zone. */
export function IsFutureTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isFutureTime',
    constraints: [timeForm],
    validator: {
      validate: (value: unknown) => (timeOf(value)?.getTime() ?? 0) > Date.now(),
      defaultMessage: (args) =>
        timeOf(args?.value) === null
          ? 'must be an ISO 8601 time such as 2030-01-31T12:00:00Z, at most 9999-12-31T23:59:59Z'
          : 'must be in the future',
    },
  });
}

/** The longest name of a document, in characters. */
export const fileNameMaxLength = 240;

const linkMaxLength = 2_048;
const linkForm = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s]+$/;

/** What is wrong with an http(s) address of at most `max` characters, or null. */
export function linkFault(value: unknown, max = linkMaxLength): string | null {
  if (!isGiven(value)) return 'is required';
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > max && codePoints(value) > max) {
    return `must be at most ${max} characters; this has ${codePoints(value)}`;
  }
  return linkForm.test(value) && URL.canParse(value)
    ? null
    : 'must be a link that begins with http:// or https://';
}

/** An http(s) address of at most `max` characters. */
export function IsLink(max = linkMaxLength): PropertyDecorator {
  return ValidateBy({
    name: 'isLink',
    constraints: [max, linkForm],
    validator: {
      validate: (value: unknown) => linkFault(value, max) === null,
      defaultMessage: (args) => linkFault(args?.value, max) ?? 'is not valid',
    },
  });
}

/** A list of `min` to `max` objects of a class, whose own rules hold for each of them. */
export function IsListOf(min: number, max: number, type: () => Dto): PropertyDecorator {
  const isObject = (item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item);
  const isList = ValidateBy({
    name: 'isListOf',
    constraints: [min, max],
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) && value.length >= min && value.length <= max && value.every(isObject),
      defaultMessage: (args) => {
        const value: unknown = args?.value;
        if (value === undefined || value === null) return 'is required';
        if (!Array.isArray(value)) return 'must be a list';
        if (value.length < min) return `must have at least ${min} ${min === 1 ? 'item' : 'items'}`;
        if (value.length > max) {
          return `must have at most ${max} items; this has ${value.length}`;
        }
        return 'must be a list of objects';
      },
    },
  });
  return both(isList, NestedType(type, { each: true }));
}

/**
 * A list of `min` to `max` values, each held to a rule of its own; violations stand at the path of
 * the value (`allowed_ips[1]`).
 * @param findFault what is wrong with a value, or null.
 * @param itemSchema the same in JSON Schema, where it can be said.
 */
export function IsListOfValues(
  min: number,
  max: number,
  findFault: (value: unknown) => string | null,
  itemSchema?: object,
): PropertyDecorator {
  const isInRange = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.length >= min && value.length <= max;
  return ValidateBy(
    {
      name: 'isListOfValues',
      constraints: [min, max, itemSchema],
      validator: {
        validate: (value: unknown) =>
          isInRange(value) && value.every((item) => findFault(item) === null),
        defaultMessage: (args) => {
          const value: unknown = args?.value;
          if (value === undefined || value === null) return 'is required';
          if (!Array.isArray(value)) return 'must be a list';
          if (value.length < min) {
            return `must have at least ${min} ${min === 1 ? 'item' : 'items'}`;
          }
          return `must have at most ${max} items; this has ${value.length}`;
        },
      },
    },
    { context: itemRule((value) => (isInRange(value) ? value.map(findFault) : [])) },
  );
}

/** 1 to 50 of WhatsApp's error codes. */
export const IsListOfErrorCodes = () =>
  IsListOfValues(1, 50, errorCodeFault, { type: 'integer', minimum: 0, maximum: 999_999 });

const errorCodeFault = (item: unknown) =>
  Number.isInteger(item) && (item as number) >= 0 && (item as number) <= 999_999
    ? null
    : 'must be a whole number from 0 to 999999';

/** Finds a value that is none of a closed list, for `IsListOfValues`. */
export const memberOf = (allowed: readonly string[]) => (value: unknown) =>
  typeof value === 'string' && allowed.includes(value)
    ? null
    : `must be one of ${allowed.join(', ')}`;

/** An object of a class, whose own rules hold for it. */
export function IsObjectOf(type: () => Dto): PropertyDecorator {
  const isObject = ValidateBy({
    name: 'isObjectOf',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value),
      defaultMessage: (args) =>
        args?.value === undefined || args.value === null ? 'is required' : 'must be an object',
    },
  });
  return both(isObject, NestedType(type, { each: false }));
}

function both(first: PropertyDecorator, second: PropertyDecorator): PropertyDecorator {
  return (target, propertyName) => {
    first(target, propertyName);
    second(target, propertyName);
  };
}

/** A field that is required where none of the others is given. Its other rules hold where it is given, or has to be. */
export function RequiredWithout(...others: string[]): PropertyDecorator {
  const isAlternative = ValidateBy({
    name: 'requiredWithout',
    constraints: others,
    validator: { validate: () => true },
  });
  return both(
    ValidateIf(
      (owner: object, value) =>
        isGiven(value) || !others.some((field) => isGiven(Reflect.get(owner, field))),
    ),
    isAlternative,
  );
}

/** A field that must not be given together with another one. */
export function NotTogetherWith(field: string): PropertyDecorator {
  return ValidateBy({
    name: 'notTogetherWith',
    constraints: [field],
    validator: {
      validate: (value: unknown, args) =>
        !isGiven(value) || !isGiven(Reflect.get(args?.object ?? {}, field)),
      defaultMessage: () => `must not be given together with ${field}`,
    },
  });
}

/** What a field depends on that is only valid with some values of another one. */
export interface Belonging {
  /** The other field. */
  readonly field: string;
  readonly values: readonly string[];
  /** Whether it must be there with these values. */
  readonly isRequired: boolean;
}

/**
 * A field that is there (not null) only with some values of another field. Its other rules hold only
 * where it is given, or has to be.
 * @param rule what the caller did wrong if it is given with other values.
 */
export function BelongsTo(
  field: string,
  values: readonly string[],
  rule: string,
  { isRequired = false } = {},
): PropertyDecorator {
  const isOwner = (owner: object) => values.some((value) => value === Reflect.get(owner, field));
  const belonging: Belonging = { field, values, isRequired };
  const belongs = ValidateBy({
    name: 'belongsTo',
    constraints: [belonging],
    validator: {
      validate: (value: unknown, args) => !isGiven(value) || isOwner(args?.object ?? {}),
      defaultMessage: () => rule,
    },
  });
  return both(
    ValidateIf((owner: object, value) => isGiven(value) || (isRequired && isOwner(owner))),
    belongs,
  );
}
