import type { PlatformError } from './errors.js';
import type { IdentityChange } from './identity-change.js';
import type { JsonObject } from './json.js';

/** What every event has. Ids and times are null when the platform left them out or wrote them unreadably. */
export interface EventOrigin {
  /**
   * Equal for every repetition of the same fact, whether the platform repeats the request or repackages it, and
   * different for different facts.
   */
  dedupeKey: string;
  /** The WABA id. */
  businessAccountId: string | null;
  phoneNumberId: string | null;
  /** As the platform writes it, with or without `+` and spaces. */
  displayPhoneNumber: string | null;
  /** Null where the platform gives no time, or an impossible one. */
  occurredAt: Date | null;
  /** The webhook field it came under, e.g. `messages`; empty when unnamed. */
  field: string;
}

/**
 * A user wrote to the number; under the field `standby` while Meta's own agent answers for it. Also system notes about a
 * user (`type: "system"`) and what the platform could not pass on.
 */
export interface MessageReceived extends EventOrigin {
  kind: 'message';
  platformMessageId: string;
  /** `text`, `image`, `interactive`, `button`, `system`, `unsupported` …; empty when missing. New types appear. */
  type: string;
  /** The phone number; null when the user hides it, and in system notes. */
  from: string | null;
  /** The business-scoped user id, e.g. `US.1349…`. */
  fromUserId: string | null;
  /** The same user's id for all businesses of the portfolio. */
  fromParentUserId: string | null;
  fromName: string | null;
  fromUsername: string | null;
  /** What a system message says of a user with a new number or a new user id. */
  change: IdentityChange | null;
  /** The message it replies to; null also for forwarded messages, whose context has no id. */
  contextMessageId: string | null;
  groupId: string | null;
  errors: PlatformError[];
  /** The message object as it came. */
  message: JsonObject;
}

/** The business wrote in the WhatsApp Business app of a number that it uses in both, or edited or revoked there. */
export interface EchoReported extends EventOrigin {
  kind: 'echo';
  platformMessageId: string;
  /** As of a `MessageReceived`; `edit` and `revoke` name the message in `original_message_id`. */
  type: string;
  /** Digits of the user's number; null where they hide it. */
  to: string | null;
  toUserId: string | null;
  /** The message object as it came. */
  message: JsonObject;
}

/** What became of a message that the platform accepted. */
export interface StatusChanged extends EventOrigin {
  kind: 'status';
  platformMessageId: string;
  /** `sent`, `delivered`, `read`, `played`, `failed`, formerly `deleted`; anything else is to be ignored. */
  status: string;
  /** `biz_opaque_callback_data` of the send. */
  callbackData: string | null;
  /** The phone number, or the group's id; null when the send went to a user id. */
  recipientId: string | null;
  recipientUserId: string | null;
  recipientParentUserId: string | null;
  /** The member of a group whom this status concerns. */
  participantId: string | null;
  conversation: JsonObject | null;
  pricing: JsonObject | null;
  errors: PlatformError[];
  /** The status object as it came. */
  raw: JsonObject;
}

/** An error of the number or the account that belongs to no message in particular. */
export interface ErrorReported extends EventOrigin {
  kind: 'error';
  error: PlatformError;
}

/** A template was approved, rejected, paused …; or its category, quality or components changed. */
export interface TemplateChanged extends EventOrigin {
  kind: 'template_status' | 'template_category' | 'template_quality' | 'template_components';
  /** Null also when the id came as a number too large to be exact: name and language identify the template. */
  templateId: string | null;
  templateName: string | null;
  templateLanguage: string | null;
  /** Status: `APPROVED`, `REJECTED`, `PAUSED` … Category and quality: the new one. Components: null. */
  value: string | null;
  previousValue: string | null;
  /** Why the status changed; null for none, which the platform also spells `NONE`. */
  reason: string | null;
  raw: JsonObject;
}

/** The number's quality or limits changed. */
export interface PhoneNumberQualityChanged extends EventOrigin {
  kind: 'phone_number_quality';
  /** `FLAGGED`, `UNFLAGGED`, `UPGRADE`, `DOWNGRADE`, `THROUGHPUT_UPGRADE` … */
  event: string | null;
  raw: JsonObject;
}

/** How many users a day the business may write to first has changed. */
export interface MessagingLimitChanged extends EventOrigin {
  kind: 'messaging_limit';
  /** `TIER_2K`, or a number; -1 is without a limit. */
  limit: string;
  raw: JsonObject;
}

/** The account was restricted, disabled, restored … */
export interface AccountUpdated extends EventOrigin {
  kind: 'account_update';
  /** `ACCOUNT_RESTRICTION`, `DISABLED_UPDATE`, `ACCOUNT_VIOLATION`, `ACCOUNT_DELETED` … */
  event: string | null;
  raw: JsonObject;
}

/** A user told WhatsApp what they want to get from the business. */
export interface UserPreferenceChanged extends EventOrigin {
  kind: 'user_preference';
  /** Digits of the user's number; null where they hide it. */
  from: string | null;
  fromUserId: string | null;
  fromParentUserId: string | null;
  /** `marketing_messages`. */
  category: string | null;
  /** `stop`, `resume` … */
  value: string | null;
  /** The platform's sentence about it. */
  detail: string | null;
  /** Of a sign-up for marketing: which one. */
  readonly signupId: string | null;
}

/** A call between a user and the number, or what became of it. */
export interface CallReported extends EventOrigin {
  kind: 'call';
  /** `connect` when it begins, `terminate` when it ends … */
  event: string | null;
  /** `USER_INITIATED` or `BUSINESS_INITIATED`. */
  direction: string | null;
  /** Digits of the caller; null where a user hides them. */
  from: string | null;
  /** Who calls, if it is a user. */
  fromUserId: string | null;
  fromParentUserId: string | null;
  fromName: string | null;
  fromUsername: string | null;
}

/** Everything else, kept as it came: fields of other products, and what has no readable form. */
export interface OtherNotified extends EventOrigin {
  kind: 'other';
  raw: unknown;
}

export type ParsedEvent =
  | MessageReceived
  | EchoReported
  | StatusChanged
  | ErrorReported
  | TemplateChanged
  | PhoneNumberQualityChanged
  | MessagingLimitChanged
  | AccountUpdated
  | UserPreferenceChanged
  | CallReported
  | OtherNotified;
