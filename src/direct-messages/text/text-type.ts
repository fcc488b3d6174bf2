import { freeFormType } from '../../free-form/free-form-type.js';
import { TextMessageDto } from './text-message.dto.js';

/** A text. */
export const textType = freeFormType<TextMessageDto>({
  type: 'text',
  path: 'text',
  permission: 'send_text',
  summary: 'Sends a text.',
  dto: TextMessageDto,
  content: ({ body, preview_url }) => ({
    type: 'text',
    text: { preview_url: preview_url ?? false, body },
  }),
});
