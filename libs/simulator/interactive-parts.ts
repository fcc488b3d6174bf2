import {
  assertObject,
  fieldPath,
  isAbsent,
  isLongerThan,
  type JsonObject,
  refuseUnknownKeys,
  requiredObject,
  schemaString,
} from './checks.js';
import { invalidParameter, invalidValue, missingParameter, notOneOf } from './errors.js';
import { isWebAddress, validateHeaderMedia } from './media-validation.js';
import type { Strictness } from './options.js';

const textKeys = new Set(['text']);
const namedActionKeys = new Set(['name']);
const linkActionKeys = new Set(['name', 'parameters']);
const linkKeys = new Set(['display_text', 'url']);
const replyKeys = new Set(['id', 'title']);
const urlMaxCharacters = 2000;

/** Checks the body or footer of a message or a card; returns its text, or null without one. */
export const checkTextPart = (
  parent: JsonObject,
  part: 'body' | 'footer',
  parentPath: string,
  max: number,
  strictness: Strictness,
): string | null => {
  const value = parent[part];
  if (isAbsent(value)) return null;
  const path = fieldPath(parentPath, part);
  assertObject(value, path);
  refuseUnknownKeys(value, textKeys, path);
  const name = part === 'body' ? 'Body' : 'Footer';
  return checkLength(value.text, fieldPath(path, 'text'), `${name} text`, max, strictness);
};

/** A text that may not be blank, with the platform's sentence for a wrong length. */
export const checkLength = (
  value: unknown,
  path: string,
  name: string,
  max: number,
  strictness: Strictness,
): string => {
  if (isAbsent(value)) throw missingParameter(`${name} is required`);
  if (typeof value !== 'string') throw invalidParameter(`Param ${path} must be a string.`);
  if (value.trim() === '' || isLongerThan(value, max, strictness)) {
    throw invalidValue(`${name} length invalid. Min length: 1, Max length: ${max}`);
  }
  return value;
};

/** Checks a header that is one of some kinds; `type` is the type of the message or the card. */
export const checkHeader = (
  header: JsonObject,
  path: string,
  kinds: readonly string[],
  type: string,
  strictness: Strictness,
): void => {
  const kind = header.type;
  if (isAbsent(kind)) throw missingParameter('Header type is required');
  if (typeof kind !== 'string' || !kinds.includes(kind)) {
    throw invalidValue(
      `Header type ${JSON.stringify(kind)} is not supported for interactive messages of type ${type}`,
    );
  }
  refuseUnknownKeys(header, new Set(['type', kind]), path);
  if (kind === 'text') {
    checkLength(header.text, fieldPath(path, 'text'), 'Header text', 60, strictness);
    return;
  }
  const mediaPath = fieldPath(path, kind);
  const media = header[kind];
  if (isAbsent(media)) throw missingParameter(`Header ${kind} is required`);
  assertObject(media, mediaPath);
  validateHeaderMedia(media, kind, mediaPath);
};

/** Refuses an action that does not have the name of its type. */
export const checkActionName = (action: JsonObject, path: string, name: string): void => {
  const given = action.name;
  if (isAbsent(given)) {
    throw invalidParameter(`The parameter ${fieldPath(path, 'name')} is required.`);
  }
  if (given !== name) throw notOneOf(fieldPath(path, 'name'), [name], given);
};

/** Checks an action that is no more than its name. */
export const checkNamedAction = (action: JsonObject, path: string, name: string): void => {
  refuseUnknownKeys(action, namedActionKeys, path);
  checkActionName(action, path, name);
};

/** Checks the action of one button that opens an address. */
export const checkLinkAction = (action: JsonObject, path: string, strictness: Strictness): void => {
  refuseUnknownKeys(action, linkActionKeys, path);
  checkActionName(action, path, 'cta_url');
  const parameters = requiredObject(action, 'parameters', path);
  const parametersPath = fieldPath(path, 'parameters');
  refuseUnknownKeys(parameters, linkKeys, parametersPath);
  const labelPath = fieldPath(parametersPath, 'display_text');
  checkLength(parameters.display_text, labelPath, 'Button display text', 20, strictness);
  const urlPath = fieldPath(parametersPath, 'url');
  const url = schemaString(parameters, 'url', parametersPath, urlMaxCharacters, strictness);
  if (url === null) throw invalidParameter(`The parameter ${urlPath} is required.`);
  if (!isWebAddress(url)) throw invalidParameter(`Param ${urlPath} is not a valid URI.`);
};

/** Ids and titles of the buttons of one message or card; neither may come twice. */
export class ButtonSet {
  private readonly ids = new Set<string>();
  private readonly titles = new Set<string>();

  /** Checks one more button. */
  add(reply: JsonObject, path: string, strictness: Strictness): void {
    refuseUnknownKeys(reply, replyKeys, path);
    const id = checkLength(reply.id, `${path}['id']`, 'Button id', 256, strictness);
    if (id !== id.trim()) throw invalidValue('Button id cannot have leading or trailing spaces');
    const title = checkLength(reply.title, `${path}['title']`, 'Button title', 20, strictness);
    if (this.ids.has(id)) {
      throw invalidValue(`Duplicated button id: ${id}. Button ids must be unique`);
    }
    this.ids.add(id);
    // A live refusal was seen for titles that differed in case only.
    const foldedTitle = title.toLowerCase();
    if (this.titles.has(foldedTitle)) throw invalidValue('Buttons titles must be unique');
    this.titles.add(foldedTitle);
  }
}
