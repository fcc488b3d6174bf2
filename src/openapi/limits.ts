import { getMetadataStorage } from 'class-validator';
import { type Dto, findNestedType } from '../http/compiled-rules.js';
import { ref, type Schema } from './document-types.js';

type Constraints = readonly unknown[];

/** As every validator reads it: only JavaScript knows `\u{…}`. */
const pattern = (form: unknown): Schema =>
  form instanceof RegExp
    ? {
        pattern: form.source.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) =>
          String.fromCodePoint(Number.parseInt(hex, 16)),
        ),
      }
    : {};

const items = ([min, max]: Constraints): Schema => ({ minItems: min, maxItems: max });

const characters = ([min, max]: Constraints): Schema => ({ minLength: min, maxLength: max });

/** What a rule means in JSON Schema, by its name. Rules that it cannot express are not here. */
const facetsByRule: Readonly<Record<string, (constraints: Constraints) => Schema>> = {
  isText: ([max, form]) => ({ minLength: 1, maxLength: max, ...pattern(form) }),
  isVisible: ([form]) => pattern(form),
  isPhoneNumber: ([form]) => pattern(form),
  isWholeNumber: ([min, max]) => ({ type: 'integer', minimum: min, maximum: max }),
  isTime: ([form]) => pattern(form),
  isFutureTime: ([form]) => pattern(form),
  isLink: ([max, form]) => ({ maxLength: max, ...pattern(form) }),
  isListOf: items,
  isListOfValues: items,
  isEmailAddress: ([max, form]) => ({ maxLength: max, ...pattern(form) }),
  isNewPassword: characters,
  isGivenPassword: characters,
  isPlatformId: ([form]) => pattern(form),
  isDisplayPhoneNumber: ([form]) => pattern(form),
  isPlatformSecret: ([form]) => pattern(form),
  isReplyTarget: ([max]) => ({ minLength: 1, maxLength: max }),
  isVariableValues: ([max]) => ({ additionalProperties: { type: 'string', maxLength: max } }),
  isMappedVariables: ([max, nameMax, type]) => ({
    maxProperties: max,
    propertyNames: { minLength: 1, maxLength: nameMax },
    additionalProperties: typeof type === 'function' ? ref('schemas', type.name) : true,
  }),
  isComponents: () => ({ items: { type: 'object' } }),
  isIn: ([values]) => ({ enum: Array.isArray(values) ? [...(values as unknown[])] : [] }),
  isInt: () => ({ type: 'integer' }),
  min: ([min]) => ({ minimum: min }),
  max: ([max]) => ({ maximum: max }),
  matches: ([form]) => pattern(form),
  isUuid: () => ({ format: 'uuid' }),
};

function rulesOf(dto: Dto) {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

/** Whether a class has rules, so that requests are held to it. */
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
