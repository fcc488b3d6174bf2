import type { TemplateComponent } from '#libs/whatsapp';
import { type Parameter, parameterFor, type TextType, valueFault } from './parameter-values.js';
import { type Slot, slotTitle, type TemplatePlan } from './template-plan.js';

/** Which parameter of a template a named variable fills. */
export interface MappedVariable {
  readonly component: 'header' | 'body' | 'button';
  /** From 1; a component with one parameter needs neither position nor name. */
  readonly position?: number | null;
  readonly parameter_name?: string | null;
  /** From 0. */
  readonly button_index?: number | null;
  /** How a parameter of the body is sent; default: text. */
  readonly type?: TextType | null;
  readonly required: boolean;
  /** The value where a send gives none. */
  readonly default?: string | null;
}

export type MappedVariables = Readonly<Record<string, MappedVariable>>;

/** A variable with the place that it fills. */
export interface FillingEntry {
  /** Null: no variable fills the place, so that it has the same value in each send. */
  readonly name: string | null;
  readonly slot: Slot;
  readonly type: TextType;
  readonly isRequired: boolean;
  readonly byDefault: string | null;
}

/** A mapping resolved against a template: filling a payload takes no further look-up. */
export interface Filling {
  /** In the order of the payload. */
  readonly entries: readonly FillingEntry[];
  readonly names: ReadonlySet<string>;
}

/** A mapping that fits, or why it does not: path in the mapping → what is wrong there. */
export type Fit =
  | { readonly filling: Filling; readonly problems: null }
  | { readonly filling: null; readonly problems: Readonly<Record<string, string>> };

/** Buttons whose parameter cannot be a text. */
const unfillableButtons = new Set(['MPM', 'SPM', 'ORDER_DETAILS']);

/** Whether a mapping fits a template: each variable has one place, and no place is left empty. */
export function fitVariables(plan: TemplatePlan, variables: MappedVariables): Fit {
  const problems: Record<string, string> = {};
  const bySlot = new Map<Slot, FillingEntry>();
  for (const [name, variable] of Object.entries(variables)) {
    const path = `variables.${name}`;
    const found = findSlot(plan, variable);
    if ('fault' in found) {
      problems[`${path}.${found.field}`] = found.fault;
      continue;
    }
    const { slot } = found;
    const other = bySlot.get(slot);
    if (other) problems[path] = `fills ${slotTitle(slot)}, which ${other.name} fills already`;
    else bySlot.set(slot, entryOf(name, variable, slot));
    const fault = variableFault(slot, variable);
    if (fault) problems[`${path}.${fault.field}`] = fault.fault;
  }
  const unfilled = plan.slots.filter((slot) => slot.isRequired && !bySlot.has(slot));
  const missing = [
    ...unfilled.map((slot) =>
      slot.kind === 'location'
        ? 'the header is a location, which a variable cannot fill'
        : `nothing fills ${slotTitle(slot)}`,
    ),
    ...unfillable(plan),
  ];
  // If a variable points to a wrong place, that explains the empty one: report a mistake only once.
  if (missing.length > 0 && Object.keys(problems).length === 0) {
    problems.variables = missing.join('; ');
  }
  if (Object.keys(problems).length > 0) return { filling: null, problems };
  const entries = plan.slots.flatMap(
    (slot) => bySlot.get(slot) ?? (slot.fallback === null ? [] : fixedEntry(slot)),
  );
  return { filling: { entries, names: new Set(Object.keys(variables)) }, problems: null };
}

/** Why a mapping does not fit, as one text. */
export function problemText(problems: Readonly<Record<string, string>>): string {
  return Object.entries(problems)
    .map(([path, problem]) => (path === 'variables' ? problem : `${path}: ${problem}`))
    .join('; ');
}

/** The components of a payload. The values are valid; a place whose value is absent is left out. */
export function fillComponents(
  { entries }: Filling,
  valueOf: (entry: FillingEntry) => string | null,
): TemplateComponent[] {
  const components: TemplateComponent[] = [];
  let last: { slot: Slot; parameters: Parameter[] } | null = null;
  for (const entry of entries) {
    const value = valueOf(entry);
    if (value === null) continue;
    const { slot } = entry;
    const parameter = parameterFor(slot, entry.type, value);
    if (last?.slot.component === slot.component && last.slot.buttonIndex === slot.buttonIndex) {
      if (!joined(last.parameters, parameter)) last.parameters.push(parameter);
    } else {
      last = { slot, parameters: [parameter] };
      components.push(componentOf(slot, last.parameters));
    }
  }
  return components;
}

/** Puts what belongs to the one action of a button into it. */
function joined(parameters: readonly Parameter[], parameter: Parameter): boolean {
  const [first] = parameters;
  if (first?.type !== 'action' || parameter.type !== 'action') return false;
  Object.assign(first.action, parameter.action);
  return true;
}

