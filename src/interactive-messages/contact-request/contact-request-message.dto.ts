import { AnswerableDto } from '../../free-form/free-form.dto.js';
import { IsText } from '../../http/validation/rules.js';

/** A message that asks users for their contact card, such as the number that they hide. They answer with contacts. */
export class ContactRequestMessageDto extends AnswerableDto {
  /** At most 1,024 characters. */
  @IsText(1_024)
  body: string;
}
