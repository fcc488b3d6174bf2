import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import {
  BelongsTo,
  fileNameMaxLength,
  IsFlag,
  IsLink,
  IsText,
  NotTogetherWith,
  RequiredWithout,
} from '../../http/validation/rules.js';

const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaType = (typeof mediaTypes)[number];

const captionedTypes: readonly MediaType[] = ['image', 'video', 'document'];

/** An image, a video, an audio file, a document or a sticker, by its address or by the id of an upload. */
export class MediaMessageDto extends AnswerableDto {
  @IsIn(mediaTypes, { message: `must be one of ${mediaTypes.join(', ')}` })
  type: MediaType;

  /** http or https, at most 2,048 characters; WhatsApp fetches it. Required without `media_id`. */
  @RequiredWithout('media_id')
  @IsLink()
  link?: string | null;

  /** The id of an upload, instead of `link`. */
  @IsOptional()
  @IsUUID()
  @NotTogetherWith('link')
  media_id?: string | null;

  /** At most 1,024 characters; not for audio and stickers. */
  @IsText(1_024)
  @BelongsTo('type', captionedTypes, 'is not allowed for audio and stickers')
  caption?: string | null;

  /**
   * The name that the recipient sees, at most 240 characters; for documents only. Default: the last part of the link's
   * path, or the name of the upload.
   */
  @IsText(fileNameMaxLength)
  @BelongsTo('type', ['document'], 'is allowed for documents only')
  filename?: string | null;

  /** Whether people see a voice message, which must be Ogg with Opus; for audio only. Default: false. */
  @IsFlag()
  @BelongsTo('type', ['audio'], 'is allowed for audio only')
  voice?: boolean | null;
}
