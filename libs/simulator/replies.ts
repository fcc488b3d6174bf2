import { isObject, type JsonObject } from './checks.js';
import { ControlError, objectWith } from './control-request.js';
import type { LedgerEntry } from './ledger.js';
import type { Template } from './templates.js';
import { contactContent, locationContent } from './user-content.js';

const kinds = ['button_id', 'row_id', 'text', 'flow', 'location', 'contact', 'reaction'];

/**
 * What the user's phone sends in answer to a message, `context` included. Only what the message offers
 * can be tapped. Throws `ControlError`.
 * @param from digits of the business number that sent the message.
 */
export const replyTo = (
  entry: LedgerEntry,
  from: string,
  template: Template | null,
  body: unknown,
): JsonObject => {
  const reply = objectWith(body, kinds);
  const [kind, ...others] = Object.keys(reply);
  if (kind === undefined || others.length > 0) {
    throw new ControlError(`a reply takes one of ${kinds.join(', ')}`);
  }
  const messageId = entry.wamid;
  // A reaction names its message itself.
  if (kind === 'reaction') return reactionTo(messageId, reply.reaction);
  const parsed: unknown = JSON.parse(entry.raw);
  const sent = isObject(parsed) ? parsed : {};
  return { context: { from, id: messageId }, ...answerTo(sent, template, kind, reply[kind]) };
};

const answerTo = (
  sent: JsonObject,
  template: Template | null,
  kind: string,
  value: unknown,
): JsonObject => {
  if (kind === 'location') return locationContent(value);
  if (kind === 'contact') return contactContent(value);
  if (kind === 'flow') return flowReply(sent, value);
  if (typeof value !== 'string' || value === '') throw new ControlError(`${kind} must be a text`);
  if (kind === 'text') return { type: 'text', text: { body: value } };
  if (kind === 'row_id') return listReply(sent, value);
  return sent.type === 'template' ? quickReply(sent, template, value) : buttonReply(sent, value);
};

/** An empty emoji takes the reaction back; the webhook then has none. */
const reactionTo = (messageId: string | null, emoji: unknown): JsonObject => {
  if (typeof emoji !== 'string') throw new ControlError('reaction must be an emoji, or empty');
  return {
    type: 'reaction',
    reaction: { message_id: messageId, ...(emoji === '' ? {} : { emoji }) },
  };
};

const flowReply = (sent: JsonObject, filled: unknown): JsonObject => {
  if (!isObject(filled)) throw new ControlError('flow must be a JSON object');
  if (!isObject(sent.interactive) || sent.interactive.type !== 'flow') {
    throw new ControlError('the message has no flow');
  }
  return {
    type: 'interactive',
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(filled) },
    },
  };
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
  const ofCards = objectsAt(actionOf(sent, 'carousel'), 'cards').flatMap(({ action }) =>
    objectsAt(isObject(action) ? action : {}, 'buttons'),
  );
  const buttons = [...objectsAt(actionOf(sent, 'button'), 'buttons'), ...ofCards].map(
    ({ reply, quick_reply: ofCard }) => [reply, ofCard].find(isObject) ?? {},
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
    ({ sub_type: kind, index: at }) =>
      String(kind).toLowerCase() === 'quick_reply' && Number(at) === index,
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
