import { IsBoolean, IsOptional } from 'class-validator';
import { FreeFormDto } from '../../fallbacks/free-form.dto.js';
import { IsText } from '../../http/validation/rules.js';
import { IsReplyTarget } from '../reply-target.js';

/** A text message, for recipients who wrote within the last 24 hours. */
export class TextMessageDto extends FreeFormDto {
  /** At most 4,096 characters. */
  @IsText(4_096)
  body: string;

  /** Whether WhatsApp shows a preview of the first link. Default: false. */
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  preview_url?: boolean | null;

  /** The message that this one answers: your own message's id, or the platform's id of any message. */
  @IsOptional()
  @IsReplyTarget()
  reply_to?: string | null;

  /** Your own reference; it comes back with every event of the message. At most 100 characters. */
  @IsOptional()
  @IsText(100)
  reference?: string | null;
}
