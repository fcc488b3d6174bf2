import {
  assertArray,
  assertObject,
  assertString,
  fieldPath,
  isAbsent,
  type JsonObject,
  refuseUnknownKeys,
  schemaString,
  textOf,
} from './checks.js';
import {
  invalidParameter,
  invalidValue,
  missingParameter,
  notOneOf,
  PlatformError,
} from './errors.js';
import { validateHeaderMedia } from './media-validation.js';
import type { Strictness } from './options.js';

const keys = new Set(['name', 'language', 'components', 'namespace']);
const languageKeys = new Set(['code', 'policy']);
const componentKeys = new Set(['type', 'parameters']);
const buttonKeys = new Set(['type', 'parameters', 'sub_type', 'index']);
const componentTypes = ['header', 'body', 'button', 'limited_time_offer', 'carousel'];
const carouselKeys = new Set(['type', 'cards']);
const cardKeys = new Set(['card_index', 'components']);
/** Taken as it comes. */
const uncheckedTypes = new Set(['order_status']);
const buttonTypes = [
  'quick_reply',
  'url',
  'copy_code',
  'flow',
  'catalog',
  'mpm',
  'order_details',
  'voice_call',
];

/** Kinds of parameter that each place takes. */
const parameterTypes: Readonly<Record<string, readonly string[]>> = {
  header: ['text', 'image', 'video', 'document', 'location', 'currency', 'date_time', 'product'],
  body: ['text', 'currency', 'date_time'],
  button: ['payload', 'text', 'coupon_code', 'action'],
  limited_time_offer: ['limited_time_offer'],
};

/** Checks the structure of a template send, without looking at the template itself. */
export const validateTemplate = (template: JsonObject, strictness: Strictness): void => {
  refuseUnknownKeys(template, keys, 'template');
  const name = schemaString(template, 'name', 'template', 512, strictness);
  if (name === null || name === '') {
    throw invalidParameter("The parameter template['name'] is required.");
  }
  const { language, components } = template;
  if (isAbsent(language)) {
    throw invalidParameter("The parameter template['language'] is required.");
  }
  assertObject(language, "template['language']");
  refuseUnknownKeys(language, languageKeys, "template['language']");
  if (isAbsent(language.code) || language.code === '') {
    throw invalidParameter("The parameter template['language']['code'] is required.");
  }
  assertString(language.code, "template['language']['code']");
  if (!isAbsent(language.policy) && language.policy !== 'deterministic') {
    throw notOneOf("template['language']['policy']", ['deterministic'], language.policy);
  }
  if (isAbsent(components)) return;
  assertArray(components, "template['components']");
  for (const [index, component] of components.entries()) {
    checkComponent(component, fieldPath("template['components']", index));
  }
};

const checkComponent = (component: unknown, path: string): void => {
  assertObject(component, path);
  const { type } = component;
  if (typeof type === 'string' && uncheckedTypes.has(type)) return;
  if (typeof type !== 'string' || !componentTypes.includes(type)) {
    throw notOneOf(`${path}['type']`, componentTypes, type);
  }
  if (type === 'carousel') {
    checkCards(component, path);
    return;
  }
  refuseUnknownKeys(component, type === 'button' ? buttonKeys : componentKeys, path);
  if (type === 'button') checkButton(component, path);
  if (isAbsent(component.parameters)) return;
  assertArray(component.parameters, `${path}['parameters']`);
  for (const [index, parameter] of component.parameters.entries()) {
    checkParameter(parameter, type, fieldPath(`${path}['parameters']`, index));
  }
};

