import { IsIn, IsOptional, IsUUID } from 'class-validator';
import type { Mode } from '../api-keys/api-key.entity.js';
import { type MessageType, messageTypes } from '../messages/message.js';
import { MessageListDto } from '../messages/message-list.dto.js';

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
