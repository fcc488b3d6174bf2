import { Transform } from 'class-transformer';
import { IsDate, IsIn, IsOptional } from 'class-validator';
import { IsUserId } from '../../contacts/user-id.rule.js';
import { PageDto } from '../../http/validation/page.dto.js';
import { IsPhoneNumber, IsText, timeOf } from '../../http/validation/rules.js';
import { type MessageStatus, messageStatuses } from '../rows/message-status.js';

/** Leaves anything that is not a time as it is; validation refuses it. */
const toDate = Transform(({ value }: { value: unknown }) => timeOf(value) ?? value);

/** Which messages to list; newest first. */
export class MessageListDto extends PageDto {
  @IsOptional()
  @IsIn(messageStatuses, { message: `must be one of ${messageStatuses.join(', ')}` })
  status?: MessageStatus;

  /** The reference given when sending. */
  @IsOptional()
  @IsText(100)
  reference?: string;

  /** The recipient in E.164 form. */
  @IsOptional()
  @IsPhoneNumber()
  to?: string;

  /** The user id of the recipient, as it was given when sending. */
  @IsOptional()
  @IsUserId()
  to_user_id?: string;

  /** ISO 8601; messages accepted at or after this time. */
  @IsOptional()
  @toDate
  @IsDate({ message: 'must be an ISO 8601 time such as 2030-01-31T12:00:00Z' })
  created_after?: Date;

  /** ISO 8601; messages accepted before this time. */
  @IsOptional()
  @toDate
  @IsDate({ message: 'must be an ISO 8601 time such as 2030-01-31T12:00:00Z' })
  created_before?: Date;
}
