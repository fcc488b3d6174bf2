import { getMetadataStorage, ValidateNested, type ValidationArguments } from 'class-validator';
import { violationsMax } from '../../errors/app-error.js';
import { unstorableFields } from './json-body.js';
import { type ItemRule, phoneNumberConstraint, Violations } from './violations.js';

/** A class whose decorators hold rules. */
export type Dto = new () => object;

type Metadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** Notes what is wrong with an object that stands at a path. */
type FindViolations = (values: object, path: string, violations: Violations) => void;

/** The rules of a class. */
export interface Rules {
  /** The fields that it has. */
  readonly names: ReadonlySet<string>;
  /** The values of fields that a body may leave out, or null. */
  readonly defaults: object | null;
  /** Notes the fields that the class does not have. */
  readonly findUnknown: FindViolations;
  /** Notes what is wrong with its fields, and the unknown ones. */
  readonly check: FindViolations;
}

/** One rule of a field. */
interface Check {
  readonly isPhoneNumber: boolean;
  isMet(value: unknown, owner: object): boolean;
  faultOf(value: unknown, owner: object): string;
  faultsOf: ItemRule['faultsOf'] | undefined;
}

type Condition = (owner: object, value: unknown) => boolean;

const nestedTypes = new Map<object, Map<string, () => Dto>>();

/** Declares that a field holds an object of a class, or a list of such objects. */
export function NestedType(type: () => Dto, options: { each: boolean }): PropertyDecorator {
  return (target, propertyName) => {
    const types = nestedTypes.get(target.constructor) ?? new Map<string, () => Dto>();
    nestedTypes.set(target.constructor, types.set(String(propertyName), type));
    ValidateNested(options)(target, propertyName);
  };
}

/** The class of the objects that a field of a class, or of one that it extends, holds; or null. */
export function findNestedType(dto: Dto, field: string): Dto | null {
  for (let type: unknown = dto; typeof type === 'function'; type = Object.getPrototypeOf(type)) {
    const nested = nestedTypes.get(type)?.get(field);
    if (nested) return nested();
  }
  return null;
}

const compiled = new Map<Dto, Rules>();

/**
 * The rules of a class, from what class-validator's decorators say. class-validator itself interprets
 * them again at each call, which takes a third of a send.
 */
export function compiledRules(dto: Dto): Rules {
  let rules = compiled.get(dto);
  if (rules === undefined) {
    rules = compile(dto);
    compiled.set(dto, rules);
  }
  return rules;
}

/** What is wrong with an object, by path. */
export function findFaults(dto: Dto, plain: object): Record<string, string> {
  const violations = new Violations();
  compiledRules(dto).check(plain, '', violations);
  return violations.fields();
}

/** What is wrong with one item of a list whose items get answers of their own, by path. */
export function findItemFaults(dto: Dto, item: object): Record<string, string> {
  return { ...findFaults(dto, item), ...unstorableFields(item) };
}

function compile(dto: Dto): Rules {
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(dto, '', false, false);
  const byField = Object.entries(storage.groupByPropertyName(metadata));
  const fields = byField.map(([name, rules]) => compileField(dto, name, rules));
  const names = new Set(byField.map(([name]) => name));
  const defaults = new dto();
  const findUnknown: FindViolations = (values, path, violations) => {
    for (const name in values) {
      // unstorableFields refuses names that every object inherits.
      if (names.has(name) || name in Object.prototype) continue;
      violations.addUnknown(join(path, name));
    }
  };
  return {
    names,
    defaults: Object.values(defaults).some((value) => value !== undefined) ? defaults : null,
    findUnknown,
    check(values, path, violations) {
      findUnknown(values, path, violations);
      for (const checkField of fields) checkField(values, path, violations);
    },
  };
}

/** Checks a field: its own rules where its conditions hold, then the objects in it. */
function compileField(dto: Dto, name: string, rules: Metadata[]): FindViolations {
  const conditions: Condition[] = [];
  const checks: Check[] = [];
  const nested = findNestedType(dto, name);
  const isList = rules.some(({ type, each }) => type === 'nestedValidation' && each);
  for (const rule of rules) {
    if (rule.type === 'conditionalValidation') conditions.push(rule.constraints[0] as Condition);
    else if (rule.type !== 'nestedValidation') checks.push(...checksOf(rule, dto, name));
  }
  return (values, parent, violations) => {
    const value = (values as Record<string, unknown>)[name];
    if (!conditions.every((condition) => condition(values, value))) return;
    const isFine = checks.every((check) => check.isMet(value, values));
    if (!isFine) note(checks, value, values, join(parent, name), violations);
    if (nested === null) return;
    const path = join(parent, name);
    if (Array.isArray(value) && isList) {
      // The answer could not name all of its items; it is enough to say that it is too long.
      if (!isFine && value.length > violationsMax) return;
      for (const [index, item] of value.entries()) {
        const place = `${path}[${index}]`;
        if (isObject(item)) compiledRules(nested).check(item, place, violations);
        else violations.addFault(place, 'must be an object');
      }
    } else if (isFine && isObject(value)) {
      // Checks the parts only if the value itself is valid.
      compiledRules(nested).check(value, path, violations);
    }
  };
}

/** Notes the first broken rule, or the faults of single items if the rule can name them. */
function note(
  checks: readonly Check[],
  value: unknown,
  owner: object,
  path: string,
  violations: Violations,
): void {
  const broken = checks.filter((check) => !check.isMet(value, owner));
  for (const { faultsOf } of broken) {
    const faults = itemFaults(faultsOf?.(value) ?? []);
    for (const [place, fault] of faults) violations.addFault(`${path}${place}`, fault);
    if (faults.length > 0) return;
  }
  const [first] = broken;
  const fault = first?.faultOf(value, owner) ?? 'is not valid';
  const isText = typeof value === 'string' && value.trim() !== '';
  if (first?.isPhoneNumber && isText) violations.addWrongNumber(path, fault);
  else violations.addFault(path, fault);
}

function itemFaults(faults: ReturnType<ItemRule['faultsOf']>): [place: string, fault: string][] {
  if (!Array.isArray(faults)) {
    return Object.entries(faults).map(([member, fault]) => [`.${member}`, fault]);
  }
  return faults.flatMap((fault: string | null, index) =>
    fault === null ? [] : [[`[${index}]`, fault]],
  );
}

/** @throws Error for unsupported rules: those for each item, and those with a condition of their own. */
function checksOf(rule: Metadata, dto: Dto, property: string): Check[] {
  const constraints = (rule.constraints ?? []) as unknown[];
  const targetName = dto.name;
  return getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls)
    .map(({ instance }) => {
      if (rule.type !== 'customValidation' || rule.each || rule.validateIf) {
        throw new Error(`${targetName}.${property} has a rule of a kind that is not compiled`);
      }
      const argumentsOf = (value: unknown, object: object): ValidationArguments => ({
        targetName,
        property,
        object,
        value,
        constraints,
      });
      return {
        isPhoneNumber: rule.name === phoneNumberConstraint,
        isMet: (value, owner) => instance.validate(value, argumentsOf(value, owner)) === true,
        faultOf: (value, owner) => {
          const args = argumentsOf(value, owner);
          if (typeof rule.message === 'function') return rule.message(args);
          const text = rule.message || instance.defaultMessage?.(args) || 'is not valid';
          // The texts of the library begin with the field, which callers get apart.
          return text.replace(/^\$property /, '');
        },
        faultsOf: (rule.context as Partial<ItemRule> | undefined)?.faultsOf,
      };
    });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function join(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}
