import { checkCarousel } from './carousel-validation.js';
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
import { checkFlow } from './flow-validation.js';
import {
  ButtonSet,
  checkHeader,
  checkLength,
  checkLinkAction,
  checkNamedAction,
  checkTextPart,
} from './interactive-parts.js';
import type { Strictness } from './options.js';

const keys = new Set(['type', 'header', 'body', 'footer', 'action']);
const listActionKeys = new Set(['button', 'sections']);
const buttonActionKeys = new Set(['buttons']);
const sectionKeys = new Set(['title', 'rows']);
const rowKeys = new Set(['id', 'title', 'description']);
const buttonKeys = new Set(['type', 'reply']);
const rowsMax = 10;

const actionPath = "interactive['action']";

/** What a message of a type may have, and how its action is checked. */
interface Form {
  /** Kinds of header that it may have; none where it has no header. */
  readonly headers: readonly string[];
  readonly hasFooter: boolean;
  readonly checkAction: (action: JsonObject, strictness: Strictness) => void;
}

const anyHeader = ['text', 'image', 'video', 'document'];

const forms: ReadonlyMap<string, Form> = new Map([
  [
    'list',
    {
      headers: ['text'],
      hasFooter: true,
      checkAction: (action, strictness) => checkList(action, strictness),
    },
  ],
  [
    'button',
    {
      headers: anyHeader,
      hasFooter: true,
      checkAction: (action, strictness) => checkButtons(action, strictness),
    },
  ],
  [
    'cta_url',
    {
      headers: anyHeader,
      hasFooter: true,
      checkAction: (action, strictness) => checkLinkAction(action, actionPath, strictness),
    },
  ],
  [
    'flow',
    {
      headers: anyHeader,
      hasFooter: true,
      checkAction: (action, strictness) => checkFlow(action, actionPath, strictness),
    },
  ],
  [
    'carousel',
    {
      headers: [],
      hasFooter: false,
      checkAction: (action, strictness) => checkCarousel(action, actionPath, strictness),
    },
  ],
  [
    'location_request_message',
    {
      headers: [],
      hasFooter: false,
      checkAction: (action) => checkNamedAction(action, actionPath, 'send_location'),
    },
  ],
  [
    'request_contact_info',
    {
      headers: [],
      hasFooter: false,
      checkAction: (action) => checkNamedAction(action, actionPath, 'request_contact_info'),
    },
  ],
] satisfies [string, Form][]);

/** Types that are taken with little checking: this product does not send them. */
const otherTypes: ReadonlySet<string> = new Set([
  'address_message',
  'call_permission_request',
  'catalog_message',
  'order_details',
  'order_status',
  'product',
  'product_list',
  'voice_call',
]);

/** Checks the `interactive` object of a send. */
export const validateInteractive = (interactive: JsonObject, strictness: Strictness): void => {
  const { type, header, footer } = interactive;
  const action = readAction(interactive.action);
  if (isAbsent(type)) throw invalidParameter("The parameter interactive['type'] is required.");
  const form = typeof type === 'string' ? forms.get(type) : undefined;
  if (typeof type !== 'string' || (form === undefined && !otherTypes.has(type))) {
    throw notOneOf("interactive['type']", [...forms.keys(), ...otherTypes], type);
  }
  refuseUnknownKeys(interactive, keys, 'interactive');
  if (!isAbsent(header)) {
    if (form?.headers.length === 0) throw hasNo('Header', type);
    assertObject(header, "interactive['header']");
    checkHeader(header, "interactive['header']", form?.headers ?? anyHeader, type, strictness);
  }
  const bodyMax = type === 'list' ? strictness.listBodyMaxCharacters : 1024;
  const body = checkTextPart(interactive, 'body', 'interactive', bodyMax, strictness);
  if (body === null && form !== undefined) throw missingParameter('interactive: body is required');
  if (form?.hasFooter === false && !isAbsent(footer)) throw hasNo('Footer', type);
  checkTextPart(interactive, 'footer', 'interactive', 60, strictness);
  if (isAbsent(action)) throw missingParameter('interactive: action is required');
  assertObject(action, actionPath);
  form?.checkAction(action, strictness);
};

/** The platform takes the action as JSON in a text, too: chatwoot sends it so. */
const readAction = (action: unknown): unknown => {
  if (typeof action !== 'string') return action;
  try {
    return JSON.parse(action);
  } catch {
    return action;
  }
};

const hasNo = (part: string, type: string) =>
  invalidValue(`${part} is not supported for interactive messages of type ${type}`);

const checkList = (action: JsonObject, strictness: Strictness): void => {
  const path = actionPath;
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
  const path = actionPath;
  refuseUnknownKeys(action, buttonActionKeys, path);
  const { buttons } = action;
  if (isAbsent(buttons)) throw missingParameter('Buttons are required');
  assertArray(buttons, `${path}['buttons']`);
  if (buttons.length < 1 || buttons.length > 3) {
    throw invalidValue('Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3');
  }
  const replies = new ButtonSet();
  for (const [index, button] of buttons.entries()) {
    const buttonPath = fieldPath(`${path}['buttons']`, index);
    assertObject(button, buttonPath);
    refuseUnknownKeys(button, buttonKeys, buttonPath);
    if (button.type !== 'reply') {
      throw notOneOf(`${buttonPath}['type']`, ['reply'], button.type);
    }
    if (isAbsent(button.reply)) throw missingParameter('Button reply is required');
    assertObject(button.reply, `${buttonPath}['reply']`);
    replies.add(button.reply, `${buttonPath}['reply']`, strictness);
  }
};
