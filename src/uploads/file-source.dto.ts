import { IsOptional, IsUUID } from 'class-validator';
import { IsLink, NotTogetherWith, RequiredWithout } from '../http/validation/rules.js';
import { fileNameIn } from './file-names.js';

/** Where a file comes from: an address, or an upload. */
export class FileSourceDto {
  /** http or https, at most 2,048 characters; WhatsApp fetches it. Required without `media_id`. */
  @RequiredWithout('media_id')
  @IsLink()
  link?: string | null;

  /** The id of an upload, instead of `link`. */
  @IsOptional()
  @IsUUID()
  @NotTogetherWith('link')
  media_id?: string | null;
}

/** The source as it stands in a payload until the platform's id is known. */
export function fileSource({ link, media_id }: FileSourceDto): object {
  return media_id ? { media_id } : { link };
}

/**
 * A document as it stands in a payload: people see its name, so it always has one. Default: the last part of the
 * link's path; an upload's own name comes with the platform's id.
 */
export function documentSource(source: FileSourceDto, filename?: string | null): object {
  const { link } = source;
  const name = filename ?? (link ? fileNameIn(link) : null);
  return { ...fileSource(source), ...(name && { filename: name }) };
}
