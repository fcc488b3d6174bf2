import { IsIn, IsOptional } from 'class-validator';
import { IsText } from '../../http/validation/rules.js';

/** A message of a user that you have read. */
export class ReadReceiptDto {
  /** Of a message that a user sent, as `message.received` names it. WhatsApp marks the earlier ones as well. */
  @IsText(512)
  message_id: string;

  /** `true` also shows the user that you are writing, for 25 seconds or until your next message. */
  @IsOptional()
  @IsIn([true], { message: 'must be true' })
  typing?: true | null;
}

/** What WhatsApp has taken. */
export class MarkedReadDto {
  message_id: string;

  /** Whether the user sees that you are writing. */
  typing: boolean;
}
