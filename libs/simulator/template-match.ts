import { isAbsent, isObject, type JsonObject, textOf } from './checks.js';
import { invalidValue, missingParameter, PlatformError } from './errors.js';
import { placeholdersOf, type Template } from './templates.js';

/** Longest texts after the parameters have been filled in. */
const filledMax: Readonly<Record<string, number>> = { header: 60, body: 1024, url: 2000 };
const mediaFormats = ['IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'];

/** Checks a template send against the template that it names; throws a `PlatformError`. */
export const matchTemplate = (
  sent: JsonObject,
  found: Template | null,
  name: string,
  language: string,
): Template => {
  const template = sendable(found, name, language);
  const components = objectsOf(sent.components);
  matchComponents(template, components);
  matchCarousel(template, only(components, 'carousel'));
  matchOffer(template, only(components, 'limited_time_offer'));
  if (template.category.toUpperCase() === 'AUTHENTICATION') matchCodes(components);
  return template;
};

const objectsOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const matchComponents = (template: Template, components: readonly JsonObject[]): void => {
  const header = only(components, 'header');
  matchHeader(template, header);
  const bodyText = definitionOf(template, 'BODY')?.text;
  matchText(template, 'body', bodyText, parametersOf(only(components, 'body')));
  matchButtons(
    template,
    components.filter(({ type }) => type === 'button'),
  );
};

/** Each card is completed as a template is. */
const matchCarousel = (template: Template, carousel: JsonObject | null): void => {
  const definition = definitionOf(template, 'CAROUSEL');
  if (definition === null && carousel === null) return;
  if (definition === null) throw mismatch('carousel', 'NONE', 'CAROUSEL');
  if (carousel === null) throw missingParameter('carousel: component is required');
  const defined = objectsOf(definition.cards);
  const cards = objectsOf(carousel.cards);
  if (cards.length !== defined.length) {
    throw new PlatformError(132012, {
      details: `carousel: number of cards (${cards.length}) does not match the expected number of cards (${defined.length})`,
    });
  }
  const seen = new Set<number>();
  for (const { card_index: sentIndex, components } of cards) {
    const index = Number(sentIndex);
    const card = defined[index];
    if (card === undefined || seen.has(index)) {
      throw invalidValue(`carousel: card_index (${index}) is not that of another card`);
    }
    seen.add(index);
    matchComponents({ ...template, components: objectsOf(card.components) }, objectsOf(components));
  }
};

const matchOffer = (template: Template, component: JsonObject | null): void => {
  const definition = definitionOf(template, 'LIMITED_TIME_OFFER');
  if (definition === null && component !== null) {
    throw mismatch('limited_time_offer', 'NONE', 'LIMITED_TIME_OFFER');
  }
  const offer = definition?.limited_time_offer;
  const ends = definition !== null && !(isObject(offer) && offer.has_expiration === false);
  if (ends && parametersOf(component).length === 0) {
    throw missingParameter('limited_time_offer: component with expiration_time_ms is required');
  }
};

/** The button copies the code that the text shows. */
const matchCodes = (components: readonly JsonObject[]): void => {
  const codes = components
    .flatMap((component) => parametersOf(component))
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  if (codes.some((code) => Array.from(code).length > 15)) {
    throw invalidValue('One-time password is too long. Max length is 15');
  }
  if (new Set(codes).size > 1) {
    throw invalidValue('The one-time password of the button does not match that of the body');
  }
};

const sendable = (template: Template | null, name: string, language: string): Template => {
  if (template?.status === 'PAUSED') {
    throw new PlatformError(132015, { details: `template name (${name}) is paused` });
  }
  if (template?.status === 'DISABLED') {
    throw new PlatformError(132016, { details: `template name (${name}) is disabled` });
  }
  if (template?.status !== 'APPROVED') {
    throw new PlatformError(132001, {
      details: `template name (${name}) does not exist in ${language}`,
    });
  }
  return template;
};

const only = (components: readonly JsonObject[], type: string): JsonObject | null => {
  const [first, second] = components.filter((component) => component.type === type);
  if (second !== undefined) throw invalidValue(`${type}: component is present twice`);
  return first ?? null;
};

const definitionOf = (template: Template, type: string): JsonObject | null =>
  template.components.find((component) => String(component.type).toUpperCase() === type) ?? null;

const parametersOf = (component: JsonObject | null): JsonObject[] =>
  objectsOf(component?.parameters);

const matchHeader = (template: Template, header: JsonObject | null): void => {
  const definition = definitionOf(template, 'HEADER');
  const format = textOf(definition?.format, 'TEXT').toUpperCase();
  const parameters = parametersOf(header);
  if (!mediaFormats.includes(format)) {
    matchText(template, 'header', definition?.text, parameters);
    return;
  }
  const [parameter] = parameters;
  const received = textOf(parameter?.type, 'unknown').toUpperCase();
  if (received !== format) throw mismatch('header', format, received);
  if (parameters.length > 1) throw wrongCount('header', parameters.length, 1);
};

