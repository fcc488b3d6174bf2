import {
  checkParameter,
  isAbsent,
  isObject,
  type JsonObject,
  type Report,
  refuseUnknown,
} from './raw-parameters.js';
import type { ButtonPlan, Slot, TemplatePlan } from './template-plan.js';

const subTypes = [
  'quick_reply',
  'url',
  'copy_code',
  'flow',
  'catalog',
  'mpm',
  'order_details',
  'voice_call',
];

const buttonsMax = 10;

interface Given {
  readonly component: JsonObject;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
}

/**
 * Checks the platform's own components against a template: finds what the platform would refuse with 132000,
 * 132012, 131008, 132018 or 100.
 * @returns path → what is wrong there; nothing when all of it fits. `components.body` and the like
 * stand for what is missing.
 */
export function checkComponents(
  plan: TemplatePlan,
  components: readonly unknown[],
): Record<string, string> {
  const faults: Record<string, string> = {};
  const report: Report = (path, fault) => {
    faults[path] ??= fault;
  };
  const types = ['header', 'body', 'button', ...plan.furtherComponents];
  const given = new Map<string, Given>();
  components.forEach((component, index) => {
    const path = `components[${index}]`;
    if (!isObject(component)) return report(path, 'must be an object');
    const { type } = component;
    if (typeof type !== 'string' || !types.includes(type)) {
      return report(`${path}.type`, `must be one of ${types.join(', ')}`);
    }
    // Cards and offers have shapes of their own, which only the platform knows.
    if (plan.furtherComponents.has(type)) return;
    const parameters = checkShape(component, type, path, report);
    const key = type === 'button' ? `button ${Number(component.index)}` : type;
    if (given.has(key)) report(path, `${key} is present twice`);
    else given.set(key, { component, path, parameters });
  });
  matchHeader(plan, given.get('header') ?? null, report);
  matchTexts(plan, 'body', given.get('body') ?? null, report);
  for (const [key, { path }] of given) {
    const index = Number(key.split(' ')[1]);
    if (index >= plan.buttons.length) {
      report(`${path}.index`, `the template has no button at index ${index}`);
    }
  }
  plan.buttons.forEach((button, index) => {
    matchButton(button, index, given.get(`button ${index}`) ?? null, report);
  });
  return faults;
}

/** Checks a component by itself and returns its parameters. */
function checkShape(
  component: JsonObject,
  type: string,
  path: string,
  report: Report,
): JsonObject[] {
  const isButton = type === 'button';
  refuseUnknown(
    component,
    isButton ? ['type', 'parameters', 'sub_type', 'index'] : ['type', 'parameters'],
    path,
    report,
  );
  if (isButton) {
    const { sub_type, index } = component;
    if (!subTypes.includes(subTypeOf(sub_type))) {
      report(`${path}.sub_type`, `must be one of ${subTypes.join(', ')}`);
    }
    // The platform's own examples use both spellings of an index.
    const isIndex = typeof index === 'string' ? /^\d$/.test(index) : Number.isInteger(index);
    if (!isIndex || Number(index) < 0 || Number(index) >= buttonsMax) {
      report(`${path}.index`, `must be a number from 0 to ${buttonsMax - 1}`);
    }
  }
  const { parameters } = component;
  if (isAbsent(parameters)) return [];
  if (!Array.isArray(parameters)) {
    report(`${path}.parameters`, 'must be a list');
    return [];
  }
  parameters.forEach((parameter: unknown, index) => {
    checkParameter(parameter, type, `${path}.parameters[${index}]`, report);
  });
  return parameters.filter(isObject);
}

function matchHeader(plan: TemplatePlan, given: Given | null, report: Report): void {
  const slot = plan.slots.find(({ component }) => component === 'header');
  const isOdd = plan.headerFormat !== null && plan.headerFormat !== 'TEXT' && !slot;
  // The platform has to check a format that we do not know.
  if (isOdd) return;
  if (!slot || slot.kind === 'text') return matchTexts(plan, 'header', given, report);
  const wanted = `must have one parameter of the type ${slot.kind}`;
  if (!given) return report('components.header', `is required: it ${wanted}`);
  const [parameter] = given.parameters;
  if (given.parameters.length !== 1) return report(`${given.path}.parameters`, wanted);
  if (parameter?.type !== slot.kind) {
    report(
      `${given.path}.parameters[0].type`,
      `must be ${slot.kind}: that is the template’s header`,
    );
  }
}

function matchTexts(
  { slots, isNamed }: TemplatePlan,
  place: 'header' | 'body',
  given: Given | null,
  report: Report,
): void {
  const wanted = slots.filter(({ component }) => component === place);
  const parameters = given?.parameters ?? [];
  const at = given ? `${given.path}.parameters` : `components.${place}`;
  parameters.forEach(({ type }, index) => {
    if (place === 'header' && type !== 'text') {
      report(`${at}[${index}].type`, 'must be text: that is the template’s header');
    }
  });
  if (isNamed) matchNames(wanted, parameters, at, report);
  if (parameters.length !== wanted.length) {
    report(at, `must have ${count(wanted.length)}; there ${areOrIs(parameters.length)}`);
  }
}

function matchNames(
  wanted: readonly Slot[],
  parameters: readonly JsonObject[],
  path: string,
  report: Report,
): void {
  const seen = new Set<string>();
  parameters.forEach(({ parameter_name: name }, index) => {
    const at = `${path}[${index}].parameter_name`;
    if (typeof name !== 'string' || name === '') {
      report(at, 'is required: the template’s parameters have names');
    } else if (!wanted.some((slot) => slot.name === name)) {
      report(at, 'is not a parameter of the template');
    } else if (seen.has(name)) report(at, 'is present twice');
    else seen.add(name);
  });
}

function matchButton(
  { type, form, isFixed }: ButtonPlan,
  index: number,
  given: Given | null,
  report: Report,
): void {
  if (!form) return;
  const title = `button ${index} (${type})`;
  if (!given) {
    if (!form.isRequired || isFixed) return;
    return report(`components.buttons[${index}]`, `is required: ${title} needs a parameter`);
  }
  const { component, path, parameters } = given;
  if (subTypeOf(component.sub_type) !== form.subType) {
    return report(`${path}.sub_type`, `must be ${form.subType}: that is ${title}`);
  }
  if (isFixed) {
    if (parameters.length > 0) report(`${path}.parameters`, `${title} takes no parameters`);
    return;
  }
  if (parameters.length !== 1) {
    return report(
      `${path}.parameters`,
      `must have 1 parameter; there ${areOrIs(parameters.length)}`,
    );
  }
  if (parameters[0]?.type !== form.parameter) {
    report(`${path}.parameters[0].type`, `must be ${form.parameter} for ${title}`);
  }
}

/** WhatsApp takes it in capitals, too. */
function subTypeOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}

function count(parameters: number): string {
  return `${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}`;
}

function areOrIs(parameters: number): string {
  return parameters === 1 ? 'is 1' : `are ${parameters}`;
}
