import { Transform } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';
import { IsMode, type Mode } from '../access/mode.js';
import { MayBeAbsent } from '../http/validation/body.pipe.js';
import { IsLimit } from '../http/validation/page.dto.js';
import { IsFlag, IsIdOf, IsText } from '../http/validation/rules.js';
import { IsTemplateCursor } from './template-cursor.js';

const toBoolean = Transform(({ value }: { value: unknown }) => {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
});

const toUpperCase = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.toUpperCase() : value,
);

/** Which templates to list; by name, then by language. */
export class TemplateListDto {
  /** The whole name. */
  @IsOptional()
  @IsText(512)
  name?: string;

  /** The language code, such as en_US. */
  @IsOptional()
  @IsText(20)
  language?: string;

  /** WhatsApp's status, such as APPROVED, PENDING, REJECTED, PAUSED, DISABLED. */
  @IsOptional()
  @toUpperCase
  @Matches(/^[A-Z_]{1,40}$/, { message: 'must be a status such as APPROVED' })
  status?: string;

  /** Whether there is a mapping that fits. */
  @IsOptional()
  @toBoolean
  @IsFlag()
  configured?: boolean;

  /** 1 to 200; default 50. */
  @IsLimit(200)
  limit = 50;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsTemplateCursor()
  cursor?: string;
}

/** Whose templates. */
@MayBeAbsent()
export class TemplateScopeDto {
  /** Default: all that the user may see, or the only one. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string | null;

  /** Default: both. */
  @IsOptional()
  @IsMode()
  mode?: Mode | null;
}

/** Which templates to list on the dashboard. */
export class DashboardTemplateListDto extends TemplateListDto {
  /** Default: all that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  /** Default: both. */
  @IsOptional()
  @IsMode()
  mode?: Mode;
}
