import { IsIn, IsOptional } from 'class-validator';
import { FreeFormDto } from '../../free-form/free-form.dto.js';
import { IsReplyTarget } from '../../free-form/reply-target.js';
import { NotTogetherWith, RequiredWithout } from '../../http/validation/rules.js';
import { IsEmoji } from './emoji.rule.js';

/** A reaction to a message, or its removal. */
export class ReactionMessageDto extends FreeFormDto {
  /** The message that it reacts to: your own message's id, or the platform's id of any message. */
  @IsReplyTarget()
  message_id: string;

  /** One emoji; it replaces the one of before. Required without `remove`. */
  @RequiredWithout('remove')
  @IsEmoji()
  emoji?: string | null;

  /** `true` takes the reaction back. */
  @IsOptional()
  @IsIn([true], { message: 'must be true' })
  @NotTogetherWith('emoji')
  remove?: true | null;
}
