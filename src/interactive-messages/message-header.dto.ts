import { IsIn, IsOptional } from 'class-validator';
import {
  BelongsTo,
  fileNameMaxLength,
  IsLink,
  IsObjectOf,
  IsText,
} from '../http/validation/rules.js';

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
export class MessageHeaderDto {
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
