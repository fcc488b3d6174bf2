import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsMode, type Mode } from '../../access/mode.js';
import type { RecipientStatus } from '../../campaigns/recipients/recipient-status.js';
import type { ContactDto, ContactWindowDto } from '../../contacts/contacts.dto.js';
import {
  IsFlagInQuery,
  IsRecipientOrTimeInQuery,
  IsTimeInQuery,
  ToInteger,
} from '../../http/validation/page.dto.js';
import { IsIdOf, IsWholeNumber } from '../../http/validation/rules.js';
import { type KnownMessageType, messageTypes } from '../message.js';
import { MessageDto, type StatusChangeDto } from '../message-answers.dto.js';
import { type MessageStatus, messageStatuses } from '../rows/message-status.js';
import { MessageFilterDto } from './message-list.dto.js';

const statusesForm =
  /^(?:scheduled|queued|sending|unconfirmed|sent|delivered|read|failed|cancelled)(?:,(?:scheduled|queued|sending|unconfirmed|sent|delivered|read|failed|cancelled))*$/;

/** Which messages of the account to list; newest first. */
export class DashboardMessageListDto extends MessageFilterDto {
  /** One status, or several, separated by commas. */
  @IsOptional()
  @Matches(statusesForm, { message: `must be some of ${messageStatuses.join(', ')}` })
  status?: string;

  /**
   * A text as people type it: an id, a recipient in any notation or by its last four digits, a contact's name, the
   * beginning of a reference.
   */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  q?: string;

  /** The recipient in E.164 form; or a time in ISO 8601: the same as `created_before`. */
  @IsOptional()
  @IsRecipientOrTimeInQuery()
  @ApiProperty({ type: String })
  to?: string | Date;

  /** The same as `created_after`. */
  @IsOptional()
  @IsTimeInQuery()
  from?: Date;

  /** Messages that failed with this code of WhatsApp. */
  @IsOptional()
  @ToInteger()
  @IsWholeNumber(0, 999_999)
  error_code?: number;

  /** `true`: only what was sent again as another message. `false`: only what was not. */
  @IsOptional()
  @IsFlagInQuery()
  resent?: 'true' | 'false';

  /** `true`: `meta.total` says how many match, up to 10,000, and `meta.total_is_exact` whether these are all. */
  @IsOptional()
  @IsFlagInQuery()
  count?: 'true' | 'false';

  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  /** Messages sent with one key. */
  @IsOptional()
  @IsIdOf('an API key')
  key_id?: string;

  @IsOptional()
  @IsIn(messageTypes, { message: `must be one of ${messageTypes.join(', ')}` })
  type?: KnownMessageType;

  @IsOptional()
  @IsMode()
  mode?: Mode;
}

/** A message as the dashboard lists it. */
export class DashboardMessageDto extends MessageDto {
  mode: Mode;
  account_id: string;
  api_key_id: string;
  /** Null when the key is deleted. */
  api_key_name: string | null;
  /** Of the campaign that it was released by; null for others. */
  campaign_name: string | null;
  /** What the recipient is called, by their name or their username; null where neither is known. */
  recipient_name: string | null;
  /** The beginning of its text. */
  text: string;
  /** The message that this one was sent again for, or null. */
  resent_from: string | null;
}

/** One call to the platform. */
export class AttemptDto {
  /** From 1. */
  number: number;
  started_at: Date;
  duration_ms: number;
  /** The outcome, in one word. */
  outcome: string;
  http_status: number | null;
  /** The platform's code, or null. */
  error_code: number | null;
  detail: string | null;
}

/** The campaign that tries the recipient of a campaign's message again. */
export class MessageRetryDto {
  campaign_id: string;
  campaign_name: string;
  /** Null while the recipient waits in it. */
  message_id: string | null;
  /** What the recipient is in it. */
  status: RecipientStatus;
}

/** A message with everything that happened to it. */
export class DashboardMessageDetailDto extends DashboardMessageDto {
  /** Every status that it has had, oldest first. */
  timeline: StatusChangeDto[];
  /** The calls to the platform, oldest first. */
  attempts: AttemptDto[];
  /** What is sent to the platform; null once it is no longer stored. */
  platform_payload: Record<string, unknown> | null;
  /** The recipient's contact; null while it is not known. */
  contact: ContactDto | null;
  /** The 24-hour window of the recipient now. */
  window: ContactWindowDto;
  /** The message that this one was sent again as, or null. */
  resent_as: string | null;
  /** The status of that message. */
  resent_as_status: MessageStatus | null;
  /** When that message was accepted. */
  resent_as_created_at: Date | null;
  /** When a message that waits for another try is tried next; null for all others. */
  next_attempt_at: Date | null;
  /**
   * Of one that failed or is unconfirmed: the retry of its campaign that has reached the recipient, or has them waiting;
   * null where there is none. Such a message is not sent again.
   */
  retried_in: MessageRetryDto | null;
  /**
   * `meta.request_id` of the request that made it; null once that is no longer in the request log, and for messages that
   * no request of the external API made.
   */
  request_id: string | null;
}

/** A page of messages. */
export class DashboardMessagesDto {
  messages: DashboardMessageDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}
