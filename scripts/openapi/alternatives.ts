import { getMetadataStorage } from 'class-validator';
import type { Dto } from '../../src/http/validation/compiled-rules.js';
import type { Belonging } from '../../src/http/validation/rules.js';
import { ref, type Schema } from './document-types.js';

const shortName = (dto: { readonly name: string }) => dto.name.replace(/Dto$/, '');

const capitalized = (text: string) =>
  text.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const absent: Schema = { type: 'null' };

/** A field that must have a value. */
function given({ anyOf, type, enum: values, ...schema }: Schema): Schema {
  const isNull = (each: unknown) => (each as Schema).type === 'null';
  const [only] = Array.isArray(anyOf) ? anyOf.filter((each) => !isNull(each)) : [];
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : type;
  return {
    ...schema,
    ...(only as Schema | undefined),
    ...(types !== undefined && { type: Array.isArray(types) && types[0] ? types[0] : types }),
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}

function rulesOf(dto: Dto) {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

/** Which fields of a class exclude each other. */
function exclusionsOf(dto: Dto): (one: string, other: string) => boolean {
  const pairs = rulesOf(dto)
    .filter(({ name }) => name === 'notTogetherWith')
    .map(({ propertyName, constraints }) => [propertyName, String(constraints[0])]);
  return (one, other) => pairs.some((pair) => pair.includes(one) && pair.includes(other));
}

/** One of several fields is required: a schema for each of them, and the class that says so. */
function requiredChoices(dto: Dto, properties: Record<string, Schema>) {
  const exclude = exclusionsOf(dto);
  return rulesOf(dto)
    .filter(({ name }) => name === 'requiredWithout')
    .map(({ propertyName, constraints, target }) => {
      const fields = [propertyName, ...(constraints as string[])];
      const others = Object.keys(properties).filter((name) => !fields.includes(name));
      const variants = fields.map((field, place): Schema => {
        const schemas = fields.map((each, at) => {
          const schema = properties[each] ?? {};
          if (at === place) return [each, given(schema)];
          // With both, the first one's schema holds, so that it is one of them exactly.
          return [each, at < place || exclude(field, each) ? absent : schema];
        });
        const excluded = others.filter((name) => exclude(field, name));
        return {
          type: 'object',
          properties: Object.fromEntries([...schemas, ...excluded.map((name) => [name, absent])]),
          required: [field],
        };
      });
      return { fields, variants, owner: shortName(target as Dto) };
    });
}

/** Fields that belong to values of another one: a schema for each value, by its name; null where there are none. */
function belongingChoice(dto: Dto, properties: Record<string, Schema>) {
  const belongings = rulesOf(dto)
    .filter(({ name }) => name === 'belongsTo')
    .map(({ propertyName, constraints }) => ({
      ...(constraints as [Belonging])[0],
      name: propertyName,
    }));
  const [first] = belongings;
  if (!first) return null;
  const { field } = first;
  const { enum: all = [], ...decider } = properties[field] ?? {};
  const values = all.filter((value) => typeof value === 'string');
  const nameOf = (value: string) => shortName(dto) + capitalized(value);
  const schemaOf = (value: string): Schema => {
    const own = belongings.filter((belonging) => belonging.values.includes(value));
    const required = own.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const schemas = belongings.map(({ name }) => {
      const property = properties[name] ?? {};
      if (required.includes(name)) return [name, given(property)];
      return [name, own.some((each) => each.name === name) ? property : absent];
    });
    return {
      type: 'object',
      properties: {
        [field]: { ...decider, type: 'string', const: value },
        ...Object.fromEntries(schemas),
      },
      required: [field, ...required],
    };
  };
  return {
    fields: [field, ...belongings.map(({ name }) => name)],
    variants: Object.fromEntries(values.map((value) => [nameOf(value), schemaOf(value)])),
    discriminator: {
      propertyName: field,
      mapping: Object.fromEntries(
        values.map((value) => [value, ref('schemas', nameOf(value)).$ref]),
      ),
    },
  };
}

/** What excludes each other without being required stays a condition. */
function conditionsOf(dto: Dto, fields: Record<string, Schema>): Record<string, Schema> {
  const schemas: Record<string, Schema[]> = {};
  for (const { name, propertyName, constraints } of rulesOf(dto)) {
    const other = String(constraints?.[0]);
    if (name !== 'notTogetherWith' || !fields[propertyName] || !fields[other]) continue;
    (schemas[other] ??= []).push({
      if: { properties: { [other]: absent } },
      else: { properties: { [propertyName]: absent } },
    });
  }
  const one = (all: Schema[]): Schema => (all.length === 1 && all[0] ? all[0] : { allOf: all });
  return Object.fromEntries(Object.entries(schemas).map(([field, all]) => [field, one(all)]));
}

/**
 * Refuses unknown fields, and says of a class's fields which need and which exclude each other: as schemas of which one
 * holds, so that generated types say it too.
 * @returns the schemas that the changed one refers to, by name.
 */
export function composeRequest(dto: Dto, schema: Schema): Record<string, Schema> {
  const { properties = {}, required = [], ...rest } = schema;
  const byType = belongingChoice(dto, properties);
  const choices = requiredChoices(dto, properties);
  const chosen = new Set([...choices, byType].flatMap((choice) => choice?.fields ?? []));
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !chosen.has(name)));
  const ownRequired = required.filter((name) => !chosen.has(name));
  const conditions = conditionsOf(dto, own);
  const added: Record<string, Schema> = {};
  const parts = choices.map(({ variants, owner }) => {
    // They exclude each other, so `oneOf` would say the same; linters cannot see it.
    if (owner === shortName(dto)) return { anyOf: variants };
    added[owner] = { oneOf: variants };
    return ref('schemas', owner);
  });
  const base: Schema = {
    ...rest,
    ...(Object.keys(own).length > 0 && { properties: own }),
    ...(ownRequired.length > 0 && { required: ownRequired }),
    ...(Object.keys(conditions).length > 0 && { dependentSchemas: conditions }),
    ...(parts.length > 0 && { allOf: parts }),
  };
  for (const name of Object.keys(schema)) delete schema[name];
  if (byType === null) {
    const isComposed = base.allOf !== undefined;
    Object.assign(schema, base, {
      [isComposed ? 'unevaluatedProperties' : 'additionalProperties']: false,
    });
    return added;
  }
  const refusal = { [parts.length > 0 ? 'unevaluatedProperties' : 'additionalProperties']: false };
  for (const [name, variant] of Object.entries(byType.variants)) {
    added[name] = {
      ...base,
      properties: { ...base.properties, ...variant.properties },
      required: [...(base.required ?? []), ...(variant.required ?? [])],
      ...refusal,
    };
  }
  Object.assign(schema, rest, {
    oneOf: Object.keys(byType.variants).map((name) => ref('schemas', name)),
    discriminator: byType.discriminator,
    // The variants refuse unknown fields; linters that add a refusal here do not see into them.
    unevaluatedProperties: true,
  });
  return added;
}
