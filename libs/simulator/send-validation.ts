import {
  assertArray,
  assertObject,
  assertString,
  fieldPath,
  isAbsent,
  isObject,
  type JsonObject,
  refuseUnknownKeys,
  requiredObject,
  schemaString,
} from './checks.js';
import {
  invalidParameter,
  invalidValue,
  missingParameter,
  notOneOf,
  PlatformError,
} from './errors.js';
import { validateInteractive } from './interactive-validation.js';
import { isMediaType, validateMedia } from './media-validation.js';
import type { Strictness } from './options.js';
import { validateTemplate } from './template-validation.js';

/** A send that the platform takes. */
export interface ValidSend {
  type: string;
  /** The recipient as the caller wrote it: `to`, or `recipient` when there is no `to`. */
  input: string;
  addressing: 'phone' | 'user-id' | 'group';
  /** A user id was written into `to`: the platform accepts that and the message is lost. */
  isLost: boolean;
}

const commonKeys = [
  'messaging_product',
  'recipient_type',
  'to',
  'recipient',
  'type',
  'context',
  'biz_opaque_callback_data',
  'recipient_identity_key_hash',
];
const types = [
  'audio',
  'contacts',
  'document',
  'image',
  'interactive',
  'location',
  'reaction',
  'sticker',
  'template',
  'text',
  'video',
];
const knownKeys: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  types.map((type) => [type, new Set([...commonKeys, type])]),
);
const readKeys = new Set(['messaging_product', 'status', 'message_id', 'typing_indicator']);
const typingKeys = new Set(['type']);
const textKeys = new Set(['body', 'preview_url']);
const contextKeys = new Set(['message_id']);
const reactionKeys = new Set(['message_id', 'emoji']);
const locationKeys = new Set(['latitude', 'longitude', 'name', 'address']);

/** Scoped user ids, which take the place of phone numbers. */
export const userIdForm = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/;
/** A phone number as people write it; the platform strips everything but the digits. */
const phoneForm = /^\+?[\d\s().-]{5,32}$/;

/** Whether the body marks a message as read (or shows "typing") instead of sending one. */
export const isReadReceipt = (body: unknown): body is JsonObject =>
  isObject(body) && body.status !== undefined;

/** Which message a read receipt names; throws a `PlatformError` when the platform would refuse it. */
export const validateReadReceipt = (body: JsonObject): { messageId: string; isTyping: boolean } => {
  checkProduct(body);
  refuseUnknownKeys(body, readKeys, '');
  if (body.status !== 'read') {
    throw notOneOf('status', ['read'], body.status);
  }
  if (isAbsent(body.message_id)) throw invalidParameter('The parameter message_id is required.');
  assertString(body.message_id, 'message_id');
  const messageId = body.message_id;
  if (isAbsent(body.typing_indicator)) return { messageId, isTyping: false };
  assertObject(body.typing_indicator, 'typing_indicator');
  refuseUnknownKeys(body.typing_indicator, typingKeys, 'typing_indicator');
  if (body.typing_indicator.type !== 'text') {
    throw notOneOf("typing_indicator['type']", ['text'], body.typing_indicator.type);
  }
  return { messageId, isTyping: true };
};

/**
 * Checks a send as strictly as the platform does and throws a `PlatformError` at the first
 * violation. Whether a template exists, and fits, is a later question: see `template-match.ts`.
 */
export const validateSend = (body: unknown, strictness: Strictness): ValidSend => {
  assertObject(body, 'root');
  checkProduct(body);
  const type = body.type ?? 'text';
  const known = typeof type === 'string' ? knownKeys.get(type) : undefined;
  const isUnknown = strictness.takesUnknownTypes && known === undefined;
  if (typeof type !== 'string' || (known === undefined && !isUnknown)) {
    throw notOneOf('type', types, type);
  }
  if (known) refuseUnknownKeys(body, known, '');
  const recipient = checkRecipient(body);
  checkContext(body);
  schemaString(body, 'biz_opaque_callback_data', '', 512, strictness);
  schemaString(body, 'recipient_identity_key_hash', '', 512, strictness);
  if (isUnknown) requiredObject(body, type, '');
  else checkContent(body, type, strictness);
  return { type, ...recipient };
};

const checkProduct = (body: JsonObject): void => {
  const product = body.messaging_product;
  if (isAbsent(product)) throw invalidParameter('The parameter messaging_product is required.');
  if (product !== 'whatsapp') {
    throw notOneOf('messaging_product', ['whatsapp'], product);
  }
};

