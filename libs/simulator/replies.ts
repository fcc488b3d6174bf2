import { isObject, type JsonObject } from './checks.js';
import { ControlError } from './control-request.js';
import type { LedgerEntry } from './ledger.js';
import type { Template } from './templates.js';

/**
 * What the user's phone sends for a tap or a text in answer to a message. Only what the message
 * offers can be tapped. Throws `ControlError`.
 */
export const replyTo = (
  entry: LedgerEntry,
  template: Template | null,
  reply: unknown,
): JsonObject => {
  if (!isObject(reply)) throw new ControlError('a reply must be a JSON object');
  const { button_id: buttonId, row_id: rowId, text } = reply;
  const given = [buttonId, rowId, text].filter((value) => value !== undefined);
  if (given.length !== 1 || typeof given[0] !== 'string' || given[0] === '') {
    throw new ControlError('a reply takes one of button_id, row_id and text, as a string');
  }
  const body: unknown = JSON.parse(entry.raw);
  const sent = isObject(body) ? body : {};
  if (typeof text === 'string') return { type: 'text', text: { body: text } };
  if (typeof rowId === 'string') return listReply(sent, rowId);
  const [id] = given;
  return sent.type === 'template' ? quickReply(sent, template, id) : buttonReply(sent, id);
};

const listReply = (sent: JsonObject, rowId: string): JsonObject => {
  const rows = objectsAt(actionOf(sent, 'list'), 'sections').flatMap((section) =>
    objectsAt(section, 'rows'),
  );
  const row = rows.find(({ id }) => id === rowId);
  if (row === undefined) throw noSuch('row', rowId, rows);
  return {
    type: 'interactive',
    interactive: {
      type: 'list_reply',
      list_reply: {
        id: row.id,
        title: row.title,
        ...(row.description === undefined ? {} : { description: row.description }),
      },
    },
  };
};

const buttonReply = (sent: JsonObject, buttonId: string): JsonObject => {
  const buttons = objectsAt(actionOf(sent, 'button'), 'buttons').map(({ reply }) =>
    isObject(reply) ? reply : {},
  );
  const button = buttons.find(({ id }) => id === buttonId);
  if (button === undefined) throw noSuch('button', buttonId, buttons);
  return {
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id: button.id, title: button.title } },
  };
};

/** A template's button is known by the payload that the send gave it, else by its text. */
const quickReply = (sent: JsonObject, template: Template | null, id: string): JsonObject => {
  const buttons = (template?.components ?? [])
    .flatMap((component) => objectsAt(component, 'buttons'))
    .map((button, index) => ({ type: button.type, text: button.text, index }))
    .filter(({ type }) => type === 'QUICK_REPLY')
    .map(({ text, index }) => {
      const label = String(text);
      return { id: payloadAt(sent, index) ?? label, text: label };
    });
  const button =
    buttons.find((candidate) => candidate.id === id) ??
    buttons.find((candidate) => candidate.text === id);
  if (button === undefined) throw noSuch('button', id, buttons);
  return { type: 'button', button: { payload: button.id, text: button.text } };
};

const payloadAt = (sent: JsonObject, index: number): string | null => {
  const components = objectsAt(isObject(sent.template) ? sent.template : {}, 'components');
  const component = components.find(
    (candidate) => candidate.sub_type === 'quick_reply' && Number(candidate.index) === index,
  );
  const payload = component === undefined ? null : objectsAt(component, 'parameters')[0]?.payload;
  return typeof payload === 'string' ? payload : null;
};

const actionOf = (sent: JsonObject, type: string): JsonObject => {
  const { interactive } = sent;
  return isObject(interactive) && interactive.type === type && isObject(interactive.action)
    ? interactive.action
    : {};
};

const objectsAt = (parent: JsonObject, key: string): JsonObject[] => {
  const value = parent[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

const noSuch = (kind: string, id: string, offered: readonly JsonObject[]): ControlError => {
  const ids = offered.map((option) => JSON.stringify(option.id)).join(', ');
  return new ControlError(
    ids === ''
      ? `the message has no ${kind}s`
      : `the message has no ${kind} ${JSON.stringify(id)}; it has ${ids}`,
  );
};
