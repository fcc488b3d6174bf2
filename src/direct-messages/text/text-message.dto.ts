import { IsOptional } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import { IsFlag, IsText } from '../../http/validation/rules.js';

/** A text message, for recipients who wrote within the last 24 hours. */
export class TextMessageDto extends AnswerableDto {
  /** At most 4,096 characters. */
  @IsText(4_096)
  body: string;

  /** Whether WhatsApp shows a preview of the first link. Default: false. */
  @IsOptional()
  @IsFlag()
  preview_url?: boolean | null;
}