const matchText = (
  template: Template,
  place: 'header' | 'body',
  text: unknown,
  parameters: readonly JsonObject[],
): void => {
  const expected = placeholdersOf(text);
  const isNamed = template.parameter_format === 'NAMED';
  const media = parameters.find(({ type }) => mediaFormats.includes(String(type).toUpperCase()));
  if (media !== undefined) throw mismatch(place, 'TEXT', String(media.type).toUpperCase());
  if (isNamed) for (const parameter of parameters) refuseNameless(parameter);
  if (parameters.length !== expected.length) {
    throw wrongCount(place, parameters.length, expected.length);
  }
  const values = new Map<string, string>();
  for (const [index, parameter] of parameters.entries()) {
    const name = isNamed ? String(parameter.parameter_name) : String(expected[index]);
    if (!expected.includes(name) || values.has(name)) {
      throw new PlatformError(100, {
        message: '(#100) Invalid parameter',
        details: `${place}: Parameter name (${name}) does not match a parameter of the template`,
      });
    }
    values.set(name, shownValue(parameter));
  }
  refuseTooLong(place, fill(text, values));
};

const refuseNameless = (parameter: JsonObject): void => {
  if (isAbsent(parameter.parameter_name) || parameter.parameter_name === '') {
    throw new PlatformError(100, {
      message: '(#100) Invalid parameter',
      details: 'Parameter name is missing or empty',
    });
  }
};

const shownValue = (parameter: JsonObject): string => {
  if (typeof parameter.text === 'string') return parameter.text;
  const value = parameter[String(parameter.type)];
  return isObject(value) && typeof value.fallback_value === 'string' ? value.fallback_value : '';
};

const fill = (text: unknown, values: ReadonlyMap<string, string>): string =>
  textOf(text).replaceAll(
    /\{\{\s*(\w+)\s*\}\}/g,
    (_placeholder, name: string) => values.get(name) ?? '',
  );

const refuseTooLong = (place: string, filled: string): void => {
  const max = filledMax[place] ?? Number.POSITIVE_INFINITY;
  if (Array.from(filled).length > max) {
    throw new PlatformError(132005, {
      details: `${place}: Translated text is too long. Max length is ${max}`,
    });
  }
};

const matchButtons = (template: Template, sent: readonly JsonObject[]): void => {
  const defined = definitionOf(template, 'BUTTONS')?.buttons;
  const buttons = Array.isArray(defined) ? defined.filter(isObject) : [];
  const byIndex = new Map<number, JsonObject>();
  for (const component of sent) {
    const index = Number(component.index);
    if (byIndex.has(index)) throw invalidValue(`buttons: index ${index} is present twice`);
    if (index >= buttons.length) {
      throw invalidValue(`buttons: the template has no button at index ${index}`);
    }
    byIndex.set(index, component);
  }
  for (const [index, button] of buttons.entries()) {
    matchButton(button, index, byIndex.get(index) ?? null);
  }
};

/** Kinds of button that a send can or must complete, with what they are called in each place. */
const buttonKinds: ReadonlyMap<string, { subType: string; title: string; parameter: string }> =
  new Map([
    ['FLOW', { subType: 'flow', title: 'Flow', parameter: 'action' }],
    ['MPM', { subType: 'mpm', title: 'Mpm', parameter: 'action' }],
    ['ORDER_DETAILS', { subType: 'order_details', title: 'OrderDetails', parameter: 'action' }],
    ['URL', { subType: 'url', title: 'Url', parameter: 'text' }],
    ['OTP', { subType: 'url', title: 'Url', parameter: 'text' }],
    ['COPY_CODE', { subType: 'copy_code', title: 'CopyCode', parameter: 'coupon_code' }],
    ['QUICK_REPLY', { subType: 'quick_reply', title: 'QuickReply', parameter: 'payload' }],
  ]);

const matchButton = (button: JsonObject, index: number, component: JsonObject | null): void => {
  const type = String(button.type).toUpperCase();
  const kind = buttonKinds.get(type);
  if (kind === undefined) return;
  const isFixed = type === 'URL' && placeholdersOf(button.url).length === 0;
  const isRequired = !isFixed && type !== 'QUICK_REPLY';
  const where = `buttons: Button at index ${index} of type ${kind.title}`;
  if (component === null) {
    // A flow needs its button named, and no parameter: the platform has another code for that.
    if (type === 'FLOW') throw invalidValue(`${where} requires a component`);
    if (isRequired) throw missingParameter(`${where} requires a parameter`);
    return;
  }
  if (String(component.sub_type).toLowerCase() !== kind.subType) {
    throw mismatch('button', type, String(component.sub_type).toUpperCase());
  }
  const parameters = parametersOf(component);
  if (isFixed) {
    if (parameters.length === 0) return;
    throw new PlatformError(132018, { details: `${where} does not take parameters` });
  }
  const [parameter] = parameters;
  if (parameter === undefined && type === 'FLOW') return;
  if (parameter === undefined) throw missingParameter(`${where} requires a parameter`);
  if (parameters.length > 1) throw wrongCount('button', parameters.length, 1);
  if (parameter.type !== kind.parameter) {
    throw mismatch('button', kind.parameter.toUpperCase(), String(parameter.type).toUpperCase());
  }
  if (type === 'URL')
    refuseTooLong('url', fill(button.url, new Map([['1', shownValue(parameter)]])));
};

const mismatch = (place: string, expected: string, received: string): PlatformError =>
  new PlatformError(132012, {
    details: `${place}: Format mismatch, expected ${expected}, received ${received}`,
  });

const wrongCount = (place: string, received: number, expected: number): PlatformError =>
  new PlatformError(132000, {
    details: `${place}: number of localizable_params (${received}) does not match the expected number of params (${expected})`,
  });
