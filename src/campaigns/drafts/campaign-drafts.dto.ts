import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { IsIdOf, IsObjectOf, IsText, IsTime, IsWholeNumber } from '../../http/validation/rules.js';
import { messageEvents } from '../campaign.js';
import { NewCampaignDto, PauseOnDto } from '../campaigns.dto.js';

/** A campaign to make for a key. */
export class NewDraftDto extends NewCampaignDto {
  /** The key whose quota, mapping and endpoints it uses. */
  @IsIdOf('an API key')
  api_key_id: string;
}

/** What to change of a draft; absent fields stay. */
export class DraftChangeDto {
  /** For people. At most 100 characters. */
  @ValidateIf((draft: DraftChangeDto) => draft.name !== undefined)
  @IsText(100)
  name?: string;

  /** When it begins, 60 seconds to 35 days ahead, in ISO 8601 with its offset; null: as soon as it is started. */
  @IsOptional()
  @IsTime()
  send_at?: string | null;

  /** The most recipients a second, 1 to 1,000; null: as fast as the number may send. */
  @IsOptional()
  @IsWholeNumber(1, 1_000)
  per_second?: number | null;

  /** Which statuses of its messages webhooks get. */
  @ValidateIf((draft: DraftChangeDto) => draft.message_events !== undefined)
  @IsIn(messageEvents, { message: `must be one of ${messageEvents.join(', ')}` })
  message_events?: (typeof messageEvents)[number];

  /** When it pauses by itself, beside what always pauses it; null: only then. */
  @IsOptional()
  @IsObjectOf(() => PauseOnDto)
  pause_on?: PauseOnDto | null;
}
