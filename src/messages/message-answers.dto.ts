import { ApiProperty } from '@nestjs/swagger';
import { type MessageType, messageTypes, type SentAs } from './message.js';
import type { ChangeSource, MessageStatus } from './rows/message-status.js';

/** The answer to a send. */
export class SentMessageDto {
  /** UUID of the message. */
  message_id: string;
  /**
   * `sent`, or `queued`, `sending` or `unconfirmed` while the outcome is not certain; `scheduled` if you gave `send_at`;
   * `cancelled` if you cancelled it meanwhile.
   */
  status: 'sent' | 'scheduled' | 'queued' | 'sending' | 'unconfirmed' | 'cancelled';
  /** Whether the message itself or the template in its place was sent; absent if the request had no `fallback`. */
  sent_as?: SentAs;
  /** The message that WhatsApp refused, after which this fallback was sent. */
  fallback_for?: string;
}

/** The answer to a send by named variables. */
export class SentTemplateDto extends SentMessageDto {
  /** The same as `message_id`. */
  message_uuid: string;
  /** The recipient; null if you gave a user id alone. */
  to: string | null;
}

/** Why a message failed. */
export class MessageErrorDto {
  /** `MESSAGE_SEND_FAILED`. */
  code: string;
  message: string;
  /** Whether a new send of the same message can succeed later. */
  retryable: boolean;
  /** The platform's code; absent if it never answered. */
  whatsapp_error_code?: number;
  /** The platform's own text; absent if it never answered. */
  whatsapp_error_message?: string | null;
  /** The reason if the platform gave no code: `unreachable`, `expired`, … */
  reason?: string | null;
  /** The fallback that took its place; do not send the message again. */
  fallback_message_id?: string;
  /** Why no fallback took its place: `too_late`, `key_not_allowed`, `template_not_approved`, `opted_out`. */
  fallback_reason?: string;
}

/** What the platform charges for a message; null where it does not say. */
export class PricingDto {
  billable: boolean | null;
  /** `marketing`, `utility`, `authentication`, `service` …; expect values that you do not know. */
  category: string | null;
  /** `regular`, `free_customer_service`, `free_entry_point` … */
  type: string | null;
  /** `PMP`: by message. */
  model: string | null;
}

/** A message. Times are ISO 8601 in UTC with milliseconds. */
export class MessageDto {
  /** UUID. */
  message_id: string;
  /** `graph:` and WhatsApp's type for what came in the form of WhatsApp's own API and is none of Parley's types. */
  @ApiProperty({ type: String, pattern: `^(?:${messageTypes.join('|')}|graph:[a-z_]{1,40})$` })
  type: MessageType;
  status: MessageStatus;
  /** The recipient in E.164 form; null if you gave a user id alone. */
  to: string | null;
  /** The recipient's user id as you gave it; null if you gave none. */
  to_user_id: string | null;
  /** The recipient's contact; null while it is not known. */
  contact_id: string | null;
  /** Your own reference, as it was given when sending. */
  reference: string | null;
  /** The campaign that it belongs to, or null. */
  campaign_id: string | null;
  /** Whether it is the message itself or the template in its place; absent if the request had no `fallback`. */
  sent_as?: SentAs;
  /** The message that WhatsApp refused, after which this fallback was sent; absent for any other. */
  fallback_for?: string;
  /** The platform's id of the message; null until it has accepted it. */
  platform_message_id: string | null;
  /** Whether the platform has accepted it and holds it to assess the quality of its template. */
  held: boolean;
  /** What it costs, as the platform reports with its statuses; null until then. */
  pricing: PricingDto | null;
  /** Why it failed, or null. */
  error: MessageErrorDto | null;
  created_at: Date;
  /** When it is to be sent, if you said so; null: at once. */
  send_at: Date | null;
  /** When it is too late to send it, if you said so; of a scheduled message an hour after `send_at` by default. */
  expires_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
}

/** A status that a message has had. */
export class StatusChangeDto {
  status: MessageStatus;
  at: Date;
  /** Who noticed it: the API, a worker, the platform's answer, its webhook, or recovery. */
  source: ChangeSource;
}

/** A message with every status that it has had. */
export class MessageWithTimelineDto extends MessageDto {
  /** Oldest first. */
  timeline: StatusChangeDto[];
}

/** A page of messages, newest first. */
export class MessagesDto {
  messages: MessageDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}
