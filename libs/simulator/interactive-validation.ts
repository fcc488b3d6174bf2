import {
  assertArray,
  assertObject,
  fieldPath,
  isAbsent,
  isLongerThan,
  type JsonObject,
  refuseUnknownKeys,
} from './checks.js';
import { invalidParameter, invalidValue, missingParameter, notOneOf } from './errors.js';
import { isWebAddress, validateHeaderMedia } from './media-validation.js';
import type { Strictness } from './options.js';

const keys = new Set(['type', 'header', 'body', 'footer', 'action']);
const listActionKeys = new Set(['button', 'sections']);
const buttonActionKeys = new Set(['buttons']);
const sectionKeys = new Set(['title', 'rows']);
const rowKeys = new Set(['id', 'title', 'description']);
const buttonKeys = new Set(['type', 'reply']);
const replyKeys = new Set(['id', 'title']);
const textKeys = new Set(['text']);
const ctaKeys = new Set(['display_text', 'url']);
const rowsMax = 10;

/** Types that are taken with little checking: this product does not send them. */
const otherTypes: ReadonlySet<string> = new Set([
  'address_message',
  'call_permission_request',
  'carousel',
  'catalog_message',
  'cta_url',
  'flow',
  'location_request_message',
  'order_details',
  'order_status',
  'product',
  'product_list',
  'request_contact_info',
  'voice_call',
]);

/** Checks the `interactive` object of a send. */
export const validateInteractive = (interactive: JsonObject, strictness: Strictness): void => {
  const { type } = interactive;
  if (isAbsent(type)) throw invalidParameter("The parameter interactive['type'] is required.");
  const isChecked = type === 'list' || type === 'button';
  if (typeof type !== 'string' || !(isChecked || otherTypes.has(type))) {
    throw notOneOf("interactive['type']", ['list', 'button', ...otherTypes], type);
  }
  refuseUnknownKeys(interactive, keys, 'interactive');
  checkHeader(interactive, type, strictness);
  const bodyMax = type === 'list' ? strictness.listBodyMaxCharacters : 1024;
  const hasBody = checkTextPart(interactive, 'body', bodyMax, strictness);
  if (!hasBody && isChecked) {
    throw missingParameter('interactive: body is required');
  }
  checkTextPart(interactive, 'footer', 60, strictness);
  if (isAbsent(interactive.action)) throw missingParameter('interactive: action is required');
  assertObject(interactive.action, "interactive['action']");
  if (type === 'list') checkList(interactive.action, strictness);
  else if (type === 'button') checkButtons(interactive.action, strictness);
  else if (type === 'cta_url') checkLinkButton(interactive.action, strictness);
};

const checkTextPart = (
  interactive: JsonObject,
  part: 'body' | 'footer',
  max: number,
  strictness: Strictness,
): boolean => {
  const value = interactive[part];
  if (isAbsent(value)) return false;
  const path = fieldPath('interactive', part);
  assertObject(value, path);
  refuseUnknownKeys(value, textKeys, path);
  const name = part === 'body' ? 'Body' : 'Footer';
  checkLength(value.text, fieldPath(path, 'text'), `${name} text`, max, strictness);
  return true;
};

