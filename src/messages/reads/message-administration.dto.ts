import { IsIn, IsOptional, IsUUID } from 'class-validator';
import type { Mode } from '../../access/mode.js';
import type { ContactDto, ContactWindowDto } from '../../contacts/contacts.dto.js';
import { type MessageType, messageTypes } from '../message.js';
import { MessageDto, type StatusChangeDto } from '../message-answers.dto.js';
import { MessageListDto } from './message-list.dto.js';

/** Which messages of the account to list; newest first. */
export class DashboardMessageListDto extends MessageListDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsUUID(undefined, { message: 'must be the id of an account' })
  account_id?: string;

  /** Messages sent with one key. */
  @IsOptional()
  @IsUUID(undefined, { message: 'must be the id of an API key' })
  key_id?: string;

  @IsOptional()
  @IsIn(messageTypes, { message: `must be one of ${messageTypes.join(', ')}` })
  type?: MessageType;

  @IsOptional()
  @IsIn(['live', 'test'], { message: 'must be live or test' })
  mode?: Mode;
}

/** A message as the dashboard lists it. */
export class DashboardMessageDto extends MessageDto {
  mode: Mode;
  account_id: string;
  api_key_id: string;
  /** Null when the key is deleted. */
  api_key_name: string | null;
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
}

/** A page of messages. */
export class DashboardMessagesDto {
  messages: DashboardMessageDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}
