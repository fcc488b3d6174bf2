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
  files: (message) => filesIn({ media_id: message.media_id }, message.type),
  content: ({ type, caption, filename, ...source }) => ({
    type,
    [type]: {
      ...(type === 'document' ? documentSource(source, filename) : fileSource(source)),
      ...(caption && { caption }),
    },
  }),
});
