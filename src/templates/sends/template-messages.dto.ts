import { IsOptional, ValidateBy } from 'class-validator';
import { IsText } from '../../http/validation/rules.js';
import { SendDto } from '../../messages/sends/send.dto.js';
import { IsVariableValues } from './variable-values.rule.js';

/** In characters. */
export const templateNameMaxLength = 512;
export const languageMaxLength = 20;

/** A list of the platform's components; what must be in it depends on the template. */
export function IsComponents(): PropertyDecorator {
  return ValidateBy({
    name: 'isComponents',
    validator: {
      validate: (value: unknown) => Array.isArray(value),
      defaultMessage: () => 'must be a list',
    },
  });
}

/** A template with named variables. Recipients need not have written before. */
export class TemplateMessageDto extends SendDto {
  /** The name of an approved template for which the key has a mapping. At most 512 characters. */
  @IsText(templateNameMaxLength)
  template_name: string;

  /** The template's language code, such as en_US. */
  @IsText(languageMaxLength)
  language: string;

  /** Variable name to value, which is a string of at most 1,024 characters. */
  @IsOptional()
  @IsVariableValues()
  variables?: Record<string, unknown> | null;
}

/** A template with the platform's own components. */
export class RawTemplateMessageDto extends SendDto {
  /** The name of an approved template. At most 512 characters. */
  @IsText(templateNameMaxLength)
  template_name: string;

  /** The template's language code, such as en_US. */
  @IsText(languageMaxLength)
  language: string;

  /** As WhatsApp's own API takes them; checked against the template. */
  @IsOptional()
  @IsComponents()
  components?: unknown[] | null;
}
