import type { EchoReported, MessageReceived } from '#libs/whatsapp';
import { storableText } from '../../database/storable-text.js';
import { digitsOf } from '../routed-event.js';

/** The message of ours that was answered. */
export interface AnsweredMessage {
  readonly id: string;
  readonly reference: string | null;
}

/** A file that came with a message. */
export interface ReceivedFile {
  readonly id: string;
  readonly fileName: string | null;
}

/** The `data` of `message.received`. */
export interface ReceivedData {
  readonly message_id: string;
  readonly from: string | null;
  readonly to: string;
  readonly from_user_id: string | null;
  readonly from_parent_user_id: string | null;
  readonly from_name: string | null;
  readonly from_username: string | null;
  /** Null where the platform names nobody. */
  readonly contact_id: string | null;
  /** When the user sent it, by the platform's clock; null if it does not say. */
  readonly sent_at: string | null;
  readonly message: Readonly<Record<string, unknown>>;
  /** Whether the user passed on what somebody else wrote; `frequently`: more than five times. */
  readonly forwarded: boolean;
  readonly frequently_forwarded: boolean;
  /** The product of the catalogue that the message asks about. */
  readonly referred_product: {
    readonly catalog_id: string | null;
    readonly product_retailer_id: string | null;
  } | null;
  readonly context: {
    readonly message_id: string | null;
    readonly platform_message_id: string;
    readonly reference: string | null;
  } | null;
}

type JsonObject = Record<string, unknown>;

/** Fields that are elsewhere in the event. */
const envelopeFields = new Set([
  'id',
  'from',
  'from_user_id',
  'to',
  'to_user_id',
  'from_parent_user_id',
  'timestamp',
  'context',
]);

const fileTypes = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/**
 * The event for a message from a user. Taps on a reply button and on a template's quick
 * reply are both `button`, a filled flow is `flow_reply`; every type that has no form of its own is passed on as it came.
 * @param options `to`: our number; `mediaUrl`: where callers fetch a file from us.
 */
export function receivedData(
  event: MessageReceived,
  options: {
    readonly to: string;
    readonly answered: AnsweredMessage | null;
    readonly contactId: string | null;
    readonly mediaUrl: (mediaId: string) => string;
  },
): ReceivedData {
  const { contextMessageId } = event;
  const about = objectAt(event.message, 'context');
  const product = objectAt(about, 'referred_product');
  return {
    message_id: event.platformMessageId,
    from: phoneNumberOf(event.from),
    to: `+${digitsOf(options.to)}`,
    from_user_id: event.fromUserId,
    from_parent_user_id: event.fromParentUserId,
    from_name: event.fromName,
    from_username: event.fromUsername,
    contact_id: options.contactId,
    sent_at: event.occurredAt?.toISOString() ?? null,
    message: contentOf(event, options.mediaUrl),
    forwarded: about?.forwarded === true || about?.frequently_forwarded === true,
    frequently_forwarded: about?.frequently_forwarded === true,
    referred_product: product && {
      catalog_id: textAt(product, 'catalog_id'),
      product_retailer_id: textAt(product, 'product_retailer_id'),
    },
    context:
      contextMessageId === null
        ? null
        : {
            message_id: options.answered?.id ?? null,
            platform_message_id: contextMessageId,
            reference: options.answered?.reference ?? null,
          },
  };
}

/** The file of a message, or of what an edit says now; null when it has none. */
export function fileOf({
  type,
  message,
}: Pick<MessageReceived, 'type' | 'message'>): ReceivedFile | null {
  const edited = type === 'edit' ? editedIn(message) : null;
  if (edited) return fileOf({ type: String(edited.type), message: edited });
  const file = fileTypes.has(type) ? objectAt(message, type) : null;
  if (!file || typeof file.id !== 'string' || file.id === '') return null;
  const { filename } = file;
  const fileName = typeof filename === 'string' ? storableText(filename).slice(0, 240) : null;
  return { id: file.id, fileName };
}

/**
 * What a user wrote or tapped, each text by itself: a button has a label and a payload, a row a title and an id. A file
 * has its caption. An edit and a message in a group have no texts: the one is no new message, the other is not to us.
 */
