import { IsOptional } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import { IsLink, IsObjectOf, IsText } from '../../http/validation/rules.js';
import { MessageHeaderDto } from '../message-header.dto.js';

const urlMaxLength = 2_000;

/** A button that opens a page. */
export class UrlButtonDto {
  /** At most 20 characters. */
  @IsText(20)
  text: string;

  /** http or https, at most 2,000 characters. */
  @IsLink(urlMaxLength)
  url: string;
}

/** A message with a button that opens a page. */
export class CtaUrlMessageDto extends AnswerableDto {
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

  @IsObjectOf(() => UrlButtonDto)
  button: UrlButtonDto;
}
