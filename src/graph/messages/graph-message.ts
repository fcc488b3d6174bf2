import { userIdForm } from '../../contacts/user-id.rule.js';
import { validationError } from '../../errors/app-error.js';
import { isGiven } from '../../http/validation/rules.js';
import type { MessageType } from '../../messages/message.js';
import { mediaKinds } from '../../uploads/media-kinds.js';

/** The members that hold what a message says. WhatsApp reads one; with two it could read another than we do. */
const contentMembers = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'interactive',
  'template',
] as const;

const typeForm = /^[a-z_]{1,40}$/;
const callbackMaxLength = 512;

/** Blanks and signs may stand between the digits, and nothing else: another character may be part of a user id. */
const numberForm = /^\+?\d(?:[\d .()-]*\d)?$/;
const digitsForm = /^[1-9]\d{6,14}$/;

/** A message as it came in the form of WhatsApp's own API, checked for what Parley needs. */
export interface GraphMessage {
  readonly type: MessageType;
  /** `+` and digits; null where there is a user id alone. */
  readonly recipient: string | null;
  readonly toUserId: string | null;
  /** The recipient as the caller gave it. */
  readonly input: string;
  /** What goes to the platform. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** What is to come back with its statuses. */
  readonly callbackData: string | null;
  /** Of a template. */
  readonly template: { readonly name: string; readonly language: string } | null;
}

/** A receipt for a message of a user. */
export interface GraphReceipt {
  readonly messageId: string;
  readonly isTyping: boolean;
}

type Body = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Checks what every body must have.
 * @throws AppError VALIDATION_ERROR
 */
export function checkBody(body: Body): void {
  if (body.messaging_product !== 'whatsapp') {
    throw validationError({ messaging_product: 'must be whatsapp' });
  }
  if (body.access_token !== undefined) {
    throw validationError({ access_token: 'must be in the header Authorization or the address' });
  }
}

/** The receipt that a body is; null where it is a message. @throws AppError VALIDATION_ERROR */
export function receiptOf(body: Body): GraphReceipt | null {
  if (!isGiven(body.status)) return null;
  if (body.status !== 'read') throw validationError({ status: 'must be read' });
  const { message_id: messageId, typing_indicator: typing } = body;
  if (typeof messageId !== 'string' || messageId === '' || messageId.length > callbackMaxLength) {
    throw validationError({ message_id: 'must be the id of a received message' });
  }
  if (isGiven(typing) && !isObject(typing)) {
    throw validationError({ typing_indicator: 'must be an object' });
  }
  return { messageId, isTyping: isGiven(typing) };
}

/** The message that a body is. @throws AppError VALIDATION_ERROR */
export function messageOf(body: Body): GraphMessage {
  if (isGiven(body.recipient_type) && body.recipient_type !== 'individual') {
    throw validationError({ recipient_type: 'must be individual: Parley sends to no groups' });
  }
  if (isGiven(body.category) && body.category !== 'utility' && body.category !== 'authentication') {
    throw validationError({ category: 'must be utility or authentication' });
  }
  const type = body.type ?? 'text';
  if (typeof type !== 'string' || !typeForm.test(type)) {
    throw validationError({ type: 'must be 1 to 40 lower-case letters or _' });
  }
  const content = Object.hasOwn(body, type) ? body[type] : undefined;
  if (type === 'contacts' ? !Array.isArray(content) : !isObject(content)) {
    throw validationError({
      [type]: type === 'contacts' ? 'must be an array' : 'must be an object',
    });
  }
  const other = contentMembers.find((name) => name !== type && isGiven(body[name]));
  if (other) throw validationError({ [other]: `must not stand beside type ${type}` });
  const { to, recipient, biz_opaque_callback_data: callbackData, ...rest } = body;
  return {
    type: typeOf(type),
    ...addressed(rest, to, recipient),
    callbackData: callbackDataOf(callbackData),
    template: type === 'template' && isObject(content) ? templateOf(content) : null,
  };
}

/** The type as Parley stores it. */
function typeOf(type: string): MessageType {
  if (mediaKinds.some((kind) => kind === type)) return 'media';
  switch (type) {
    case 'text':
    case 'location':
    case 'contacts':
    case 'reaction':
    case 'template':
      return type;
    default:
      return `graph:${type}`;
  }
}

/** The number that was checked is the number that is sent to. */
function addressed(
  rest: Body,
  to: unknown,
  recipient: unknown,
): Pick<GraphMessage, 'recipient' | 'toUserId' | 'input' | 'payload'> {
  if (isGiven(to)) {
    const digits = typeof to === 'string' && numberForm.test(to) ? to.replaceAll(/\D/g, '') : '';
    if (typeof to !== 'string' || !digitsForm.test(digits)) {
      throw validationError({
        to: 'must be a phone number: 7 to 15 digits with the country code, in front of them at most a +',
      });
    }
    const phone = `+${digits}`;
    return { recipient: phone, toUserId: null, input: to, payload: { ...rest, to: phone } };
  }
  if (typeof recipient !== 'string' || !userIdForm.test(recipient)) {
    throw validationError(
      isGiven(recipient)
        ? { recipient: 'must be a user id of WhatsApp, such as US.13491208655302741918' }
        : { to: 'is required, or recipient' },
    );
  }
  return {
    recipient: null,
    toUserId: recipient,
    input: recipient,
    payload: { ...rest, recipient },
  };
}

function callbackDataOf(given: unknown): string | null {
  if (!isGiven(given)) return null;
  if (typeof given !== 'string' || given.length > callbackMaxLength) {
    throw validationError({
      biz_opaque_callback_data: `must be a text of at most ${callbackMaxLength} characters`,
    });
  }
  return given;
}

function templateOf({ name, language }: Record<string, unknown>): GraphMessage['template'] {
  const code = isObject(language) ? language.code : undefined;
  if (typeof name !== 'string' || name === '') {
    throw validationError({ 'template.name': 'must be the name of a template' });
  }
  if (typeof code !== 'string' || code === '') {
    throw validationError({ 'template.language.code': 'must be a language code, such as en_US' });
  }
  return { name, language: code };
}
