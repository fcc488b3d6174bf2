import { oneTimeCodeFaults } from './parameter-values.js';
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

/** Other components have shapes of their own: a carousel has cards, and the platform alone knows some shapes. */
const checkedTypes: ReadonlySet<string> = new Set([
  'header',
  'body',
  'button',
  'limited_time_offer',
]);

interface Given {
  readonly component: JsonObject;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
}

/**
 * Checks the platform's own components against a template: finds what the platform would refuse with 132000,
 * 132012, 131008, 131009, 132018 or 100.
 * @param at where the components stand in the request.
 * @returns path → what is wrong there; nothing when all of it fits. `components.body` and the like
 * stand for what is missing.
 */
export function checkComponents(
  plan: TemplatePlan,
  components: readonly unknown[],
  at = 'components',
): Record<string, string> {
  const faults: Record<string, string> = {};
  const report: Report = (path, fault) => {
    faults[path] ??= fault;
  };
  const given = readComponents(plan, components, at, report);
  matchHeader(plan, given.get('header') ?? null, at, report);
  matchTexts(plan, 'body', given.get('body') ?? null, at, report);
  for (const [key, { path }] of given) {
    const index = Number(key.split(' ')[1]);
    if (index >= plan.buttons.length) {
      report(`${path}.index`, `the template has no button at index ${index}`);
    }
  }
  plan.buttons.forEach((button, index) => {
    matchButton(button, index, given.get(`button ${index}`) ?? null, at, report);
  });
  if (plan.cards) matchCards(plan.cards, given.get('carousel') ?? null, at, report);
  if (plan.hasOfferEnd) matchOfferEnd(given.get('limited_time_offer') ?? null, at, report);
  if (plan.isAuthentication) matchCodes(given, report);
  return faults;
}

/** The components by their types, buttons with their index. */
function readComponents(
  plan: TemplatePlan,
  components: readonly unknown[],
  at: string,
  report: Report,
): Map<string, Given> {
  const types = ['header', 'body', 'button', ...plan.furtherComponents];
  const given = new Map<string, Given>();
  components.forEach((component, index) => {
    const path = `${at}[${index}]`;
    if (!isObject(component)) return report(path, 'must be an object');
    const { type } = component;
    if (typeof type !== 'string' || !types.includes(type)) {
      return report(`${path}.type`, `must be one of ${types.join(', ')}`);
    }
    const parameters = checkShape(component, type, path, report);
    const key = type === 'button' ? `button ${Number(component.index)}` : type;
    if (given.has(key)) report(path, `${key} is present twice`);
    else given.set(key, { component, path, parameters });
  });
  return given;
}

/** Each card of a carousel is completed as a template is. */
function matchCards(
  cards: readonly TemplatePlan[],
  given: Given | null,
  at: string,
  report: Report,
): void {
  const wanted = `must have ${cards.length} ${cards.length === 1 ? 'card' : 'cards'}, as the template has`;
  if (!given) return report(`${at}.carousel`, `is required: it ${wanted}`);
  refuseUnknown(given.component, ['type', 'cards'], given.path, report);
  const sent = given.component.cards;
  const path = `${given.path}.cards`;
  if (!Array.isArray(sent) || sent.length !== cards.length) return report(path, wanted);
  const seen = new Set<TemplatePlan>();
  sent.forEach((card: unknown, index) => {
    const place = `${path}[${index}]`;
    if (!isObject(card)) return report(place, 'must be an object');
    refuseUnknown(card, ['card_index', 'components'], place, report);
    const { card_index: number, components = [] } = card;
    const plan = /^\d+$/.test(String(number)) ? cards[Number(number)] : undefined;
    if (!plan) {
      return report(`${place}.card_index`, `must be a number from 0 to ${cards.length - 1}`);
    }
    if (seen.has(plan)) report(`${place}.card_index`, 'is present twice');
    seen.add(plan);
    const inCard = `${place}.components`;
    if (!Array.isArray(components)) return report(inCard, 'must be a list');
    for (const [where, fault] of Object.entries(checkComponents(plan, components, inCard))) {
      report(where, fault);
    }
  });
}

function matchOfferEnd(given: Given | null, at: string, report: Report): void {
  const wanted = 'must have one parameter of the type limited_time_offer';
  if (!given) report(`${at}.limited_time_offer`, `is required: it ${wanted}`);
  else if (given.parameters.length !== 1) report(`${given.path}.parameters`, wanted);
}

function matchCodes(given: ReadonlyMap<string, Given>, report: Report): void {
  const codes = [...given].flatMap(([key, { path, parameters }]) =>
    key === 'header'
      ? []
      : parameters.flatMap(({ text }, index) =>
          typeof text === 'string'
            ? [{ path: `${path}.parameters[${index}].text`, code: text }]
            : [],
        ),
  );
  for (const [path, fault] of Object.entries(oneTimeCodeFaults(codes))) report(path, fault);
}

/** Checks a component by itself and returns its parameters. */
function checkShape(
  component: JsonObject,
  type: string,
  path: string,
  report: Report,
): JsonObject[] {
  const isButton = type === 'button';
  if (!checkedTypes.has(type)) return [];
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

function matchHeader(plan: TemplatePlan, given: Given | null, base: string, report: Report): void {
  const slot = plan.slots.find(({ component }) => component === 'header');
  const isOdd = plan.headerFormat !== null && plan.headerFormat !== 'TEXT' && !slot;
  // The platform has to check a format that we do not know.
  if (isOdd) return;
  if (!slot || slot.kind === 'text') return matchTexts(plan, 'header', given, base, report);
  const wanted = `must have one parameter of the type ${slot.kind}`;
  if (!given) return report(`${base}.header`, `is required: it ${wanted}`);
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
  base: string,
  report: Report,
): void {
  const wanted = slots.filter(({ component }) => component === place);
  const parameters = given?.parameters ?? [];
  const at = given ? `${given.path}.parameters` : `${base}.${place}`;
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
  base: string,
  report: Report,
): void {
  if (!form) return;
  const title = `button ${index} (${type})`;
  if (!given) {
    if (!form.isRequired || isFixed) return;
    const wanted = form.mayBeBare ? `component of the sub_type ${form.subType}` : 'parameter';
    return report(`${base}.buttons[${index}]`, `is required: ${title} needs a ${wanted}`);
  }
  const { component, path, parameters } = given;
  if (subTypeOf(component.sub_type) !== form.subType) {
    return report(`${path}.sub_type`, `must be ${form.subType}: that is ${title}`);
  }
  if (isFixed) {
    if (parameters.length > 0) report(`${path}.parameters`, `${title} takes no parameters`);
    return;
  }
  if (form.mayBeBare && parameters.length === 0) return;
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
