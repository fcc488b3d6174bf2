import { IsIn, IsOptional } from 'class-validator';
import { IsObjectOf, IsText, NotTogetherWith } from '../http/validation/rules.js';
import { SendDto } from '../messages/sends/send.dto.js';
import {
  IsComponents,
  languageMaxLength,
  templateNameMaxLength,
} from '../templates/sends/template-messages.dto.js';
import { IsVariableValues } from '../templates/sends/variable-values.rule.js';
import { IsReplyTarget } from './reply-target.js';

/** The template that is sent instead of a message whose recipient has not written within 24 hours. */
export class FallbackDto {
  /** The name of an approved template. At most 512 characters. */
  @IsText(templateNameMaxLength)
  template_name: string;

  /** The template's language code, such as en_US. */
  @IsText(languageMaxLength)
  language: string;

  /** Variable name to value, which is a string of at most 1,024 characters; the key needs a mapping. */
  @IsOptional()
  @IsVariableValues()
  @NotTogetherWith('components')
  variables?: Record<string, unknown> | null;

  /** As WhatsApp's own API takes them, instead of `variables`; `[]` for a template without parameters. */
  @IsOptional()
  @IsComponents()
  components?: unknown[] | null;
}

const windowRules = ['ignore', 'require_open'] as const;

/** The fields of every message that is not a template: what each message has, and what to do if the window is closed. */
export class FreeFormDto extends SendDto {
  /**
   * `require_open` refuses the message with WINDOW_CLOSED when the recipient is known not to have written within 24
   * hours. Default: `ignore`, which lets WhatsApp decide.
   */
  @IsOptional()
  @IsIn(windowRules, { message: `must be one of ${windowRules.join(', ')}` })
  window?: (typeof windowRules)[number] | null;

  /** The template to send instead when the window is closed. The key needs the permission send_template. */
  @IsOptional()
  @IsObjectOf(() => FallbackDto)
  fallback?: FallbackDto | null;
}

/** The fields of a message that can answer another one. */
export class AnswerableDto extends FreeFormDto {
  /** The message that this one answers: your own message's id, or the platform's id of any message. */
  @IsOptional()
  @IsReplyTarget()
  reply_to?: string | null;
}