const checkRecipient = (body: JsonObject): Omit<ValidSend, 'type'> => {
  const kind = body.recipient_type ?? 'individual';
  if (kind !== 'individual' && kind !== 'group') {
    throw notOneOf('recipient_type', ['individual', 'group'], kind);
  }
  const { to, recipient } = body;
  if (!isAbsent(to) && to !== '') {
    assertString(to, 'to');
    if (kind === 'group') return { input: to, addressing: 'group', isLost: false };
    if (phoneForm.test(to) && /\d{5}/.test(to.replaceAll(/\D/g, ''))) {
      return { input: to, addressing: 'phone', isLost: false };
    }
    // Tried on the live API in 2026: answered like any other send, and never delivered.
    if (userIdForm.test(to)) return { input: to, addressing: 'phone', isLost: true };
    throw invalidValue('Recipient is not a valid phone number');
  }
  if (isAbsent(recipient)) throw invalidParameter('The parameter to is required.');
  assertString(recipient, 'recipient');
  if (!userIdForm.test(recipient)) throw invalidValue('Recipient is not a valid user id');
  return { input: recipient, addressing: 'user-id', isLost: false };
};

const checkContext = (body: JsonObject): void => {
  if (isAbsent(body.context)) return;
  assertObject(body.context, 'context');
  refuseUnknownKeys(body.context, contextKeys, 'context');
  const id = body.context.message_id;
  if (isAbsent(id)) throw invalidParameter("The parameter context['message_id'] is required.");
  assertString(id, "context['message_id']");
  if (!id.startsWith('wamid.')) throw invalidValue('context: message_id is not a message id');
};

const checkContent = (body: JsonObject, type: string, strictness: Strictness): void => {
  if (type === 'contacts') {
    checkContacts(body.contacts);
    return;
  }
  const content = requiredObject(body, type, '');
  if (type === 'text') checkText(content, strictness);
  else if (type === 'interactive') validateInteractive(content, strictness);
  else if (type === 'template') validateTemplate(content, strictness);
  else if (isMediaType(type)) validateMedia(content, type, type, strictness);
  else if (type === 'reaction') checkReaction(content);
  else if (type === 'location') checkLocation(content);
  else throw new PlatformError(131051);
};

const checkText = (text: JsonObject, strictness: Strictness): void => {
  const body = schemaString(text, 'body', 'text', 4096, strictness);
  if (body === null) throw invalidParameter("The parameter text['body'] is required.");
  if (body.trim() === '') {
    throw invalidParameter("Param text['body'] must be at least 1 characters long.");
  }
  if (!isAbsent(text.preview_url) && typeof text.preview_url !== 'boolean') {
    throw invalidParameter("Param text['preview_url'] must be a boolean.");
  }
  refuseUnknownKeys(text, textKeys, 'text');
};

const checkReaction = (reaction: JsonObject): void => {
  refuseUnknownKeys(reaction, reactionKeys, 'reaction');
  if (isAbsent(reaction.message_id)) {
    throw invalidParameter("The parameter reaction['message_id'] is required.");
  }
  assertString(reaction.message_id, "reaction['message_id']");
  // An empty emoji takes the reaction back.
  if (!isAbsent(reaction.emoji)) assertString(reaction.emoji, "reaction['emoji']");
};

const checkLocation = (location: JsonObject): void => {
  refuseUnknownKeys(location, locationKeys, 'location');
  for (const [key, max] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const value = location[key];
    if (isAbsent(value)) throw missingParameter(`location: ${key} is required`);
    if (!(Math.abs(Number(value)) <= max)) throw invalidValue(`location: ${key} is out of range`);
  }
};

const contactsMax = 257;

const checkContacts = (contacts: unknown): void => {
  if (isAbsent(contacts)) throw invalidParameter('The parameter contacts is required.');
  assertArray(contacts, 'contacts');
  if (contacts.length < 1 || contacts.length > contactsMax) {
    throw invalidValue(
      `Invalid contacts count. Min allowed contacts: 1, Max allowed contacts: ${contactsMax}`,
    );
  }
  for (const [index, contact] of contacts.entries()) {
    assertObject(contact, fieldPath('contacts', index));
    if (!isObject(contact.name) || typeof contact.name.formatted_name !== 'string') {
      throw missingParameter('contacts: name with formatted_name is required');
    }
  }
};
