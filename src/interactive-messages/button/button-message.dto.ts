import { IsOptional } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import { IsListOf, IsObjectOf, IsText } from '../../http/validation/rules.js';
import { MessageHeaderDto } from '../message-header.dto.js';
import { HasUniqueButtonIds } from '../unique-ids.js';

/** A reply button. */
export class ReplyButtonDto {
  /** Comes back with the reply; unique within the message, at most 256 characters. */
  @IsText(256)
  id: string;

  /** At most 20 characters. */
  @IsText(20)
  title: string;
}

/** A message with one to three reply buttons. */
export class ButtonMessageDto extends AnswerableDto {
  @IsOptional()
  @IsObjectOf(() => MessageHeaderDto)
  header?: MessageHeaderDto | null;

  /** At most 1,024 characters. */
  @IsText(1_024)
  body: string;

  /** At most 60 characters. */
  @IsOptional()
  @IsText(60)
  footer?: string | null;

  /** 1 to 3 buttons. */
  @HasUniqueButtonIds()
  @IsListOf(1, 3, () => ReplyButtonDto)
  buttons: ReplyButtonDto[];
}
