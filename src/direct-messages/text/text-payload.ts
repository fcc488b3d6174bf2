import type { MessageDraft } from '../../messages/message.js';
import { directDraft } from '../direct-payload.js';
import type { TextMessageDto } from './text-message.dto.js';

/**
 * The caller's text message as WhatsApp wants it.
 * @param repliedTo the platform's id of the message that it answers, or null.
 */
export function textDraft(message: TextMessageDto, repliedTo: string | null): MessageDraft {
  const { body, preview_url } = message;
  return directDraft('text', 'text', message, repliedTo, {
    preview_url: preview_url ?? false,
    body,
  });
}
