import { getMetadataStorage } from 'class-validator';
import { type Dto, findNestedType } from '../../src/http/validation/compiled-rules.js';
import { ref, type Schema } from './document-types.js';

type Constraints = readonly unknown[];

const pattern = (form: unknown): Schema =>
  form instanceof RegExp ? { pattern: form.source, ...lengthsIn(form.source) } : {};

/** How long a text is that is so many of one kind of ASCII characters: `^\d{6}$`. */
function lengthsIn(form: string): Schema {
  const [, min, max = min] =
    /^\^(?:\\d|\[(?:\\[dx]|[ -Z_-~])+\])\{(\d+)(?:,(\d+))?\}\$$/.exec(form) ?? [];
  return min === undefined ? {} : { minLength: Number(min), maxLength: Number(max) };
}

const items = ([min, max]: Constraints): Schema => ({ minItems: min, maxItems: max });

const characters = ([min, max]: Constraints): Schema => ({ minLength: min, maxLength: max });

const hex = '[\\da-fA-F]';

/** As class-validator reads a UUID: the format alone has no version, and may begin with `urn:uuid:`. */
function uuidPattern(version: unknown): string {
  const form = (digit: string) =>
    `${hex}{8}-${hex}{4}-${digit}${hex}{3}-[89abAB]${hex}{3}-${hex}{12}`;
  if (typeof version === 'string') return `^${form(version)}$`;
  return `^(?:${form('[1-8]')}|0{8}(?:-0{4}){3}-0{12}|[fF]{8}(?:-[fF]{4}){3}-[fF]{12})$`;
}

/** What a rule means in JSON Schema, by its name. Rules that it cannot express are not here. */
const facetsByRule: Readonly<Record<string, (constraints: Constraints) => Schema>> = {
  isText: ([max, form]) => ({ minLength: 1, maxLength: max, pattern: form }),
  isPhoneNumber: ([form]) => pattern(form),
  isWholeNumber: ([min, max]) => ({ type: 'integer', minimum: min, maximum: max }),
  isNumberFrom: ([min, max]) => ({ minimum: min, maximum: max }),
  isEmoji: ([max]) => ({ minLength: 1, maxLength: max }),
  isTime: ([form]) => pattern(form),
  isFutureTime: ([form]) => pattern(form),
  isLink: ([max, form]) => ({ maxLength: max, ...pattern(form) }),
  isListOf: items,
  isListOfValues: ([min, max, each]) => ({
    ...items([min, max]),
    ...(typeof each === 'object' && { items: each }),
  }),
  isEmailAddress: ([max, form]) => ({ maxLength: max, ...pattern(form) }),
  isNewPassword: characters,
  isGivenPassword: characters,
  isPlatformId: ([form]) => pattern(form),
  isDisplayPhoneNumber: ([form]) => pattern(form),
  isPin: ([form]) => pattern(form),
  isPlatformSecret: ([form]) => pattern(form),
  isReplyTarget: ([form]) => pattern(form),
  isUserId: ([form]) => pattern(form),
  isVariableValues: ([max]) => ({
    additionalProperties: { type: ['string', 'null'], maxLength: max },
  }),
  isMappedVariables: ([max, nameMax, type]) => ({
    maxProperties: max,
    // Without spaces around it.
    propertyNames: { minLength: 1, maxLength: nameMax, pattern: '^\\S(?:[\\s\\S]*\\S)?$' },
    additionalProperties: typeof type === 'function' ? ref('schemas', type.name) : true,
  }),
  isComponents: () => ({ items: { type: 'object' } }),
  isIn: ([values]) => ({ enum: Array.isArray(values) ? [...(values as unknown[])] : [] }),
  isInt: () => ({ type: 'integer' }),
  min: ([min]) => ({ minimum: min }),
  max: ([max]) => ({ maximum: max }),
  matches: ([form]) => pattern(form),
  isUuid: ([version]) => ({ format: 'uuid', pattern: uuidPattern(version) }),
};

function rulesOf(dto: Dto) {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

/** Whether a class has rules that requests are checked against. */
export function hasRules(dto: Dto): boolean {
  return rulesOf(dto).length > 0;
}

/** A class with those of the objects in it. */
export function withNestedTypes(dto: Dto): Dto[] {
  const nested = rulesOf(dto).flatMap(({ propertyName, constraints }) => [
    findNestedType(dto, propertyName),
    ...(Array.isArray(constraints) ? (constraints as unknown[]).filter(isRuledClass) : []),
  ]);
  return [dto, ...new Set(nested)].flatMap((type) =>
    type === null ? [] : type === dto ? [dto] : withNestedTypes(type),
  );
}

function isRuledClass(value: unknown): value is Dto {
  return typeof value === 'function' && /^class\b/.test(String(value));
}

/** Adds to the schema of a field what the field's rules demand. */
export function addLimits(dto: Dto, field: string, schema: Schema): void {
  for (const rule of rulesOf(dto)) {
    if (rule.propertyName !== field) continue;
    const facets = facetsByRule[rule.name ?? '']?.((rule.constraints ?? []) as Constraints) ?? {};
    addFacets(schema, facets);
  }
}

function addFacets(schema: Schema, { type, enum: values, ...facets }: Schema): void {
  const isNullable = Array.isArray(schema.type) && schema.type.includes('null');
  // What a converted query parameter is before its conversion, the plugin cannot tell.
  if (type !== undefined) {
    delete schema.allOf;
    schema.type = isNullable ? [String(type), 'null'] : type;
  }
  // In the rule's own order; the plugin's is the compiler's.
  if (values !== undefined) {
    schema.enum = isNullable ? [...values, null] : values;
  }
  Object.assign(schema, facets);
}
