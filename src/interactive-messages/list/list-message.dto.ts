import { IsOptional } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import { IsListOf, IsText } from '../../http/validation/rules.js';
import { HasUniqueRowIds } from '../unique-ids.js';

/** One choice of a list. */
export class ListRowDto {
  /** Comes back with the reply; unique within the message, at most 200 characters. */
  @IsText(200)
  id: string;

  /** At most 24 characters. */
  @IsText(24)
  title: string;

  /** At most 72 characters. */
  @IsOptional()
  @IsText(72)
  description?: string | null;
}

/** A group of choices under one title. */
export class ListSectionDto {
  /** At most 24 characters. */
  @IsOptional()
  @IsText(24)
  title?: string | null;

  /** 1 to 10 rows. WhatsApp itself takes at most 10 rows over all sections. */
  @IsListOf(1, 10, () => ListRowDto)
  rows: ListRowDto[];
}

/** A message with a menu button that opens a list of choices. */
export class ListMessageDto extends AnswerableDto {
  /** At most 60 characters. */
  @IsOptional()
  @IsText(60)
  header?: string | null;

  /** At most 1,024 characters. */
  @IsText(1_024)
  body: string;

  /** At most 60 characters. */
  @IsOptional()
  @IsText(60)
  footer?: string | null;

  /** The text on the menu button, at most 20 characters. */
  @IsText(20)
  button: string;

  /** 1 to 10 sections. */
  @HasUniqueRowIds()
  @IsListOf(1, 10, () => ListSectionDto)
  sections: ListSectionDto[];
}
