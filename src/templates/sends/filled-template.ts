import { isUUID } from 'class-validator';
import { AppError, namedViolations } from '../../errors/app-error.js';
import { isGiven } from '../../http/validation/rules.js';
import type { RecipientDto } from '../../messages/sends/recipient.dto.js';
import { mediaKinds } from '../../uploads/media-kinds.js';
import type { FileUse } from '../../uploads/uploaded-files.js';
import { type Filling, type FillingEntry, fillComponents } from '../plan/mapped-variables.js';
import { oneTimeCodeFaults, valueFault } from '../plan/parameter-values.js';
import type { TemplatePlan } from '../plan/template-plan.js';
import type { KnownTemplate } from './template-directory.js';

type Values = Readonly<Record<string, unknown>>;

/** A template's components, and the uploads that stand in them by our own ids. */
export interface FilledTemplate {
  readonly components: readonly unknown[];
  readonly uses: readonly FileUse[];
}

/**
 * Fills a template by the mapping of its key.
 * @throws AppError MISSING_REQUIRED_VARIABLE, INVALID_TEMPLATE_PARAMS
 */
export function fillTemplate(
  template: KnownTemplate,
  given: Values | null | undefined,
): FilledTemplate {
  const filling = fillingOf(template);
  const values = given ?? {};
  checkValues(template.plan, filling, values);
  return {
    components: fillComponents(filling, (entry) => valueOf(entry, values) as string | null),
    uses: uploadsOf(filling, values),
  };
}

/**
 * One-time codes are bound to a phone number: the platform does not send them to user ids.
 * @throws AppError RECIPIENT_NOT_SUPPORTED
 */
export function checkRecipient({ category }: KnownTemplate, { to }: RecipientDto): void {
  if (category === 'AUTHENTICATION' && !isGiven(to)) {
    throw new AppError('RECIPIENT_NOT_SUPPORTED');
  }
}

function fillingOf({ mapping }: KnownTemplate): Filling {
  if (!mapping || !('filling' in mapping)) throw new Error('the template has no mapping');
  return mapping.filling;
}

/** Null: the variable is absent, which `null` means too, and has no default. */
function valueOf(entry: FillingEntry, values: Values): unknown {
  return givenFor(entry, values) ?? entry.byDefault;
}

function givenFor({ name }: FillingEntry, values: Values): unknown {
  return name !== null && Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

/** The uploads that a header names. */
function uploadsOf({ entries }: Filling, values: Values): FileUse[] {
  return entries.flatMap((entry) => {
    const kind = mediaKinds.find((each) => each === entry.slot.kind);
    const value = valueOf(entry, values);
    return kind && isUUID(value)
      ? [{ field: `variables.${entry.name}`, mediaId: String(value), kind }]
      : [];
  });
}

function checkValues(
  { isAuthentication }: TemplatePlan,
  { entries, names }: Filling,
  values: Values,
): void {
  const missing = entries.filter((entry) => entry.isRequired && givenFor(entry, values) === null);
  if (missing.length > 0) {
    const variables = missing.map(({ name }) => name);
    throw new AppError('MISSING_REQUIRED_VARIABLE', {
      message: `Required ${variables.length === 1 ? 'variable' : 'variables'} missing: ${variables.join(', ')}.`,
      details: { variables },
    });
  }
  const faults: Record<string, string> = {};
  for (const name of Object.keys(values)) {
    if (!names.has(name)) faults[`variables.${name}`] = 'is not a variable of the mapping';
  }
  for (const entry of entries) {
    const value = valueOf(entry, values);
    const fault = value === null ? null : valueFault(entry.slot, entry.type, value);
    if (fault !== null) faults[`variables.${entry.name}`] = fault;
  }
  for (const [path, fault] of Object.entries(isAuthentication ? codeFaults(entries, values) : {})) {
    faults[path] ??= fault;
  }
  if (Object.keys(faults).length > 0) throw invalidParams(faults);
}

function codeFaults(entries: Filling['entries'], values: Values): Record<string, string> {
  const codes = entries.flatMap((entry) => {
    const code = valueOf(entry, values);
    return typeof code === 'string' ? [{ path: `variables.${entry.name}`, code }] : [];
  });
  return oneTimeCodeFaults(codes);
}

/** Faults of parameters, by their paths, as an error that names the first. */
export function invalidParams(faults: Record<string, string>): AppError {
  const { fields, more } = namedViolations(faults);
  const [[path, fault] = [], ...others] = Object.entries(fields);
  const further = others.length + more;
  return new AppError('INVALID_TEMPLATE_PARAMS', {
    message: `${path}: ${fault}${further > 0 ? ` (and ${further} more)` : ''}`,
    details: { fields },
  });
}
