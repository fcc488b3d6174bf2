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
  // As `JSON.parse`: the last of several members with one name counts.
  const body = parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue });
  if (!isObject(body)) return [partOf('', whole(body))];
  const { entry: entries, ...others } = body;
  if (!Array.isArray(entries)) return [partOf('', whole(body))];
  return entries.flatMap((entry: unknown) => {
    if (!isObject(entry) || !Array.isArray(entry.changes)) {
      return [partOf('', whole({ ...others, entry: [entry] }))];
    }
    return entry.changes.flatMap((change: unknown) => {
      const field = isObject(change) && typeof change.field === 'string' ? change.field : '';
      const inBody = (part: unknown) => ({ ...others, entry: [{ ...entry, changes: [part] }] });
      return cutsOf(field, change).map((cut) => partOf(field, cut, inBody));
    });
  });
}

/** A change, reduced to one part of it. */
interface Cut {
  readonly change: unknown;
  /** Of a status: the same with other callback data. */
  readonly withCallbackData?: (data: string | null) => unknown;
}

const whole = (change: unknown): Cut => ({ change });

function cutsOf(field: string, change: unknown): Cut[] {
  if (!isObject(change) || !splitFields.has(field) || !isObject(change.value)) {
    return [whole(change)];
  }
  const { value } = change;
  const inner = field === 'standby' && isObject(value.standby) ? value.standby : null;
  const holder = inner ?? value;
  const changeWith = (reduced: JsonObject, contacts: JsonObject) => ({
    ...change,
    value: inner
      ? { ...without(value, 'contacts'), standby: reduced, ...contacts }
      : { ...reduced, ...contacts },
  });
  const cuts = splitLists.flatMap((list) =>
    listOf(holder[list]).map((element): Cut => {
      const contacts = contactsOf(value, list, element);
      const cutTo = (kept: unknown) => changeWith(only(holder, list, kept), contacts);
      return {
        change: cutTo(element),
        ...(list === 'statuses' &&
          isObject(element) && {
            withCallbackData: (data) => cutTo(withCallbackData(element, data)),
          }),
      };
    }),
  );
  if (cuts.length === 0) return [whole(change)];
  // Errors beside messages belong to none of them.
  return listOf(holder.errors).length === 0
    ? cuts
    : [...cuts, whole(changeWith(without(holder, ...splitLists, 'contacts'), {}))];
}

function withCallbackData(status: JsonObject, data: string | null): JsonObject {
  const bare = without(status, 'biz_opaque_callback_data');
  return data === null ? bare : { ...bare, biz_opaque_callback_data: data };
}

/** What holds the lists, with one element of one of them; its contacts apart. */
function only(holder: JsonObject, list: (typeof splitLists)[number], element: unknown): JsonObject {
  const others = splitLists.filter((each) => each !== list);
  // A member that is there keeps its place.
  return { ...without(holder, ...others, 'errors', 'contacts'), [list]: [element] };
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

/** @param inBody puts a change into a body; default: the change is the body. */
function partOf(
  field: string,
  { change, withCallbackData: withData }: Cut,
  inBody: (change: unknown) => unknown = (content) => content,
): NotificationPart {
  const body = textOf(inBody(change));
  return {
    field,
    events: parseNotification(JSON.parse(body)),
    body,
    withCallbackData: (data) => (withData ? textOf(inBody(withData(data))) : body),
  };
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