const buttonSubTypes = {
  url_suffix: 'url',
  payload: 'quick_reply',
  coupon_code: 'copy_code',
  flow_token: 'flow',
  flow_action_data: 'flow',
} as const;

function componentOf({ component, kind, buttonIndex }: Slot, parameters: Parameter[]) {
  if (component !== 'button') return { type: component, parameters } as TemplateComponent;
  const sub_type = buttonSubTypes[kind as keyof typeof buttonSubTypes];
  return { type: component, sub_type, index: String(buttonIndex), parameters } as TemplateComponent;
}

function entryOf(name: string, variable: MappedVariable, slot: Slot): FillingEntry {
  return {
    name,
    slot,
    type: variable.type ?? 'text',
    isRequired: isNeeded(variable),
    byDefault: variable.default ?? slot.fallback,
  };
}

/** Whether every send must give the variable: one with a default is optional, whatever the mapping says. */
export function isNeeded({ required, default: byDefault }: MappedVariable): boolean {
  return required && typeof byDefault !== 'string';
}

/** The entry of a place that has a value without a variable. */
function fixedEntry(slot: Slot): FillingEntry {
  return { name: null, slot, type: 'text', isRequired: false, byDefault: slot.fallback };
}

type Found = { slot: Slot } | { field: string; fault: string };

function findSlot(plan: TemplatePlan, variable: MappedVariable): Found {
  const { component, position, parameter_name, button_index } = variable;
  const isButton = component === 'button';
  if (isButton && typeof button_index !== 'number') {
    return { field: 'button_index', fault: 'is required for a button' };
  }
  if (!isButton && typeof button_index === 'number') {
    return { field: 'button_index', fault: 'belongs to buttons only' };
  }
  const inComponent = plan.slots.filter(
    (slot) => slot.component === component && slot.buttonIndex === (button_index ?? null),
  );
  if (inComponent.length === 0) {
    return isButton
      ? { field: 'button_index', fault: noButtonSlot(plan, button_index ?? 0) }
      : { field: 'component', fault: `the template’s ${component} has no parameters` };
  }
  const [first] = inComponent;
  if (typeof parameter_name === 'string') {
    const named = inComponent.find((slot) => slot.name === parameter_name);
    if (!named) {
      return { field: 'parameter_name', fault: `the ${component} has no parameter of this name` };
    }
    if (typeof position === 'number' && named.position !== position) {
      return { field: 'position', fault: `the parameter of this name is number ${named.position}` };
    }
    return { slot: named };
  }
  if (typeof position === 'number') {
    const slot = inComponent.find((one) => one.position === position);
    return slot
      ? { slot }
      : { field: 'position', fault: `the ${component} has ${count(inComponent.length)}` };
  }
  if (first && inComponent.length === 1) return { slot: first };
  return {
    field: first?.name ? 'parameter_name' : 'position',
    fault: `is required: the ${component} has ${count(inComponent.length)}`,
  };
}

function noButtonSlot({ buttons }: TemplatePlan, index: number): string {
  return index < buttons.length
    ? 'the button at this index takes no parameter'
    : `the template has ${buttons.length} ${buttons.length === 1 ? 'button' : 'buttons'}`;
}

function count(parameters: number): string {
  return `${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}`;
}

function variableFault(
  slot: Slot,
  { type, required, default: byDefault }: MappedVariable,
): { field: string; fault: string } | null {
  const isTextOfBody = slot.kind === 'text' && slot.component === 'body';
  if (type && type !== 'text' && !isTextOfBody) {
    return { field: 'type', fault: 'belongs to texts of the body only' };
  }
  if (slot.kind === 'location') {
    return { field: 'component', fault: 'the header is a location, which a variable cannot fill' };
  }
  if (typeof byDefault === 'string') {
    const fault = valueFault(slot, type ?? 'text', byDefault);
    return fault === null ? null : { field: 'default', fault };
  }
  return slot.isRequired && !required
    ? {
        field: 'required',
        fault: `must be true, or set a default: ${slotTitle(slot)} is never empty`,
      }
    : null;
}

/** What a template needs that variables, being texts, cannot give. Raw components can. */
function unfillable({ headerFormat, slots, buttons, furtherComponents }: TemplatePlan): string[] {
  const hasOddHeader =
    headerFormat !== null &&
    headerFormat !== 'TEXT' &&
    !slots.some(({ component }) => component === 'header');
  const kinds = [
    ...furtherComponents,
    ...buttons.map(({ type }) => type).filter((type) => unfillableButtons.has(type)),
    ...(hasOddHeader ? [`a header of the format ${headerFormat}`] : []),
  ];
  return kinds.map((kind) => `the template has ${kind}, which variables cannot fill`);
}