export function textsOf({ type, message, groupId }: MessageReceived): string[] {
  if (groupId !== null) return [];
  const texts = (fields: JsonObject | null, ...names: string[]) =>
    names.flatMap((name) => {
      const value = fields?.[name];
      return typeof value === 'string' ? [value] : [];
    });
  if (type === 'text') return texts(objectAt(message, 'text'), 'body');
  if (type === 'button') return texts(objectAt(message, 'button'), 'text', 'payload');
  if (fileTypes.has(type)) return texts(objectAt(message, type), 'caption');
  if (type !== 'interactive') return [];
  const interactive = objectAt(message, 'interactive');
  return ['button_reply', 'list_reply'].flatMap((kind) =>
    texts(objectAt(interactive, kind), 'title', 'id'),
  );
}

/** The `data` of `message.echo`. */
export interface EchoData {
  readonly message_id: string;
  readonly from: string;
  readonly to: string | null;
  readonly to_user_id: string | null;
  /** Null where no contact is known. */
  readonly contact_id: string | null;
  readonly sent_at: string | null;
  readonly change: 'sent' | 'edited' | 'revoked';
  /** The message that was edited or revoked. */
  readonly original_message_id: string | null;
  /** The new content of an edit; null of a revocation. */
  readonly message: Readonly<Record<string, unknown>> | null;
}

/** The event for what the business wrote, edited or took back in the WhatsApp Business app. @param options `from`: our number. */
export function echoData(
  event: EchoReported,
  options: {
    readonly from: string;
    readonly contactId: string | null;
    readonly mediaUrl: (mediaId: string) => string;
  },
): EchoData {
  const changes = { edit: 'edited', revoke: 'revoked' } as const;
  const change = event.type in changes ? changes[event.type as keyof typeof changes] : 'sent';
  const edited = editedIn(event.message);
  const contents = {
    sent: () => contentOf(event, options.mediaUrl),
    edited: () =>
      edited &&
      contentOf({ type: textAt(edited, 'type') ?? '', message: edited }, options.mediaUrl),
    revoked: () => null,
  };
  return {
    message_id: event.platformMessageId,
    from: `+${digitsOf(options.from)}`,
    to: phoneNumberOf(event.to),
    to_user_id: event.toUserId,
    contact_id: options.contactId,
    sent_at: event.occurredAt?.toISOString() ?? null,
    change,
    original_message_id:
      change === 'sent'
        ? null
        : textAt(objectAt(event.message, event.type) ?? {}, 'original_message_id'),
    message: contents[change](),
  };
}

type Content = Pick<MessageReceived, 'type' | 'message'>;

function contentOf(event: Content, mediaUrl: (id: string) => string): JsonObject {
  const { message } = event;
  const type = event.type === '' ? 'unknown' : event.type;
  if (type === 'button') {
    const button = objectAt(message, 'button');
    if (button) return { type, button: { text: button.text, payload: button.payload } };
  }
  if (type === 'interactive') {
    const interactive = objectAt(message, 'interactive');
    const button = objectAt(interactive, 'button_reply');
    if (button) return { type: 'button', button: { text: button.title, payload: button.id } };
    const row = objectAt(interactive, 'list_reply');
    if (row) {
      const list_reply = { id: row.id, title: row.title };
      return { type, interactive: { type: 'list_reply', list_reply } };
    }
    const form = objectAt(interactive, 'nfm_reply');
    if (form) {
      const { name, response_json } = form;
      return {
        type: 'flow_reply',
        flow_reply: { name, response: parsed(response_json), response_json },
      };
    }
  }
  const own = Object.fromEntries(
    Object.entries(message).filter(([name]) => !envelopeFields.has(name)),
  );
  const file = fileOf(event);
  if (!file) return { ...own, type };
  // The platform's own address needs the account's token, and lasts five minutes.
  const withUrl = (whole: JsonObject, name: string) => ({
    ...whole,
    [name]: { ...objectAt(whole, name), url: mediaUrl(file.id) },
  });
  const edited = type === 'edit' ? editedIn(message) : null;
  if (!edited) return { ...withUrl(own, type), type };
  const edit = { ...objectAt(message, 'edit'), message: withUrl(edited, String(edited.type)) };
  return { ...own, type, edit };
}

/** What an edited message says now. */
const editedIn = (message: JsonObject) => objectAt(objectAt(message, 'edit'), 'message');

/** The value of a JSON text; null where it is none. */
function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** E.164; null where the platform gives no number. */
export function phoneNumberOf(from: string | null): string | null {
  return from !== null && /^\+?\d{5,15}$/.test(from) ? `+${digitsOf(from)}` : null;
}

function objectAt(parent: JsonObject | null, name: string): JsonObject | null {
  const value = parent?.[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : null;
}

function textAt(parent: JsonObject, name: string): string | null {
  const value = parent[name];
  return typeof value === 'string' ? value : null;
}
