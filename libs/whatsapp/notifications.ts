import { createHash } from 'node:crypto';
import type { PlatformError } from './errors.js';
import { toPlatformError } from './graph-error.js';
import { identityChangeOf } from './identity-change.js';
import {
  isObject,
  type JsonObject,
  toDate,
  toId,
  toInteger,
  toList,
  toObject,
  toText,
} from './json.js';
import type {
  EventOrigin,
  MessageReceived,
  ParsedEvent,
  StatusChanged,
  TemplateChanged,
} from './notification-events.js';

/**
 * Flattens the body of one webhook request into events, in the order of the body. Never throws, whatever the
 * JSON value, and drops nothing: what it cannot read becomes an event of kind `other`.
 *
 * One request may hold many entries, changes, messages and statuses, of several accounts and numbers.
 * Source: https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components
 */
export function parseNotification(body: unknown): ParsedEvent[] {
  if (!isObject(body) || !Array.isArray(body.entry)) {
    return [other(new Origin(null, null, {}), body)];
  }
  return body.entry.flatMap((entry: unknown) => {
    if (!isObject(entry) || !Array.isArray(entry.changes)) {
      return [other(new Origin(null, entry, {}), entry)];
    }
    return entry.changes.flatMap((change: unknown) => parseChange(entry, change));
  });
}

function parseChange(entry: JsonObject, change: unknown): ParsedEvent[] {
  const { field, value: whole } = toObject(change);
  const value = field === 'standby' ? standbyValue(toObject(whole)) : toObject(whole);
  const origin = new Origin(toText(field), entry, value);
  if (!isObject(whole)) {
    return [other(origin, change)];
  }
  if (origin.field === 'messages') {
    const events = [
      ...toList(value.messages).map((message) => parseMessage(origin, message)),
      ...toList(value.statuses).map((status) => parseStatus(origin, status)),
      ...toList(value.errors).map((error) => parseError(origin, error)),
    ];
    return events.length > 0 ? events : [other(origin, value)];
  }
  if (origin.field === 'standby') {
    // What becomes of messages, and what the agent wrote, is its own affair.
    const events = [
      ...toList(value.messages).map((message) => parseMessage(origin, message)),
      ...[value.statuses, value.message_echoes, value.errors]
        .flatMap(toList)
        .map((each) => other(origin, each)),
    ];
    if (events.length > 0) return events;
  }
  if (origin.field === 'smb_message_echoes') {
    const echoes = toList(value.message_echoes);
    if (echoes.length > 0) return echoes.map((echo) => parseEcho(origin, echo));
  }
  if (origin.field === 'user_preferences') {
    const preferences = toList(value.user_preferences).filter(isObject);
    if (preferences.length > 0) return preferences.map((each) => parsePreference(origin, each));
  }
  if (origin.field === 'calls') {
    const events = [
      ...toList(value.calls).map((call) => parseCall(origin, call)),
      ...toList(value.statuses).map((status) => other(origin, status)),
    ];
    if (events.length > 0) return events;
  }
  return [parseAccountChange(origin, value)];
}

/** The lists of `standby` come one level deeper, or in the value itself: our sources differ. */
const standbyValue = (value: JsonObject): JsonObject => ({ ...value, ...toObject(value.standby) });

function parseCall(origin: Origin, call: unknown): ParsedEvent {
  const fields = toObject(call);
  const id = toText(fields.id);
  if (!id) {
    return other(origin, call);
  }
  const event = toText(fields.event);
  const direction = toText(fields.direction);
  // In a call of the business, the contact is the one who is called.
  const contact = direction === 'USER_INITIATED' ? findContact(origin.value, fields) : {};
  const profile = toObject(contact.profile);
  return {
    kind: 'call',
    ...origin.at(fields.timestamp),
    dedupeKey: `call:${id}:${event ?? ''}`,
    event,
    direction,
    from: toId(fields.from) ?? toId(contact.wa_id),
    fromUserId: toText(fields.from_user_id) ?? toText(contact.user_id),
    fromParentUserId: toText(fields.from_parent_user_id) ?? toText(contact.parent_user_id),
    fromName: toText(profile.name),
    fromUsername: toText(profile.username),
  };
}