const checkCards = (carousel: JsonObject, path: string): void => {
  refuseUnknownKeys(carousel, carouselKeys, path);
  if (isAbsent(carousel.cards)) throw missingParameter('carousel: cards is required');
  const cardsPath = `${path}['cards']`;
  assertArray(carousel.cards, cardsPath);
  for (const [index, card] of carousel.cards.entries()) {
    const at = fieldPath(cardsPath, index);
    assertObject(card, at);
    refuseUnknownKeys(card, cardKeys, at);
    if (isAbsent(card.card_index)) throw missingParameter('carousel: card_index is required');
    if (!/^\d+$/.test(textOf(card.card_index))) {
      throw invalidValue('carousel: card_index must be a number');
    }
    if (isAbsent(card.components)) continue;
    assertArray(card.components, `${at}['components']`);
    for (const [place, component] of card.components.entries()) {
      checkComponent(component, fieldPath(`${at}['components']`, place));
    }
  }
};

const checkButton = (component: JsonObject, path: string): void => {
  const { sub_type: kind, index } = component;
  if (isAbsent(kind)) throw missingParameter('button: sub_type is required');
  // Its documents have capitals, too.
  if (typeof kind !== 'string' || !buttonTypes.includes(kind.toLowerCase())) {
    throw notOneOf(`${path}['sub_type']`, buttonTypes, kind);
  }
  if (isAbsent(index)) throw missingParameter('button: index is required');
  // The platform's own examples have both spellings.
  if (!(typeof index === 'number' || typeof index === 'string') || !/^\d$/.test(String(index))) {
    throw invalidValue('button: index must be between 0 and 9');
  }
};

const checkParameter = (parameter: unknown, place: string, path: string): void => {
  assertObject(parameter, path);
  const { type } = parameter;
  const types = parameterTypes[place] ?? [];
  if (typeof type !== 'string' || !types.includes(type)) {
    throw notOneOf(`${path}['type']`, types, type);
  }
  refuseUnknownKeys(parameter, new Set(['type', 'parameter_name', type]), path);
  if (!isAbsent(parameter.parameter_name)) {
    assertString(parameter.parameter_name, `${path}['parameter_name']`);
  }
  const value = parameter[type];
  if (isAbsent(value)) {
    throw missingParameter(`Parameter of type ${type} is missing ${type} value`);
  }
  checkParameterValue(type, value, place, fieldPath(path, type));
};

const checkParameterValue = (type: string, value: unknown, place: string, path: string): void => {
  if (type === 'text' || type === 'payload' || type === 'coupon_code') {
    assertString(value, path);
    if (value.trim() === '') {
      throw missingParameter(`Parameter of type ${type} is missing ${type} value`);
    }
    if (type === 'text') refuseUnprintableLayout(value, place);
    if (type === 'coupon_code' && value.length > 20) {
      throw invalidValue('Coupon code is too long. Max length is 20');
    }
    return;
  }
  assertObject(value, path);
  if (type === 'image' || type === 'video' || type === 'document') {
    validateHeaderMedia(value, type, path);
  } else if (type === 'location' && (isAbsent(value.latitude) || isAbsent(value.longitude))) {
    throw missingParameter('Parameter of type location is missing latitude or longitude');
  } else if (type === 'limited_time_offer' && !Number.isSafeInteger(value.expiration_time_ms)) {
    throw missingParameter('Parameter of type limited_time_offer is missing expiration_time_ms');
  } else if (type === 'action') {
    checkAction(value, path);
  } else if (
    (type === 'currency' || type === 'date_time') &&
    typeof value.fallback_value !== 'string'
  ) {
    throw missingParameter(`Parameter of type ${type} is missing fallback_value`);
  }
};

/** Of a flow; what the actions of other buttons hold is taken as it comes. */
const checkAction = (
  { flow_token: token, flow_action_data: data }: JsonObject,
  path: string,
): void => {
  if (!isAbsent(token)) assertString(token, `${path}['flow_token']`);
  if (token === '') throw missingParameter('Parameter of type action is missing flow_token value');
  if (!isAbsent(data)) assertObject(data, `${path}['flow_action_data']`);
};

/** Only parameters are bound by this; the template's own text may have line breaks. */
const refuseUnprintableLayout = (text: string, place: string): void => {
  if (/[\n\r\t]| {5}/.test(text)) {
    throw new PlatformError(132018, {
      details: `${place}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    });
  }
};
