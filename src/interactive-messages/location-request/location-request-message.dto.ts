import { AnswerableDto } from '../../free-form/free-form.dto.js';
import { IsText } from '../../http/validation/rules.js';

/** A message that asks users where they are. They answer with a location. */
export class LocationRequestMessageDto extends AnswerableDto {
  /** At most 1,024 characters. */
  @IsText(1_024)
  body: string;
}
