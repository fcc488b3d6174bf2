import { IsIn, IsOptional } from 'class-validator';
import { FreeFormDto } from '../../fallbacks/free-form.dto.js';
import {
  BelongsTo,
  fileNameMaxLength,
  IsLink,
  IsListOf,
  IsObjectOf,
  IsText,
} from '../../http/validation/rules.js';
import { HasUniqueButtonIds } from '../unique-ids.js';

/** A picture or a video by its address. */
export class MediaLinkDto {
  /** http or https, at most 2,048 characters; WhatsApp fetches it. */
  @IsLink()
  link: string;
}

/** A document by its address. */
export class DocumentLinkDto {
  /** http or https, at most 2,048 characters; WhatsApp fetches it. */
  @IsLink()
  link: string;

  /**
   * The name that the recipient sees, at most 240 characters. Default: the last part of the link's path.
   */
  @IsOptional()
  @IsText(fileNameMaxLength)
  filename?: string | null;
}

const headerTypes = ['text', 'image', 'video', 'document'] as const;
type HeaderType = (typeof headerTypes)[number];

const BelongsToType = (type: HeaderType) =>
  BelongsTo('type', [type], `belongs to a header of type ${type} only`, { isRequired: true });

/** What is shown above the body; `type` says which of the other fields is there. */
export class ButtonHeaderDto {
  @IsIn(headerTypes, { message: `must be one of ${headerTypes.join(', ')}` })
  type: HeaderType;

  /** At most 60 characters. */
  @IsText(60)
  @BelongsToType('text')
  text?: string | null;

  @IsObjectOf(() => MediaLinkDto)
  @BelongsToType('image')
  image?: MediaLinkDto | null;

  @IsObjectOf(() => MediaLinkDto)
  @BelongsToType('video')
  video?: MediaLinkDto | null;

  @IsObjectOf(() => DocumentLinkDto)
  @BelongsToType('document')
  document?: DocumentLinkDto | null;
}

/** A reply button. */
export class ReplyButtonDto {
  /** Comes back with the reply; unique within the message, at most 256 characters. */
  @IsText(256)
  id: string;

  /** At most 20 characters. */
  @IsText(20)
  title: string;
}

/** A message with one to three reply buttons. */
export class ButtonMessageDto extends FreeFormDto {
  @IsOptional()
  @IsObjectOf(() => ButtonHeaderDto)
  header?: ButtonHeaderDto | null;

  /** At most 1,024 characters. */
  @IsText(1_024)
  body: string;

  /** At most 60 characters. */
  @IsOptional()
  @IsText(60)
  footer?: string | null;

  /** 1 to 3 buttons. */
  @HasUniqueButtonIds()
  @IsListOf(1, 3, () => ReplyButtonDto)
  buttons: ReplyButtonDto[];

  /** Your own reference; it comes back with every event of the message. At most 100 characters. */
  @IsOptional()
  @IsText(100)
  reference?: string | null;
}
