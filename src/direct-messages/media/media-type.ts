import { freeFormType } from '../../free-form/free-form-type.js';
import { documentSource, fileSource } from '../../uploads/file-source.dto.js';
import { filesIn } from '../../uploads/uploaded-files.js';
import { MediaMessageDto } from './media-message.dto.js';

/** An image, a video, an audio file, a document or a sticker. */
export const mediaType = freeFormType<MediaMessageDto>({
  type: 'media',
  path: 'media',
  permission: 'send_media',
  summary: 'Sends an image, a video, an audio file, a document or a sticker.',
  dto: MediaMessageDto,
  files: ({ media_id, type, voice }) =>
    filesIn({ media_id }, type).map((use) => ({ ...use, isVoice: voice === true })),
  refuses: ['MEDIA_TYPE'],
  content: ({ type, caption, filename, voice, ...source }) => ({
    type,
    [type]: {
      ...(type === 'document' ? documentSource(source, filename) : fileSource(source)),
      ...(caption && { caption }),
      ...(voice === true && { voice }),
    },
  }),
});