/** A text that may not be blank, with the platform's sentence for a wrong length. */
const checkLength = (
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

const checkHeader = (interactive: JsonObject, type: string, strictness: Strictness): void => {
  const { header } = interactive;
  if (isAbsent(header)) return;
  assertObject(header, "interactive['header']");
  const kind = header.type;
  if (isAbsent(kind)) throw missingParameter('Header type is required');
  const kinds = type === 'list' ? ['text'] : ['text', 'image', 'video', 'document'];
  if (typeof kind !== 'string' || !kinds.includes(kind)) {
    throw invalidValue(
      `Header type ${JSON.stringify(kind)} is not supported for interactive messages of type ${type}`,
    );
  }
  refuseUnknownKeys(header, new Set(['type', kind]), "interactive['header']");
  if (kind === 'text') {
    checkLength(header.text, "interactive['header']['text']", 'Header text', 60, strictness);
    return;
  }
  const path = fieldPath("interactive['header']", kind);
  const media = header[kind];
  if (isAbsent(media)) throw missingParameter(`Header ${kind} is required`);
  assertObject(media, path);
  validateHeaderMedia(media, kind, path);
};

const checkList = (action: JsonObject, strictness: Strictness): void => {
  const path = "interactive['action']";
  refuseUnknownKeys(action, listActionKeys, path);
  checkLength(action.button, `${path}['button']`, 'Button text', 20, strictness);
  const { sections } = action;
  if (isAbsent(sections)) throw missingParameter('List sections are required');
  assertArray(sections, `${path}['sections']`);
  if (sections.length < 1 || sections.length > 10) {
    throw invalidValue('Invalid sections count. Min allowed sections: 1, Max allowed sections: 10');
  }
  const ids = new Set<string>();
  const titles = new Set<string>();
  let rowCount = 0;
  for (const [index, section] of sections.entries()) {
    const sectionPath = fieldPath(`${path}['sections']`, index);
    rowCount += checkSection(section, sectionPath, sections.length, ids, titles, strictness);
  }
  // Counted over all sections: the limit that a check of each section alone misses.
  if (rowCount > rowsMax)
    throw invalidValue(`Total row count exceed max allowed count: ${rowsMax}`);
};

const checkSection = (
  section: unknown,
  path: string,
  sectionCount: number,
  ids: Set<string>,
  titles: Set<string>,
  strictness: Strictness,
): number => {
  assertObject(section, path);
  refuseUnknownKeys(section, sectionKeys, path);
  if (!isAbsent(section.title)) {
    checkLength(section.title, `${path}['title']`, 'Section title', 24, strictness);
  } else if (sectionCount > 1) {
    throw missingParameter('Section title is required if there is more than one section');
  }
  const { rows } = section;
  if (isAbsent(rows)) throw missingParameter('Section rows are required');
  assertArray(rows, `${path}['rows']`);
  if (rows.length < 1) throw invalidValue('Invalid rows count. Min allowed rows: 1');
  for (const [index, row] of rows.entries()) {
    checkRow(row, fieldPath(`${path}['rows']`, index), ids, titles, strictness);
  }
  return rows.length;
};

const checkRow = (
  row: unknown,
  path: string,
  ids: Set<string>,
  titles: Set<string>,
  strictness: Strictness,
): void => {
  assertObject(row, path);
  refuseUnknownKeys(row, rowKeys, path);
  const id = checkLength(row.id, `${path}['id']`, 'Row id', 200, strictness);
  if (isAbsent(row.title)) throw missingParameter('Row title is required');
  if (typeof row.title === 'string' && isLongerThan(row.title, 24, strictness)) {
    throw invalidValue('Row title is too long. Max length is 24');
  }
  const title = checkLength(row.title, `${path}['title']`, 'Row title', 24, strictness);
  if (!isAbsent(row.description)) {
    checkLength(row.description, `${path}['description']`, 'Row description', 72, strictness);
  }
  if (ids.has(id)) throw invalidValue(`Duplicated row id: ${id}. Row ids must be unique`);
  ids.add(id);
  if (strictness.refusesEqualRowTitles && titles.has(title)) {
    throw invalidValue('Row titles must be unique');
  }
  titles.add(title);
};

const checkButtons = (action: JsonObject, strictness: Strictness): void => {
  const path = "interactive['action']";
  refuseUnknownKeys(action, buttonActionKeys, path);
  const { buttons } = action;
  if (isAbsent(buttons)) throw missingParameter('Buttons are required');
  assertArray(buttons, `${path}['buttons']`);
  if (buttons.length < 1 || buttons.length > 3) {
    throw invalidValue('Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3');
  }
  const ids = new Set<string>();
  const titles = new Set<string>();
  for (const [index, button] of buttons.entries()) {
    const buttonPath = fieldPath(`${path}['buttons']`, index);
    assertObject(button, buttonPath);
    refuseUnknownKeys(button, buttonKeys, buttonPath);
    if (button.type !== 'reply') {
      throw notOneOf(`${buttonPath}['type']`, ['reply'], button.type);
    }
    if (isAbsent(button.reply)) throw missingParameter('Button reply is required');
    assertObject(button.reply, `${buttonPath}['reply']`);
    checkReply(button.reply, `${buttonPath}['reply']`, ids, titles, strictness);
  }
};

const checkReply = (
  reply: JsonObject,
  path: string,
  ids: Set<string>,
  titles: Set<string>,
  strictness: Strictness,
): void => {
  refuseUnknownKeys(reply, replyKeys, path);
  const id = checkLength(reply.id, `${path}['id']`, 'Button id', 256, strictness);
  if (id !== id.trim()) throw invalidValue('Button id cannot have leading or trailing spaces');
  const title = checkLength(reply.title, `${path}['title']`, 'Button title', 20, strictness);
  if (ids.has(id)) throw invalidValue(`Duplicated button id: ${id}. Button ids must be unique`);
  ids.add(id);
  // A live refusal was seen for titles that differed in case only.
  const foldedTitle = title.toLowerCase();
  if (titles.has(foldedTitle)) throw invalidValue('Buttons titles must be unique');
  titles.add(foldedTitle);
};

const checkLinkButton = (action: JsonObject, strictness: Strictness): void => {
  const path = "interactive['action']['parameters']";
  if (isAbsent(action.parameters)) throw missingParameter('action: parameters are required');
  assertObject(action.parameters, path);
  refuseUnknownKeys(action.parameters, ctaKeys, path);
  const { display_text: label, url } = action.parameters;
  checkLength(label, `${path}['display_text']`, 'Button display text', 20, strictness);
  if (typeof url !== 'string' || !isWebAddress(url)) {
    throw invalidParameter(`Param ${path}['url'] is not a valid URI.`);
  }
};
