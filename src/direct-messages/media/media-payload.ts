import type { MessageDraft } from '../../messages/message.js';
import { directDraft } from '../direct-payload.js';
import type { MediaMessageDto } from './media-message.dto.js';

/**
 * The caller's media message as WhatsApp wants it. `null` and absent are the same.
 * @param repliedTo the platform's id of the message that it answers, or null.
 */
export function mediaDraft(message: MediaMessageDto, repliedTo: string | null): MessageDraft {
  const { type, link, caption, filename } = message;
  return directDraft('media', type, message, repliedTo, {
    link,
    ...(caption && { caption }),
    ...(filename && { filename }),
  });
}
