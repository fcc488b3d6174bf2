import { IsIn, IsOptional } from 'class-validator';
import { IsUserId } from '../../contacts/user-id.rule.js';
import { IsTimeInQuery, PageDto } from '../../http/validation/page.dto.js';
import { IsPhoneNumber, IsText } from '../../http/validation/rules.js';
import { type MessageStatus, messageStatuses } from '../rows/message-status.js';

/** Which messages to list, but for their statuses and numbers; newest first. */
export class MessageFilterDto extends PageDto {
  /** The reference given when sending. */
  @IsOptional()
  @IsText(100)
  reference?: string;

  /** The user id of the recipient, as it was given when sending. */
  @IsOptional()
  @IsUserId()
  to_user_id?: string;

  /** ISO 8601; messages accepted at or after this time. */
  @IsOptional()
  @IsTimeInQuery()
  created_after?: Date;

  /** ISO 8601; messages accepted before this time. */
  @IsOptional()
  @IsTimeInQuery()
  created_before?: Date;
}

/** Which messages to list; newest first. */
export class MessageListDto extends MessageFilterDto {
  /** The recipient in E.164 form; finds the messages to each form of the number. */
  @IsOptional()
  @IsPhoneNumber()
  to?: string;

  @IsOptional()
  @IsIn(messageStatuses, { message: `must be one of ${messageStatuses.join(', ')}` })
  status?: MessageStatus;
}