function parsePreference(origin: Origin, fields: JsonObject): ParsedEvent {
  const from = toId(fields.wa_id);
  const userId = toText(fields.user_id);
  const contact = findContact(origin.value, { from, from_user_id: userId });
  return {
    kind: 'user_preference',
    ...origin.at(fields.timestamp),
    dedupeKey: origin.digest(fields),
    from: from ?? toId(contact.wa_id),
    fromUserId: userId ?? toText(contact.user_id),
    fromParentUserId: toText(fields.parent_user_id) ?? toText(contact.parent_user_id),
    category: toText(fields.category),
    value: toText(fields.value),
    detail: toText(fields.detail),
    signupId: toId(fields.signup_id),
  };
}

function parseMessage(origin: Origin, message: unknown): ParsedEvent {
  const fields = toObject(message);
  const platformMessageId = toText(fields.id);
  if (!platformMessageId) {
    return other(origin, message);
  }
  const contact = findContact(origin.value, fields);
  const profile = toObject(contact.profile);
  const event: MessageReceived = {
    kind: 'message',
    ...origin.at(fields.timestamp),
    dedupeKey: `message:${platformMessageId}`,
    platformMessageId,
    type: toText(fields.type) ?? '',
    from: toId(fields.from) ?? toId(contact.wa_id),
    fromUserId: toText(fields.from_user_id) ?? toText(contact.user_id),
    fromParentUserId: toText(fields.from_parent_user_id) ?? toText(contact.parent_user_id),
    fromName: toText(profile.name),
    fromUsername: toText(profile.username),
    change: identityChangeOf(fields),
    contextMessageId: toText(toObject(fields.context).id),
    groupId: toText(fields.group_id),
    errors: toErrors(fields.errors),
    message: fields,
  };
  return event;
}

function parseEcho(origin: Origin, echo: unknown): ParsedEvent {
  const fields = toObject(echo);
  const platformMessageId = toText(fields.id);
  if (!platformMessageId) {
    return other(origin, echo);
  }
  return {
    kind: 'echo',
    ...origin.at(fields.timestamp),
    dedupeKey: `echo:${platformMessageId}`,
    platformMessageId,
    type: toText(fields.type) ?? '',
    to: toId(fields.to),
    toUserId: toText(fields.to_user_id),
    message: fields,
  };
}

/** The sender's contact. System notes have no sender: their only contact, if any, is the user they are about. */
function findContact(value: JsonObject, message: JsonObject): JsonObject {
  const contacts = toList(value.contacts).filter(isObject);
  const from = toId(message.from);
  const userId = toText(message.from_user_id);
  const match = contacts.find(
    (contact) =>
      (from !== null && toId(contact.wa_id) === from) ||
      (userId !== null && contact.user_id === userId),
  );
  return match ?? (contacts.length === 1 ? toObject(contacts[0]) : {});
}

function parseStatus(origin: Origin, value: unknown): ParsedEvent {
  const fields = toObject(value);
  const platformMessageId = toText(fields.id);
  const status = toText(fields.status);
  if (!platformMessageId || !status) {
    return other(origin, value);
  }
  const errors = toErrors(fields.errors);
  const participantId =
    toId(fields.recipient_participant_id) ?? toText(fields.recipient_participant_user_id);
  const event: StatusChanged = {
    kind: 'status',
    ...origin.at(fields.timestamp),
    dedupeKey: `status:${platformMessageId}:${status}:${errors[0]?.code ?? ''}:${participantId ?? ''}`,
    platformMessageId,
    status,
    callbackData: toText(fields.biz_opaque_callback_data),
    recipientId: toId(fields.recipient_id),
    recipientUserId: toText(fields.recipient_user_id),
    recipientParentUserId:
      toText(fields.recipient_parent_user_id) ?? toText(fields.parent_recipient_user_id),
    participantId,
    conversation: isObject(fields.conversation) ? fields.conversation : null,
    pricing: isObject(fields.pricing) ? fields.pricing : null,
    errors,
    raw: fields,
  };
  return event;
}

