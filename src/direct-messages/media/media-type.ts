import { freeFormType } from '../../free-form/free-form-type.js';
import { MediaMessageDto } from './media-message.dto.js';

/** An image, a video, an audio file, a document or a sticker. */
export const mediaType = freeFormType<MediaMessageDto>({
  type: 'media',
  path: 'media',
  permission: 'send_media',
  summary: 'Sends an image, a video, an audio file, a document or a sticker.',
  dto: MediaMessageDto,
  content: ({ type, link, caption, filename }) => ({
    type,
    [type]: { link, ...(caption && { caption }), ...(filename && { filename }) },
  }),
});
