import { getMetadataStorage } from 'class-validator';
import { violationsMax } from '../errors/app-error.js';
import { type Dto, findNestedType } from './compiled-rules.js';

/** Looked up once: this runs for every member of a body. */
const inherited = Object.prototype;

const knownNames = new Map<Dto, ReadonlySet<string>>();

function namesOf(dto: Dto): ReadonlySet<string> {
  let names = knownNames.get(dto);
  if (!names) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    names = new Set(rules.map(({ propertyName }) => propertyName));
    knownNames.set(dto, names);
  }
  return names;
}

/**
 * Makes an instance of a class from a plain object, and of the classes that it names for its fields.
 * class-transformer and class-validator take some 50 µs for each member, so only the first unknown
 * members of a body go into the instance, enough for the answer; the others are counted.
 */
export function toInstance<T extends object>(
  dto: new () => T,
  plain: object,
): { instance: T; leftOut: number } {
  let unknown = 0;
  const fill = <I extends object>(instance: I, type: Dto, values: object): I => {
    const known = namesOf(type);
    for (const [name, value] of Object.entries(values)) {
      // These are refused by name, see unstorableFields.
      if (name in inherited) continue;
      if (!known.has(name)) {
        unknown += 1;
        if (unknown > violationsMax) continue;
      }
      Object.assign(instance, { [name]: toValue(findNestedType(type, name), value) });
    }
    return instance;
  };
  const toValue = (type: Dto | null, value: unknown): unknown => {
    if (type === null || typeof value !== 'object' || value === null) return value;
    return Array.isArray(value)
      ? value.map((item) => toValue(type, item))
      : fill(new type(), type, value);
  };
  const instance = fill(new dto(), dto, plain);
  return { instance, leftOut: Math.max(0, unknown - violationsMax) };
}