function parseError(origin: Origin, value: unknown): ParsedEvent {
  const error = toPlatformError(value);
  if (!error) {
    return other(origin, value);
  }
  // Such an error has no date; only the messages with it distinguish it from an equal one.
  const dedupeKey = origin.digest([value, origin.value]);
  return { kind: 'error', ...origin.at(null), dedupeKey, error };
}

function parseAccountChange(origin: Origin, value: JsonObject): ParsedEvent {
  const common = { ...origin.at(value.timestamp), dedupeKey: origin.digest(value), raw: value };
  const event = toText(value.event);
  switch (origin.field) {
    case 'message_template_status_update':
      return { kind: 'template_status', ...common, ...template(value, event, null) };
    case 'template_category_update':
      return {
        kind: 'template_category',
        ...common,
        ...template(value, toText(value.new_category), toText(value.previous_category)),
      };
    case 'message_template_quality_update':
      return {
        kind: 'template_quality',
        ...common,
        ...template(value, toText(value.new_quality_score), toText(value.previous_quality_score)),
      };
    case 'message_template_components_update':
      return { kind: 'template_components', ...common, ...template(value, null, null) };
    case 'phone_number_quality_update':
      return { kind: 'phone_number_quality', ...common, event };
    case 'account_update':
      return { kind: 'account_update', ...common, event };
    case 'business_capability_update': {
      const limit = toId(value.max_daily_conversations_per_business);
      return limit === null
        ? { kind: 'other', ...common }
        : { kind: 'messaging_limit', ...common, limit };
    }
    default:
      return { kind: 'other', ...common };
  }
}

function template(
  fields: JsonObject,
  value: string | null,
  previousValue: string | null,
): Omit<TemplateChanged, keyof EventOrigin | 'kind' | 'raw'> {
  const reason = toText(fields.reason);
  return {
    templateId: toId(fields.message_template_id),
    templateName: toText(fields.message_template_name),
    templateLanguage: toText(fields.message_template_language),
    value,
    previousValue,
    reason: reason === 'NONE' ? null : reason,
  };
}

function other(origin: Origin, raw: unknown): ParsedEvent {
  return { kind: 'other', ...origin.at(null), dedupeKey: origin.digest(raw), raw };
}

function toErrors(value: unknown): PlatformError[] {
  return toList(value)
    .map(toPlatformError)
    .filter((error) => error !== null);
}

/** Where an event is in the body: its entry, its change, and what they say about account and number. */
class Origin {
  readonly field: string;
  readonly value: JsonObject;
  private readonly entry: JsonObject;

  constructor(field: string | null, entry: unknown, value: JsonObject) {
    this.field = field ?? '';
    this.value = value;
    this.entry = toObject(entry);
  }

  /** The facts shared by all events, with the event's own time, or the entry's. */
  at(timestamp: unknown): Omit<EventOrigin, 'dedupeKey'> {
    const metadata = toObject(this.value.metadata);
    return {
      businessAccountId: toId(this.entry.id),
      phoneNumberId: toId(metadata.phone_number_id),
      displayPhoneNumber:
        toId(metadata.display_phone_number) ?? toId(this.value.display_phone_number),
      occurredAt: toDate(timestamp) ?? toDate(this.entry.time),
      field: this.field,
    };
  }

  /** A key for what has no id of its own: account, number, field, entry time and content. */
  digest(content: unknown): string {
    const { businessAccountId, phoneNumberId } = this.at(null);
    const parts = [businessAccountId, phoneNumberId, toInteger(this.entry.time)];
    const hash = createHash('sha256').update(JSON.stringify(parts)).update(serialise(content));
    return `${this.field || 'unnamed'}:${hash.digest('base64url')}`;
  }
}

/** JSON text again. `JSON.parse` accepts deeper nesting than `JSON.stringify` can walk; such bodies share one key. */
function serialise(content: unknown): string {
  try {
    return JSON.stringify(content) ?? '';
  } catch {
    return 'nested too deeply';
  }
}
