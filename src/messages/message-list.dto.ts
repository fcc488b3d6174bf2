import { Transform } from 'class-transformer';
import { IsDate, IsIn, IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { IsUserId } from '../contacts/user-id.rule.js';
import { IsPhoneNumber, IsText, timeOf } from '../http/rules.js';
import { type MessageStatus, messageStatuses } from './message-status.js';

/** Anything that is no time stays what it is and is refused. */
const toDate = Transform(({ value }: { value: unknown }) => timeOf(value) ?? value);

const toInteger = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value,
);

/** Which messages to list; newest first. */
export class MessageListDto {
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

  /** 1 to 100; default 20. */
  @toInteger
  @IsInt({ message: 'must be a whole number from 1 to 100' })
  @Min(1, { message: 'must be a whole number from 1 to 100' })
  @Max(100, { message: 'must be a whole number from 1 to 100' })
  limit = 20;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsUUID('7', { message: 'must be the next_cursor of an earlier answer' })
  cursor?: string;
}
