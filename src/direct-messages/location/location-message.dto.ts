import { IsOptional } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import { IsNumberFrom, IsText } from '../../http/validation/rules.js';

/** A place on the map. */
export class LocationMessageDto extends AnswerableDto {
  /** In degrees, -90 to 90. */
  @IsNumberFrom(-90, 90)
  latitude: number;

  /** In degrees, -180 to 180. */
  @IsNumberFrom(-180, 180)
  longitude: number;

  /** At most 1,000 characters. */
  @IsOptional()
  @IsText(1_000)
  name?: string | null;

  /** At most 1,000 characters. */
  @IsOptional()
  @IsText(1_000)
  address?: string | null;
}
