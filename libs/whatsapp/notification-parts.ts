import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { isObject, type JsonObject } from './json.js';
import type { ParsedEvent } from './notification-events.js';
import { parseNotification } from './notifications.js';

/**
 * The smallest whole of a notification: one message, status or echo, or one change of another field. Programs that
 * read WhatsApp's own form commonly look at the first of each list only.
 */
export interface NotificationPart {
  /** The webhook field that it came under, e.g. `messages`; empty when unnamed. */
  readonly field: string;
  /** What it says, as `parseNotification` reads it; never empty. */
  readonly events: readonly ParsedEvent[];
  /** It alone as the body of a notification, in JSON. Numbers keep all their digits. */
  readonly body: string;
  /** The same body with another `biz_opaque_callback_data` of its status; null: without one. */
  withCallbackData(data: string | null): string;
}

/** Fields whose changes may hold several things of different users, and the lists that hold them. */
const splitFields = new Set(['messages', 'smb_message_echoes', 'standby']);
const splitLists = ['messages', 'statuses', 'message_echoes'] as const;

/** By which members an element names its user: by number, by id. */
const userMembers: Readonly<Record<(typeof splitLists)[number], readonly [string, string]>> = {
  messages: ['from', 'from_user_id'],
  statuses: ['recipient_id', 'recipient_user_id'],
  message_echoes: ['to', 'to_user_id'],
};

/**
 * Cuts the body of one webhook request into parts, in the order of the body. Each keeps its entry and its change, and
 * every member that is not known here; lists of its value are reduced to the one element, and `contacts` to its user.
 * @throws SyntaxError when the text is not JSON; RangeError when it is nested too deeply.
 */
export function notificationParts(text: string): NotificationPart[] {
  const body = parse(text);
  if (!isObject(body)) return [partOf('', body)];
  const { entry: entries, ...others } = body;
  if (!Array.isArray(entries)) return [partOf('', body)];
  return entries.flatMap((entry: unknown) => {
    if (!isObject(entry) || !Array.isArray(entry.changes)) {
      return [partOf('', { ...others, entry: [entry] })];
    }
    return entry.changes.flatMap((change: unknown) => {
      const field = isObject(change) && typeof change.field === 'string' ? change.field : '';
      return partsOfChange(field, change).map((part) =>
        partOf(field, { ...others, entry: [{ ...entry, changes: [part] }] }),
      );
    });
  });
}

function partsOfChange(field: string, change: unknown): unknown[] {
  if (!isObject(change) || !splitFields.has(field) || !isObject(change.value)) return [change];
  const { value } = change;
  const inner = field === 'standby' && isObject(value.standby) ? value.standby : null;
  const holder = inner ?? value;
  const changeWith = (reduced: JsonObject, contacts: JsonObject) => ({
    ...change,
    value: inner ? { ...without(value, 'contacts'), standby: reduced, ...contacts } : reduced,
  });
  const parts = splitLists.flatMap((list) =>
    listOf(holder[list]).map((element) =>
      changeWith(only(holder, list, element), contactsOf(value, list, element)),
    ),
  );
  if (parts.length === 0) return [change];
  // Errors beside messages belong to none of them.
  const errors = listOf(holder.errors);
  return errors.length === 0
    ? parts
    : [...parts, changeWith(without(holder, ...splitLists, 'contacts'), {})];
}

/** The value with one element of one of its lists. */
function only(value: JsonObject, list: (typeof splitLists)[number], element: unknown): JsonObject {
  const kept = without(value, ...splitLists.filter((each) => each !== list), 'errors', 'contacts');
  const reduced = Object.keys(kept).map((member) => [
    member,
    member === list ? [element] : kept[member],
  ]);
  return { ...Object.fromEntries(reduced), ...contactsOf(value, list, element) };
}

/** The contacts of a value that are the user of an element; without a member where there is none. */
function contactsOf(
  value: JsonObject,
  list: (typeof splitLists)[number],
  element: unknown,
): JsonObject {
  const [byNumber, byId] = userMembers[list];
  const user = isObject(element) ? [idOf(element[byNumber]), idOf(element[byId])] : [];
  const contacts = listOf(value.contacts).filter(
    (contact) =>
      isObject(contact) &&
      [idOf(contact.wa_id), idOf(contact.user_id)].some(
        (id, index) => id !== null && id === user[index],
      ),
  );
  return contacts.length > 0 ? { contacts } : {};
}

function partOf(field: string, content: unknown): NotificationPart {
  const body = textOf(content);
  return {
    field,
    events: parseNotification(JSON.parse(body)),
    body,
    withCallbackData: (data) => textOf(replaced(content, data)),
  };
}

/** The content with another `biz_opaque_callback_data` in each status; null: without it. */
function replaced(content: unknown, data: string | null): unknown {
  if (Array.isArray(content)) return content.map((each) => replaced(each, data));
  if (!isObject(content) || isLosslessNumber(content)) return content;
  const { statuses } = content;
  if (!Array.isArray(statuses)) {
    return Object.fromEntries(
      Object.entries(content).map(([name, each]) => [
        name,
        ['entry', 'changes', 'value', 'standby'].includes(name) ? replaced(each, data) : each,
      ]),
    );
  }
  const told = statuses.map((status: unknown) => {
    if (!isObject(status)) return status;
    const bare = without(status, 'biz_opaque_callback_data');
    return data === null ? bare : { ...bare, biz_opaque_callback_data: data };
  });
  return { ...content, statuses: told };
}

function without(object: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !members.includes(name)));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An id as it stands there: text, or the digits of a number. */
function idOf(value: unknown): string | null {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === 'string' && value !== '' ? value : null;
}

const textOf = (content: unknown): string => stringify(content) ?? 'null';
