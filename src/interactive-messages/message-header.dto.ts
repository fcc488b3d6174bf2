import { IsIn, IsOptional } from 'class-validator';
import { BelongsTo, fileNameMaxLength, IsObjectOf, IsText } from '../http/validation/rules.js';
import { FileSourceDto } from '../uploads/file-source.dto.js';

/** A picture or a video, by its address or by the id of an upload. */
export class MediaLinkDto extends FileSourceDto {}

/** A document, by its address or by the id of an upload. */
export class DocumentLinkDto extends FileSourceDto {
  /**
   * The name that the recipient sees, at most 240 characters. Default: the last part of the link's path, or the name
   * of the upload.
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
