import type { Mode } from '../access/mode.js';
import type { MessageStatus } from './rows/message-status.js';

/** The kinds of messages that the API sends. */
export const messageTypes = [
  'list',
  'button',
  'cta_url',
  'location_request',
  'contact_request',
  'flow',
  'carousel',
  'text',
  'media',
  'location',
  'contacts',
  'reaction',
  'template',
] as const;

export type KnownMessageType = (typeof messageTypes)[number];

/** Also what came in the form of WhatsApp's own API and has a type that Parley does not know, such as `graph:order`. */
export type MessageType = KnownMessageType | `graph:${string}`;

/** A message, or the template that takes its place outside the 24-hour window. */
export type SentAs = 'message' | 'fallback';

/** A validated send, ready to be stored: the platform's payload without our id. */
export interface MessageDraft {
  readonly type: MessageType;
  /** E.164, as the caller gave it; null where they gave a user id alone. */
  readonly recipient: string | null;
  /** The platform's id of the user, as the caller gave it; a message that has a `recipient` too goes to that number. */
  readonly toUserId: string | null;
  readonly reference: string | null;
  /** The request body for the platform; `biz_opaque_callback_data` is added with the id. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The message that this one was sent again for. */
  readonly resentFrom?: string | null;
  /** Which of a message and its fallback this is; null where the request had no fallback. */
  readonly sentAs?: SentAs | null;
  /** The platform's payload of the template that follows when the platform finds the window closed. */
  readonly fallback?: Readonly<Record<string, unknown>> | null;
  /** What must still hold when it is sent later. */
  readonly needs?: Needs;
  /** What comes back with its statuses in the form of WhatsApp: the caller's `biz_opaque_callback_data`. */
  readonly callbackData?: string | null;
}

/** What a message to send later depends on, beside its key, its account and its template. */
export interface Needs {
  /** The mapping of the key, which has filled its template. */
  readonly mapping?: true;
  /** The window of the recipient must not be closed. */
  readonly window?: true;
  /** Its uploaded files, which the platform keeps until then. */
  readonly mediaUntil?: Date | null;
}

/** A payload as it goes to the platform: its status webhooks bring our id back. */
export function payloadWithId(
  payload: MessageDraft['payload'],
  id: string,
): Record<string, unknown> {
  return { ...payload, biz_opaque_callback_data: id };
}

/** Why a message failed, as it is stored on its row and shown to callers. */
export interface MessageFailure {
  readonly code: 'MESSAGE_SEND_FAILED';
  readonly message: string;
  /** Whether a new send of the same message can succeed later; decides 400 or 500. */
  readonly retryable: boolean;
  /** The platform's own code and text; null where it never answered. */
  readonly platformCode: number | null;
  readonly platformMessage: string | null;
  /** The reason if there is no platform code: `unreachable`, `credentials_unreadable`, `expired`, … */
  readonly reason: string | null;
  /** Set where the platform refused it because the user has not written within 24 hours. */
  readonly isWindowClosed?: true;
  /** WhatsApp's refusal, for those who speak its own API. */
  readonly refusal?: PlatformRefusal;
  /** The template that took its place. */
  readonly fallbackMessageId?: string;
  /** Why no template took its place, though the request named one: `too_late`, `key_not_allowed`, `opted_out`, … */
  readonly fallbackReason?: string;
}

/** For the database: whether a message was withdrawn, so that its caller was told that nothing was accepted. */
export const isWithdrawn = (message: string) =>
  `(${message}.status = 'failed' and coalesce(${message}.error->>'reason', '') = 'withdrawn')`;

/** For the database: whether a message was sent again as another one, which is not withdrawn. */
export const isResent = (message: string) =>
  `exists (select from messages again where again.resent_from = ${message}.id and not ${isWithdrawn('again')})`;

/** For the database: whether the message with an id was sent again, and again where that failed, and has arrived or may. */
export const isSentAgain = (id: string) => `exists (
  with recursive again (id, status) as (
    select n.id, n.status from messages n where n.resent_from = ${id}
    union all
    select n.id, n.status from again a join messages n on n.resent_from = a.id
  )
  select from again where status <> 'failed')`;

/** What WhatsApp said in a refusal, beside its code and text. */
export interface PlatformRefusal {
  /** HTTP status; 0 where the refusal came by webhook. */
  readonly status: number;
  readonly subcode: number | null;
  readonly type: string | null;
  readonly details: string | null;
  readonly isTransient: boolean | null;
  readonly trace: string | null;
}

/** The state of a message as a waiting caller needs it. */
export interface MessageOutcome {
  /** Of the fallback where one took the place of the message. */
  readonly id: string;
  /** Absent where it is not known; null where the request had no fallback. */
  readonly sentAs?: SentAs | null;
  /** The message that the fallback took the place of. */
  readonly replaced?: string | null;
  readonly status: MessageStatus;
  readonly failure: MessageFailure | null;
  /** WhatsApp's id of it, and whether it holds the message to assess its quality; absent where the row was not read. */
  readonly platformMessageId?: string | null;
  readonly isHeld?: boolean;
}

/** A row to be accepted. */
export interface NewMessage extends MessageDraft {
  /** UUIDv7. */
  readonly id: string;
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly mode: Mode;
  /** Whether a caller waits for the outcome. Such rows are claimed first. */
  readonly waiting: boolean;
  /** How long after acceptance a retryable refusal may still lead to another try. */
  readonly giveUpAfterMs: number;
  /** When it is too late for a try, as the caller gave it; null: 15 minutes after acceptance. */
  readonly expires: Expiry | null;
  /** Requests that the key may have accepted in a UTC day; this one is among them once it is stored. */
  readonly dailyLimit: number;
  /** W3C trace context of the request; null where it is not traced. */
  readonly traceparent: string | null;
  readonly idempotency: IdempotencyClaim | null;
  /** When to send it, in ISO 8601; null: at once. */
  readonly sendAt: string | null;
}

/** A moment in ISO 8601, or seconds from when the message is to be sent. */
export type Expiry = { readonly at: string } | { readonly inSeconds: number };

/** A caller's promise that a repetition of this request means the same message. */
export interface IdempotencyClaim {
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the parsed body in canonical form. */
  readonly bodyDigest: Buffer;
}
